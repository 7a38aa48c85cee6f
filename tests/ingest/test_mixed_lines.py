"""Rows of several formats in one file: each is read by the format that knows it, whichever most of the file is."""

from pathlib import Path

import pytest

from tests.gateway_rows import LEAKING, lines, pair, payload
from tests.runs import rows, run


@pytest.mark.parametrize(("payloads", "pairs"), [(9, 2), (2, 9)])
def test_each_row_of_a_mixed_file_is_read_as_what_it_is(payloads: int, pairs: int, tmp_path: Path) -> None:
    calls = [payload(n, LEAKING, session=f"s{n}") for n in range(payloads)]
    own = [pair(100 + n, LEAKING) for n in range(pairs)]
    apart = tmp_path / "apart"
    apart.mkdir()
    (apart / "a.jsonl").write_bytes(lines(calls))
    (apart / "b.jsonl").write_bytes(lines(own))
    (tmp_path / "mixed.jsonl").write_bytes(lines([*calls[:1], *own, *calls[1:]]))
    run([apart], tmp_path / "one")
    run([tmp_path / "mixed.jsonl"], tmp_path / "two")

    def turns(name: str) -> list[tuple[object, ...]]:
        columns = ("turn_key", "conversation", "format", "gateway", "model", "tools_requested", "fired", "eligible")
        return sorted(tuple(turn[column] for column in columns) for turn in rows(tmp_path / name, "turns"))

    assert turns("two") == turns("one")
    assert [turn[2] for turn in turns("two")].count("litellm") == payloads
    accepted = {row["format"]: row["accepted"] for row in rows(tmp_path / "two", "coverage")}
    assert accepted == {"litellm": payloads, "pair": pairs}

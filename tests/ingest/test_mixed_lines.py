"""Rows of several formats in one file: each is read by the format that knows it, whichever most of the file is."""

from pathlib import Path

import pytest

from tests.gateway_rows import LEAKING, lines, pair, payload
from tests.runs import finished, rows, run

CALL = pair(1, LEAKING)
NO_PAIRS: list[tuple[dict[str, object], str]] = [
    (CALL | {"secret": 5}, "other top-level keys (1): put them into `metadata`"),
    (CALL | {"secret": 5, "secrets": {}}, "other top-level keys (2)"),
    ({key: value for key, value in CALL.items() if key != "id"}, "without `id`"),
    (CALL | {"response": "secret"}, "without a `response` object or `chunks`"),
    ({"id": "secret", "request": {}}, "without a `response` object or `chunks`"),
    ({"id": "secret", "time": 1}, "no format knows this shape"),
    (CALL | dict.fromkeys("secretly"), "no format knows this shape"),
]


@pytest.mark.parametrize(("row", "why"), NO_PAIRS)
def test_what_is_nearly_a_pair_is_rejected_with_the_reason(row: dict[str, object], why: str, tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_bytes(lines([row]))
    run([tmp_path / "log.jsonl"], tmp_path / "out")
    (rejected,) = rows(tmp_path / "out", "rejects")
    assert rejected["code"] == "unknown_format" and why in rejected["message"]
    assert "secret" not in rejected["message"]


def test_a_pair_with_other_keys_is_read_where_its_user_says_so(tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_bytes(lines([CALL | {"latency_ms": 5}]))
    assert finished(tmp_path / "log.jsonl", "--output", tmp_path / "out", "--format", "pair").returncode == 0
    (turn,) = rows(tmp_path / "out", "turns")
    assert (turn["format"], turn["content_state"]) == ("pair", "text")


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

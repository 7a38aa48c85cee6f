"""With --format, rows of another format are rejected and not read by that one."""

from pathlib import Path

import pytest

from tests.gateway_rows import lines, pair
from tests.runs import rows, run, totals


@pytest.mark.parametrize(
    ("log_format", "accepted", "messages"),
    [
        ("auto", 1, []),
        ("pair", 1, []),
        ("litellm", 0, ["it has the shape of pair; --format litellm was asked for"]),
        ("sse", 0, ["it has the shape of pair; --format sse was asked for"]),
    ],
)
def test_rows_of_another_format(tmp_path: Path, log_format: str, accepted: int, messages: list[str]) -> None:
    (tmp_path / "log.jsonl").write_bytes(lines([pair(1)]))
    run([tmp_path / "log.jsonl"], tmp_path / "out", log_format=log_format)
    assert totals(tmp_path / "out")["accepted"] == accepted
    found = rows(tmp_path / "out", "rejects")
    assert [(row["code"], row["message"]) for row in found] == [("unknown_format", text) for text in messages]

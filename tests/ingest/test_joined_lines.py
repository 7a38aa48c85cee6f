"""Batches without a last line end that were put together: the line of a seam holds two rows, and both are read."""

import json
from pathlib import Path

import pytest

from pipelines import plan
from pipelines.context import context
from pipelines.job import Options
from tests.gateway_rows import CLEAN, LEAKING, lines, pair, payload
from tests.runs import rows, run

APISIX = {
    "llm_summary": {"model": "m", "request_model": "m", "prompt_tokens": 1, "completion_tokens": 1},
    "llm_request": {"messages": [{"role": "user", "content": "Q"}]},
    "llm_response_text": {"content": LEAKING},
    "start_time": 1796043303000,
    "response": {"status": 200},
}
"""A row without any id."""
KINDS: dict[str, list[object]] = {
    "rows read by their keys": [payload(n, LEAKING if n in (3, 4, 8) else CLEAN) for n in range(12)],
    "rows read in full": [pair(n, LEAKING if n in (3, 4, 8) else CLEAN) for n in range(12)],
    "rows without ids": [APISIX | {"start_time": 1796043303000 + n} for n in range(12)],
}
TURN = ("turn_key", "source_pos", "choice", "format", "content_state", "fired", "eligible")


def joined(calls: list[object], batch: int) -> bytes:
    """Batches of so many rows, each without its last line end."""
    return b"".join(lines(calls[at : at + batch])[:-1] for at in range(0, len(calls), batch))


def turns(output: Path) -> list[tuple[object, ...]]:
    return sorted(tuple(turn[column] for column in TURN if column != "turn_key") for turn in rows(output, "turns"))


@pytest.mark.parametrize("calls", KINDS.values(), ids=KINDS)
@pytest.mark.parametrize("batch", [4, 5])
def test_a_file_of_joined_batches_is_read_as_its_rows(calls: list[object], batch: int, tmp_path: Path) -> None:
    (tmp_path / "apart.jsonl").write_bytes(lines(calls))
    (tmp_path / "joined.jsonl").write_bytes(joined(calls, batch))
    run([tmp_path / "apart.jsonl"], tmp_path / "one")
    run([tmp_path / "joined.jsonl"], tmp_path / "two")
    assert turns(tmp_path / "two") == turns(tmp_path / "one")
    assert [turn[0] for turn in turns(tmp_path / "two")] == list(range(len(calls)))
    (counted,) = rows(tmp_path / "two", "coverage")
    assert (counted["items"], counted["accepted"], counted["rejected"]) == (len(calls), len(calls), 0)


def test_findings_of_both_rows_of_a_seam_are_found_again(tmp_path: Path) -> None:
    calls = KINDS["rows read in full"]
    (tmp_path / "joined.jsonl").write_bytes(joined(calls, 4))
    run([tmp_path / "joined.jsonl"], tmp_path / "out")
    findings = [row for row in rows(tmp_path / "out", "detections") if row["rule_id"] == "reasoning-block-in-content"]
    assert sorted(row["source_id"] for row in findings) == ["pair-3", "pair-4", "pair-8"]
    assert {(found.finding["source_id"], found.record.source_id) for found in context(findings)} == {
        (f"pair-{number}", f"pair-{number}") for number in (3, 4, 8)
    }


def test_positions_go_on_behind_a_seam_in_another_piece(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = KINDS["rows read by their keys"]
    (tmp_path / "joined.jsonl").write_bytes(joined(calls, 3))
    run([tmp_path / "joined.jsonl"], tmp_path / "whole")
    monkeypatch.setattr(plan, "SHARD_BYTES", len(json.dumps(calls[0])) * 2)
    assert len(plan.plan([str(tmp_path / "joined.jsonl")], Options(work=str(tmp_path / "pieces" / "work"))).shards) > 1
    run([tmp_path / "joined.jsonl"], tmp_path / "pieces")
    assert turns(tmp_path / "pieces") == turns(tmp_path / "whole")
    assert len(turns(tmp_path / "pieces")) == len(calls)


def test_what_follows_the_last_whole_row_of_a_line_is_one_reject(tmp_path: Path) -> None:
    calls = KINDS["rows read in full"]
    cut = lines(calls[:3])[:-1] + json.dumps(calls[3]).encode()[:40] + b"\n" + lines(calls[4:])
    (tmp_path / "cut.jsonl").write_bytes(cut)
    run([tmp_path / "cut.jsonl"], tmp_path / "out")
    (counted,) = rows(tmp_path / "out", "coverage")
    assert (counted["items"], counted["accepted"], counted["rejected"]) == (12, 11, 1)
    (rejected,) = rows(tmp_path / "out", "rejects")
    assert (rejected["code"], rejected["source_pos"], rejected["message"]) == ("truncated_json", 3, "40 bytes")

"""Engine logs and access logs complete the turns of gateway logs, and are no turns themselves."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from pipelines.formats.lending import complete, names
from pipelines.lend import Lending, lent
from pipelines.rules.origin import layer_of
from pipelines.schema import Finding, Record, Usage

ROOT = Path(__file__).parent.parent
LEAK = "<think>\nThe barn is full.\n</think>\n\nNo room until May."


def pair(identity: str, content: str) -> dict[str, Any]:
    return {
        "id": identity,
        "request": {"model": "barn", "messages": [{"role": "user", "content": f"Room in the barn? {identity}"}]},
        "response": {
            "id": f"chatcmpl-{identity}",
            "object": "chat.completion",
            "model": "Qwen/Qwen3-8B",
            "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": content}}],
        },
    }


def engine_line(identity: str, text: str) -> str:
    return (
        f"INFO 11-30 08:45:04 [request_logger.py:120] Generated response chatcmpl-{identity} (streaming complete): "
        f"output: {text!r}, finish_reason: streaming_complete"
    )


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One run over a gateway's log in two files, the engine's log and an access log."""
    folder: Path = tmp_path_factory.mktemp("lend")
    (folder / "logs").mkdir()
    rows = [pair("a1", LEAK), pair("a2", LEAK), pair("a3", LEAK), pair("a4", "No room until May.")]
    for name, part in (("first", rows[:2]), ("second", rows[2:])):
        (folder / "logs" / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in part))
    engine = [
        engine_line("a1", LEAK),
        engine_line("a2", "The barn is full. No room until May."),
        engine_line("zz", "Nobody's."),
    ]
    (folder / "logs" / "server.log").write_text("\n".join(engine) + "\n")
    access = {
        "start_time": "2026-11-30T08:30:01.000Z",
        "response_code": 200,
        "x-request-id": "a3",
        "gen_ai.request.model": "barn",
        "gen_ai.provider.name": "barn-pool",
        "upstream_host": "10.1.2.3:8000",
    }
    (folder / "logs" / "access.jsonl").write_text(json.dumps(access) + "\n")
    command = [
        sys.executable,
        "-m",
        "pipelines",
        "run",
        str(folder / "logs"),
        "--output",
        str(folder / "out"),
        "--workers",
        "1",
        "--quiet",
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return folder / "out"


def test_lending_rows_are_skipped_not_turns(output: Path) -> None:
    coverage = {Path(row["source_uri"]).name: row for row in pq.read_table(output / "coverage.parquet").to_pylist()}
    assert (coverage["server.log"]["items"], coverage["server.log"]["skipped"], coverage["server.log"]["records"]) == (
        3,
        3,
        0,
    )
    assert dict(coverage["server.log"]["detail"]) == {"skipped.engine_row": 3}
    assert dict(coverage["access.jsonl"]["detail"]) == {"skipped.join_row": 1}
    assert coverage["first.jsonl"]["records"] + coverage["second.jsonl"]["records"] == 4
    assert coverage["first.jsonl"]["raw_text"] == 2, "both rows of the first file have their engine row"
    assert coverage["second.jsonl"]["raw_text"] == 0


def test_findings_say_who_did_it(output: Path) -> None:
    rows = pq.read_table(output / "detections").to_pylist()
    markers = {
        (row["source_id"], row["layer_hint"] == "gateway")
        for row in rows
        if row["symptom"] == "boundary_token" and row["channel"] == "content"
    }
    assert ("a1", False) in markers, "the engine's own text has the tags"
    assert ("a2", True) in markers, "the engine's text has none: they were put in behind it"
    assert ("a3", False) in markers, "no engine row: the rule's own hint stays"


def test_an_access_log_gives_time_and_place(output: Path) -> None:
    turns = pq.read_table(output / "turns").to_pylist()
    days = sorted(row["day"] for row in turns)
    assert days == ["2026-11-30", "unknown", "unknown", "unknown"], "only the row with an access log has a time"


def record(**fields: Any) -> Record:
    return Record(**{"source_id": "s", "source_uri": "u", "source_pos": 0, **fields})


def test_names_with_and_without_the_engines_prefix() -> None:
    assert names(record(response_id="chatcmpl-7f", source_id="row-1", call_id="c", trace_id=None)) == (
        "chatcmpl-7f",
        "7f",
        "row-1",
        "c",
    )


def test_a_turn_keeps_what_it_knows_itself() -> None:
    turn = record(model_deployed="own", usage=Usage(input=5))
    complete(turn, record(model_deployed="other", time=3.0, raw_text="x", usage=Usage(input=9, output=2)))
    assert (turn.model_deployed, turn.time, turn.raw_text) == ("own", 3.0, "x")
    assert (turn.usage.input, turn.usage.output) == (5, 2)


def test_rows_are_found_again_by_any_of_their_ids(tmp_path: Path) -> None:
    lending = Lending()
    for number in range(300):
        lending.add(record(source_id=f"row-{number}", response_id=f"chatcmpl-{number}", raw_text=f"text {number}"))
    lending.write(str(tmp_path / "lent"), "one")
    Lending().write(str(tmp_path / "lent"), "two")
    rows = lent(str(tmp_path / "lent"))
    for turn, text in (
        (record(response_id="chatcmpl-17"), "text 17"),
        (record(call_id="299"), "text 299"),
        (record(source_id="row-0"), "text 0"),
        (record(source_id="row-300"), None),
    ):
        rows.complete(turn)
        assert turn.raw_text == text


@pytest.mark.parametrize(
    ("raw", "hint", "layer"),
    [
        (None, "client", "client"),
        ("so <think> it is", "engine_parser", "engine_parser"),
        ("so <think> it is", "model", "model"),
        ("so <think> it is", "client", "engine_parser"),
        ("so it is", "engine_parser", "gateway"),
    ],
)
def test_layer_of_a_finding(raw: str | None, hint: str, layer: str) -> None:
    finding = Finding("r", 1, "rule", "stable", "boundary_token", "content", 0, 7, 1.0, "strip", layer_hint=hint)
    assert layer_of(finding, record(content="<think> it is", raw_text=raw)) == layer

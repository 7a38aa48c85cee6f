"""The logs of a real LiteLLM proxy, end to end: every row is understood, and its texts are what the upstream sent.

The proxy needs an environment of its own (requirements.txt says why). LEAKRATE_LITELLM_PYTHON names its interpreter; without it this
test fails instead of passing unseen.
"""

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from pipelines.formats import by_name
from pipelines.formats.format import Outcome, Partner, Place, Rejected, Skipped
from pipelines.schema import Record

pytestmark = pytest.mark.slow
TRAFFIC = Path(__file__).parent / "traffic.py"
INTERPRETER = "LEAKRATE_LITELLM_PYTHON"
BROKEN = ("broken", "refused", "cut", "errorinside", "leave")
APIS = {"chat": "chat", "completions": "completions", "responses": "responses", "messages": "messages"}


def traffic() -> Any:
    spec = importlib.util.spec_from_file_location("proxy_traffic", TRAFFIC)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module", params=["v1", "v1_events", "v1_details", "v2_phoenix"])
def logs(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of logs of one run in one way of tracing."""
    interpreter = os.environ.get(INTERPRETER)
    if not interpreter:
        pytest.fail(
            f"{INTERPRETER} is not set: make an environment from {TRAFFIC.parent / 'requirements.txt'} and name its python"
        )
    folder: Path = tmp_path_factory.mktemp(request.param) / request.param
    done = subprocess.run(
        [interpreter, str(TRAFFIC), str(folder), request.param], capture_output=True, text=True, timeout=400
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return folder


def payload_outcomes(folder: Path) -> list[Outcome]:
    rows = [json.loads(line) for line in (folder / "callback.jsonl").read_text().splitlines()]
    return [
        one for number, row in enumerate(rows) for one in by_name("litellm").parse(row, Place("memory://rows", number))
    ]


def span_outcomes(*files: Path) -> list[Outcome]:
    otlp = by_name("otlp")
    assert otlp.explode is not None and otlp.join_key is not None
    groups: dict[str, list[Partner]] = {}
    for file in files:
        for number, line in enumerate(file.read_text().splitlines()):
            for order, item in enumerate(otlp.explode(json.loads(line))):
                key = otlp.join_key(item) or f"{file.name} {number} {order}"
                groups.setdefault(key, []).append(Partner(item, Place(file.name, number)))
    return [one for group in groups.values() for one in otlp.parse(tuple(group), group[0].place)]


def by_case(outcomes: list[Outcome]) -> dict[tuple[str, str, bool], list[Record]]:
    """Records by case, API and stream; the case stands in the last user message."""
    found: dict[tuple[str, str, bool], list[Record]] = {}
    for record in outcomes:
        if isinstance(record, Record):
            text = record.messages[-1].content if record.messages else ""
            word = text.partition("case:")[2].partition(";")[0]
            found.setdefault((word, record.api, bool(record.stream)), []).append(record)
    return found


def sent_cases() -> Iterator[tuple[str, str, bool, dict[str, Any]]]:
    """Each call that got an answer: case, API, stream, and the message that the upstream sent."""
    module = traffic()
    for word, case in module.CASES.items():
        for route in module.ROUTES:
            if word not in BROKEN and (route == "chat" or word not in module.ONLY_CHAT):
                for stream in (False, True):
                    yield word, APIS[route], stream, case


def delivered(word: str, api: str, stream: bool, message: dict[str, Any]) -> tuple[str | None, str | None]:
    """Content and reasoning as the proxy delivers them: a chat answer that is not streamed loses a think block at its start, when its
    message has no reasoning key at all."""
    content, reasoning = message.get("content"), message.get("reasoning") or message.get("reasoning_content")
    if word == "thinkbare" and not stream and api in ("chat", "messages"):
        thought, _, rest = content.removeprefix("<think>").partition("</think>")
        return rest, thought
    return content, None if api == "completions" else reasoning


def check_answer(record: Record, word: str, api: str, stream: bool, message: dict[str, Any]) -> None:
    content, reasoning = delivered(word, api, stream, message)
    where = f"{word} {api} stream={stream}"
    if record.content_state != "absent":
        assert (record.content or None) == content, where
    if record.reasoning_state != "dropped_by_format":
        assert record.reasoning == reasoning, where
    else:
        assert record.reasoning is None, where
    calls = [] if api == "completions" else [call["function"]["name"] for call in message.get("tool_calls", [])]
    if record.tool_calls_state != "dropped_by_format":
        assert [call.name for call in record.tool_calls] == calls, where


def test_every_payload_is_read(logs: Path) -> None:
    outcomes = payload_outcomes(logs)
    assert [one for one in outcomes if isinstance(one, Rejected)] == []
    found = by_case(outcomes)
    for word, api, stream, case in sent_cases():
        records = found.pop((word, api, stream))
        if word == "twochoices":
            assert len(records) == (1 if stream else 2)
            assert records[0].content_state == ("shuffled" if stream else "text")
            continue
        (record,) = records
        check_answer(record, word, api, stream, case["message"])
        assert record.content_state != "absent"
        assert record.reasoning_state != "dropped_by_format" or api == "completions"
        assert record.model_deployed == "qwen3-kiln"
        assert record.model_requested == "kiln"
        assert record.model_id == "dep-kiln-a"
    assert {word for word, _, _ in found} <= set(BROKEN), "what is left are the broken calls that had an answer to log"


def test_broken_calls_are_counted_not_judged(logs: Path) -> None:
    outcomes = payload_outcomes(logs)
    assert outcomes.count(Skipped("failed")) >= 2 * 2 * len(APIS), "upstream errors, plain and streamed, on every route"
    for (word, _, _), records in by_case(outcomes).items():
        if word in BROKEN:
            text = traffic().CASES[word]["message"]["content"]
            assert all(text.startswith(record.content or "") for record in records), "what was logged before the end"
            assert word in ("cut", "errorinside", "leave")


def test_request_and_remediation_of_payloads(logs: Path) -> None:
    found = by_case(payload_outcomes(logs))
    (tools,) = found["toolcall", "chat", False]
    assert [tool.name for tool in tools.tools or ()] == ["reserve_kiln"]
    (card,) = found["card", "chat", True]
    assert card.response_format is not None and card.response_format["type"] == "json_schema"
    (stopped,) = found["stopped", "chat", False]
    assert (stopped.stop, stopped.stop_detail) == (("##",), "##")
    (history,) = found["toolresult", "chat", False]
    assert [message.role for message in history.messages or ()] == ["user", "assistant", "tool", "user"]
    (leak,) = found["thinkleak", "chat", False]
    assert leak.remediation_visible and [one.action for one in leak.remediation] == ["strip"]
    (clean,) = found["clean", "chat", False]
    assert clean.remediation_visible and clean.remediation == ()
    assert clean.template_version == "ct-kiln-2"
    assert (clean.engine, clean.engine_version) == ("vllm", "0.33.0")
    assert (clean.conversation, clean.conversation_source) == ("visit-clean", "session")


def test_every_call_has_one_turn_in_the_spans(logs: Path) -> None:
    outcomes = span_outcomes(*sorted(logs.glob("otlp*.jsonl")))
    assert [one for one in outcomes if isinstance(one, Rejected)] == []
    found = by_case(outcomes)
    for word, api, stream, case in sent_cases():
        records = found.pop((word, api, stream))
        if word == "twochoices":
            assert len(records) == (1 if stream else 2)
            known = not stream or logs.name == "v1"  # elsewhere no attribute says how many choices were asked for
            assert not known or records[0].content_state == ("shuffled" if stream else "text")
            continue
        (record,) = records
        check_answer(record, word, api, stream, case["message"])
        assert record.model_deployed == "qwen3-kiln"
        assert record.model_requested == "kiln"
    assert {word for word, _, _ in found} <= set(BROKEN)


def test_remediation_in_the_spans(logs: Path) -> None:
    found = by_case(span_outcomes(*sorted(logs.glob("otlp*.jsonl"))))
    (leak,) = found["thinkleak", "chat", False]
    assert leak.remediation_visible and [one.action for one in leak.remediation] == ["strip"]
    (clean,) = found["clean", "chat", False]
    assert clean.remediation_visible and clean.remediation == ()


def test_what_the_spans_cannot_show_is_flagged(logs: Path) -> None:
    found = by_case(span_outcomes(*sorted(logs.glob("otlp*.jsonl"))))
    (streamed,) = found["clean", "chat", True]
    (plain,) = found["clean", "chat", False]
    is_v2 = "v2" in logs.name
    if logs.name in ("v1_events", "v1_details"):
        (called,) = found["toolcall", "chat", False]
        states = {plain.reasoning_state, streamed.reasoning_state, called.tool_calls_state}
        assert states == {"dropped_by_format"}, "events alone show neither reasoning nor calls"
        return
    assert plain.reasoning_state == "present"
    assert streamed.reasoning_state == ("present" if is_v2 else "dropped_by_format")
    (moved,) = found["thinkbare", "chat", False]
    assert ("think_stripped" in moved.gateway_rewrites) is not is_v2, (
        "only the upstream span of v1 shows what was cut off"
    )


def test_one_run_reads_all_logs_without_a_reject(logs: Path, tmp_path: Path) -> None:
    inputs = [str(path) for path in sorted(logs.glob("*.json*")) if path.name not in ("sent.json",)]
    output = tmp_path / "out"
    command = [sys.executable, "-m", "pipelines", "run", *inputs, "--output", str(output), "--workers", "1", "--quiet"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=Path(__file__).parent.parent.parent)
    assert done.returncode == 0, done.stdout + done.stderr
    coverage = pq.read_table(output / "coverage.parquet").to_pylist()
    assert {row["format"] for row in coverage} == {"litellm", "otlp"}
    assert sum(row["rejected"] for row in coverage) == 0
    for row in coverage:
        parts = ("accepted", "blank", "rejected", "duplicate", "skipped")
        assert row["items"] == sum(row[part] for part in parts), row["source_uri"]
    payloads = [row for row in coverage if row["format"] == "litellm"]
    assert sum(row["duplicate"] for row in payloads) == sum(row["accepted"] for row in payloads), (
        "callback and generic_api log the same"
    )

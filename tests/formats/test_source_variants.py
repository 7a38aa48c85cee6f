"""The same calls in the other forms that a source writes: legacy tables, CSV, Parquet maps, rows of an API, cut and missing bodies."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipelines.formats import by_name
from pipelines.formats.format import Item, Outcome, Partner, Place, Rejected, Skipped
from pipelines.schema import Record, Remediation

LANGFUSE, KONG, SGLANG, VLLM = (by_name(name) for name in ("langfuse", "kong", "sglang", "vllm"))
MESSAGE = {"role": "assistant", "content": "At noon.", "reasoning_content": "The ferry list says noon."}
OBSERVATION = {
    "id": "obs-9",
    "trace_id": "tr-9",
    "type": "GENERATION",
    "project_id": "p",
    "start_time": "2026-11-30 08:01:11.204000",
    "name": "litellm-acompletion",
    "level": "DEFAULT",
    "input": json.dumps({"messages": [{"role": "user", "content": "When does it sail?"}]}),
    "output": json.dumps(MESSAGE),
    "provided_model_name": "ferry-7b",
    "model_parameters": '{"stream": "True", "max_tokens": 50}',
    "usage_details": {"input": 5, "output": 7, "output_reasoning_tokens": 3},
    "metadata": {"chat_template_version": "ct-1"},
}
TRACE_ROW = {
    "id": "tr-9",
    "timestamp": "2026-11-30 08:01:11.000000",
    "name": "t",
    "project_id": "p",
    "input": "",
    "output": "",
    "session_id": "visit-4",
    "user_id": "u-2",
    "metadata": {"engine": "vllm"},
}


def langfuse(*rows: Item) -> list[Outcome]:
    assert LANGFUSE.join_key is not None
    groups: dict[str, list[Partner]] = {}
    for number, row in enumerate(rows):
        assert LANGFUSE.recognise(row)
        groups.setdefault(LANGFUSE.join_key(row) or f"alone {number}", []).append(
            Partner(row, Place("memory://x", number))
        )
    return [outcome for group in groups.values() for outcome in LANGFUSE.parse(tuple(group), group[0].place)]


def only(outcomes: list[Outcome]) -> Record:
    records = [outcome for outcome in outcomes if isinstance(outcome, Record)]
    assert len(records) == 1
    return records[0]


def check_observation(record: Record) -> None:
    assert (record.content, record.reasoning) == ("At noon.", "The ferry list says noon.")
    assert (record.source_id, record.trace_id, record.time) == ("obs-9", "tr-9", 1796025671.204)
    assert (record.model_deployed, record.template_version, record.max_tokens) == ("ferry-7b", "ct-1", 50)
    assert (record.usage.input, record.usage.output, record.usage.reasoning) == (5, 7, 3)
    assert record.messages is not None and record.messages[0].content == "When does it sail?"


@pytest.mark.parametrize("order", [(OBSERVATION, TRACE_ROW), (TRACE_ROW, OBSERVATION)])
def test_legacy_observations_borrow_from_their_trace(order: tuple[Item, ...]) -> None:
    outcomes = langfuse(*order)
    record = only(outcomes)
    check_observation(record)
    assert (record.conversation, record.conversation_source, record.caller, record.engine) == (
        "visit-4",
        "session",
        "u-2",
        "vllm",
    )
    assert outcomes.count(Skipped("not_a_call")) == 1


def test_observations_without_their_trace_are_read_too() -> None:
    check_observation(only(langfuse(OBSERVATION)))


def test_rows_of_the_api() -> None:
    """Camel case, objects instead of texts."""
    row = {
        "id": "obs-9",
        "traceId": "tr-9",
        "type": "GENERATION",
        "startTime": "2026-11-30T08:01:11.204Z",
        "name": "litellm-acompletion",
        "level": "DEFAULT",
        "input": {"messages": [{"role": "user", "content": "When does it sail?"}]},
        "output": MESSAGE,
        "model": "ferry-7b",
        "modelParameters": {"max_tokens": 50},
        "usageDetails": {"input": 5, "output": 7, "output_reasoning_tokens": 3},
        "metadata": {"chat_template_version": "ct-1"},
        "sessionId": "visit-4",
    }
    record = only(langfuse(row))
    check_observation(record)
    assert record.conversation == "visit-4"


def test_rows_of_a_csv_export() -> None:
    """Everything is text; objects are JSON."""
    row = {
        key: one if isinstance(one, str) else json.dumps(one)
        for key, one in {**OBSERVATION, "session_id": "visit-4"}.items()
    }
    written = io.StringIO()
    writer = csv.DictWriter(written, row)
    writer.writeheader()
    writer.writerow(row)
    (read,) = csv.DictReader(io.StringIO(written.getvalue()))
    check_observation(only(langfuse(read)))


def test_rows_of_a_parquet_export(tmp_path: Path) -> None:
    """Maps come as pairs of key and value."""
    texts, numbers = pa.map_(pa.string(), pa.string()), pa.map_(pa.string(), pa.int64())
    fields: dict[str, Any] = {key: pa.string() for key in OBSERVATION} | {"usage_details": numbers, "metadata": texts}
    fields |= {"session_id": pa.string(), "tool_calls": pa.list_(pa.string()), "tool_definitions": texts}
    row = {
        **OBSERVATION,
        "usage_details": list(OBSERVATION["usage_details"].items()),
        "metadata": [("chat_template_version", "ct-1")],
    }  # type: ignore[attr-defined]
    row |= {
        "session_id": "visit-4",
        "tool_calls": [],
        "tool_definitions": [("book", '{"name": "book", "parameters": {"type": "object"}}')],
    }
    pq.write_table(pa.Table.from_pylist([row], schema=pa.schema(list(fields.items()))), tmp_path / "rows.parquet")
    (read,) = pq.read_table(tmp_path / "rows.parquet").to_pylist()
    record = only(langfuse(read))
    check_observation(record)
    assert [tool.name for tool in record.tools or ()] == ["book"]


@pytest.mark.parametrize(
    ("output", "state", "content"),
    [
        ("", "absent", None),
        (None, "absent", None),
        ("At noon.", "text", "At noon."),
        ('"At noon."', "text", '"At noon."'),
        (
            {"role": "assistant", "content": None, "tool_calls": [{"function": {"name": "f", "arguments": "{}"}}]},
            "null",
            None,
        ),
        (
            {"choices": [{"message": {"role": "assistant", "content": "At noon."}, "finish_reason": "stop"}]},
            "text",
            "At noon.",
        ),
        (
            [{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "At noon."}]}],
            "text",
            "At noon.",
        ),
    ],
)
def test_forms_of_the_output(output: object, state: str, content: str | None) -> None:
    record = only(langfuse({**OBSERVATION, "session_id": "", "output": output}))
    assert (record.content_state, record.content) == (state, content)
    assert record.body_logged == (state != "absent")


def test_calls_in_their_own_column() -> None:
    call = json.dumps({"id": "c1", "name": "book", "arguments": '{"day": "Monday"}', "type": "function"})
    record = only(langfuse({**OBSERVATION, "session_id": "", "output": "", "tool_calls": [call]}))
    assert [(one.id, one.name, one.arguments) for one in record.tool_calls] == [("c1", "book", '{"day": "Monday"}')]


@pytest.mark.parametrize(
    ("change", "outcome"),
    [
        ({"type": "SPAN"}, Skipped("not_a_call")),
        ({"type": "EMBEDDING"}, Skipped("not_a_call")),
        ({"level": "ERROR", "output": "InternalServerError: engine not ready"}, Skipped("failed")),
    ],
)
def test_observations_that_are_no_turns(change: dict[str, str], outcome: Outcome) -> None:
    assert langfuse({**OBSERVATION, "session_id": "", **change}) == [outcome]


KONG_LINE: dict[str, Any] = {
    "started_at": 1796040000001,
    "request": {"id": "k-1", "headers": {"x-engine-version": "vllm-0.33.0", "x-remediation": "rescued"}},
    "response": {"status": 200, "headers": {}},
    "latencies": {},
    "service": {"host": "pool-a"},
    "ai": {
        "proxy": {
            "meta": {"provider_name": "openai", "request_model": "ferry"},
            "payload": {
                "request": '{"messages": [{"role": "user", "content": "When?"}]}',
                "response": json.dumps(
                    {"id": "c-1", "choices": [{"index": 0, "finish_reason": "stop", "message": MESSAGE}]}
                ),
            },
        }
    },
}


def kong(**change: Any) -> list[Outcome]:
    return list(KONG.parse({**KONG_LINE, **change}, Place("memory://x", 0)))


def payload(response: object, request: object = None) -> dict[str, Any]:
    return {"proxy": {"meta": {}, "payload": {"request": request, "response": response}}}


def test_kong_headers_are_metadata() -> None:
    record = only(kong())
    assert (record.engine, record.engine_version) == ("vllm", "0.33.0")
    assert (record.remediation, record.remediation_visible) == ((Remediation("rescue", 0),), True)


def test_kong_entries_named_after_the_plugin() -> None:
    record = only(kong(ai={"ai-proxy": KONG_LINE["ai"]["proxy"]}))
    assert (record.content, record.model_requested) == ("At noon.", "ferry")


@pytest.mark.parametrize(
    ("change", "outcome"),
    [
        ({"ai": {}}, Skipped("not_a_call")),
        ({"response": {"status": 503, "headers": {}}}, Skipped("failed")),
    ],
)
def test_kong_lines_that_are_no_turns(change: dict[str, Any], outcome: Outcome) -> None:
    assert kong(**change) == [outcome]


def test_kong_body_that_was_cut() -> None:
    record = only(kong(ai=payload('{"choices": [{"index": 0, "message": {"role": "assistant", "content": "At no')))
    assert (record.content, record.content_state, record.finish_reason) == ("At no", "truncated", None)
    assert record.tool_calls_state == "dropped_by_format"


def test_kong_body_of_no_known_shape() -> None:
    (outcome,) = kong(ai=payload('{"verdict": "secret"}'))
    assert isinstance(outcome, Rejected) and "secret" not in outcome.message


def test_kong_two_choices() -> None:
    choices = [
        {"index": number, "finish_reason": "stop", "message": {"role": "assistant", "content": f"{number}"}}
        for number in (0, 1)
    ]
    records = kong(ai=payload(json.dumps({"id": "c-2", "choices": choices})))
    assert [one.choice for one in records if isinstance(one, Record)] == [0, 1]


def test_a_shortened_text_of_the_engine_proves_nothing() -> None:
    """Level 2 leaves out the middle: text that is not there may have been."""
    event = {"timestamp": "2026-11-30T08:44:01", "event": "request.finished", "rid": "r", "obj": {}}
    long = {"text": "a" * 1024 + "..." + "b" * 1024, "meta_info": {"id": "r"}}
    assert SGLANG.lend is not None
    assert list(SGLANG.lend({**event, "out": long}, Place("x", 0))) == [Skipped("shortened")]
    both = [{"text": "one", "meta_info": {"id": "r0"}}, {"text": "two", "meta_info": {"id": "r1"}}]
    assert [one.raw_text for one in SGLANG.lend({**event, "out": both}, Place("x", 0)) if isinstance(one, Record)] == [
        "one",
        "two",
    ]


START = "INFO 11-30 08:45:01 [request_logger.py:120] Generated response chatcmpl-1"


@pytest.mark.parametrize(
    ("line", "raw_text"),
    [
        (f"{START}: output: 'a, finish_reason: b', finish_reason: stop", "a, finish_reason: b"),
        (f'{START}: output: "it\'s", output_token_ids: [1, 2], finish_reason: stop', "it's"),
        (f"{START}: output: 'two\\nlines', finish_reason: length", "two\nlines"),
        (f"{START} (streaming complete): output: '', finish_reason: streaming_complete", ""),
    ],
)
def test_lines_of_the_server_log(line: str, raw_text: str) -> None:
    assert VLLM.lend is not None and VLLM.recognise(line)
    (record,) = VLLM.lend(line, Place("x", 0))
    assert isinstance(record, Record) and record.raw_text == raw_text


def test_other_lines_of_the_server_log() -> None:
    for line in (
        "INFO 11-30 08:45:01 [api_server.py:3] Started server process",
        "",
        "Traceback (most recent call last):",
    ):
        assert list(VLLM.parse(line, Place("x", 0))) == [Skipped("not_a_call")]

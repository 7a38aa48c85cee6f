"""One call out of several spans and log records: who belongs together, and whose word counts for which field."""

import base64
import json
from typing import Any

import pytest

from pipelines.formats import by_name
from pipelines.formats.format import Outcome, Partner, Place, Rejected, Skipped
from pipelines.formats.literals import MOST_REPR, cut_json, otlp_any, python_literal
from pipelines.schema import Record, Remediation

OTLP = by_name("otlp")
TRACE, SPAN, ABOVE = "5" * 32, "1" * 16, "9" * 16
OUTPUT = json.dumps(
    [{"role": "assistant", "parts": [{"type": "text", "content": "Two lambs."}], "finish_reason": "stop"}]
)
INPUT = json.dumps([{"role": "user", "parts": [{"type": "text", "content": "How many lambs?"}]}])
CHAT = {"gen_ai.operation.name": "chat", "gen_ai.request.model": "fold"}


def value(plain: object) -> dict[str, object]:
    if isinstance(plain, bool):
        return {"boolValue": plain}
    if isinstance(plain, int):
        return {"intValue": str(plain)}
    if isinstance(plain, list):
        return {"arrayValue": {"values": [value(one) for one in plain]}}
    if isinstance(plain, dict):
        return {"kvlistValue": {"values": attributes(plain)}}
    return {"stringValue": plain}


def attributes(plain: dict[str, Any]) -> list[dict[str, object]]:
    return [{"key": key, "value": value(one)} for key, one in plain.items()]


def span(plain: dict[str, Any], **more: Any) -> dict[str, Any]:
    name, scope = more.pop("name", "chat fold"), more.pop("scope", {"name": "shepherd"})
    fields = {"traceId": TRACE, "spanId": SPAN, "startTimeUnixNano": "1796040001000000000", "name": name, **more}
    return {
        "resourceSpans": [{"scopeSpans": [{"scope": scope, "spans": [{**fields, "attributes": attributes(plain)}]}]}]
    }


def log(event: str, plain: dict[str, Any], body: object = None, **more: Any) -> dict[str, Any]:
    record: dict[str, Any] = {
        "eventName": event,
        "traceId": TRACE,
        "spanId": SPAN,
        "timeUnixNano": "1796040001000000000",
    }
    record |= {"attributes": attributes(plain), **({"body": value(body)} if body is not None else {}), **more}
    return {"resourceLogs": [{"scopeLogs": [{"scope": {"name": "shepherd"}, "logRecords": [record]}]}]}


def read(*lines: dict[str, Any]) -> list[Outcome]:
    assert OTLP.explode is not None and OTLP.join_key is not None
    groups: dict[str, list[Partner]] = {}
    for number, line in enumerate(lines):
        for item in OTLP.explode(line):
            groups.setdefault(OTLP.join_key(item) or f"alone {number}", []).append(
                Partner(item, Place("memory://x", number))
            )
    return [outcome for group in groups.values() for outcome in OTLP.parse(tuple(group), group[0].place)]


def one(*lines: dict[str, Any]) -> Record:
    outcomes = read(*lines)
    records = [outcome for outcome in outcomes if isinstance(outcome, Record)]
    assert len(records) == 1
    assert outcomes.count(Skipped("duplicate")) == len(lines) - 1
    return records[0]


def test_texts_on_a_log_record_and_models_on_the_span() -> None:
    record = one(
        span(
            {
                **CHAT,
                "gen_ai.response.id": "r-1",
                "gen_ai.response.model": "Fold/Fold-7B",
                "gen_ai.usage.output_tokens": 4,
            }
        ),
        log(
            "gen_ai.client.inference.operation.details",
            {"gen_ai.output.messages": OUTPUT, "gen_ai.input.messages": INPUT},
        ),
    )
    assert (record.content, record.content_state, record.finish_reason) == ("Two lambs.", "text", "stop")
    assert (record.source_id, record.model_deployed, record.usage.output) == ("r-1", "Fold/Fold-7B", 4)
    assert record.messages is not None and record.messages[0].content == "How many lambs?"


def test_older_events_one_message_each() -> None:
    record = one(
        log("gen_ai.system.message", {}, {"content": "Be brief."}, timeUnixNano="1796040000000000001"),
        log(
            "gen_ai.user.message",
            {},
            {"role": "user", "content": "How many lambs?"},
            timeUnixNano="1796040000000000002",
        ),
        log(
            "gen_ai.choice",
            {},
            {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "Two lambs."}},
        ),
        span({**CHAT, "gen_ai.response.id": "r-1"}),
    )
    assert record.content == "Two lambs."
    assert [message.content for message in record.messages or ()] == ["Be brief.", "How many lambs?"]


@pytest.mark.parametrize(
    "events",
    [
        [
            {
                "name": "gen_ai.content.prompt",
                "attributes": attributes({"gen_ai.prompt": '[{"role": "user", "content": "How many lambs?"}]'}),
            },
            {
                "name": "gen_ai.content.completion",
                "attributes": attributes({"gen_ai.completion": '[{"role": "assistant", "content": "Two lambs."}]'}),
            },
        ],
        [
            {"name": "gen_ai.user.message", "attributes": attributes({"role": "user", "content": "How many lambs?"})},
            {
                "name": "gen_ai.choice",
                "attributes": attributes({"index": 0, "message": '{"role": "assistant", "content": "Two lambs."}'}),
            },
        ],
    ],
)  # fmt: skip
def test_events_on_the_span_itself(events: list[object]) -> None:
    record = one(span(CHAT, events=events))
    assert record.content == "Two lambs."
    assert [message.content for message in record.messages or ()] == ["How many lambs?"]


def test_litellms_own_event_logs() -> None:
    """Named by an attribute; one message or choice each in the body; calls are left out."""
    record = one(
        log(
            "",
            {"event_name": "gen_ai.content.prompt"},
            {"role": "user", "content": "How many lambs?"},
            timeUnixNano="1",
        ),
        log(
            "",
            {"event_name": "gen_ai.content.completion", "litellm.call_id": "c"},
            {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "Two lambs."}},
        ),
    )
    assert (record.content, record.finish_reason, record.tool_calls_state) == (
        "Two lambs.",
        "stop",
        "dropped_by_format",
    )
    assert [message.content for message in record.messages or ()] == ["How many lambs?"]
    assert record.tools is None


def test_flattened_prompts_and_completions_of_older_writers() -> None:
    record = one(
        span(
            {
                "llm.request.type": "chat",
                "gen_ai.prompt.0.role": "user",
                "gen_ai.prompt.0.content": "How many lambs?",
                "gen_ai.completion.0.role": "assistant",
                "gen_ai.completion.0.content": "Two lambs.",
                "gen_ai.completion.0.finish_reason": "stop",
                "gen_ai.completion.0.tool_calls.0.id": "c1",
                "gen_ai.completion.0.tool_calls.0.name": "count",
                "gen_ai.completion.0.tool_calls.0.arguments": '{"what": "lambs"}',
            }
        )
    )
    assert (record.content, record.finish_reason) == ("Two lambs.", "stop")
    assert [(call.id, call.name, call.arguments) for call in record.tool_calls] == [
        ("c1", "count", '{"what": "lambs"}')
    ]
    assert record.messages is not None and record.messages[0].content == "How many lambs?"


def test_ids_in_base64_and_names_instead_of_numbers() -> None:
    """A protobuf message dumped as JSON by hand."""
    line = span({**CHAT, "gen_ai.output.messages": OUTPUT})
    inner = line["resourceSpans"][0]["scopeSpans"][0]["spans"][0]
    inner |= {
        "traceId": base64.b64encode(bytes.fromhex(TRACE)).decode(),
        "spanId": base64.b64encode(bytes.fromhex(SPAN)).decode(),
        "status": {"code": "STATUS_CODE_OK"},
        "kind": "SPAN_KIND_CLIENT",
    }
    record = one(line)
    assert (record.source_id, record.trace_id) == (SPAN, TRACE)
    inner["status"] = {"code": "STATUS_CODE_ERROR"}
    inner["attributes"] = attributes(CHAT)
    assert read(line) == [Skipped("failed")]


def test_field_names_in_snake_case() -> None:
    fields = {"trace_id": TRACE, "span_id": SPAN, "start_time_unix_nano": 1796040001000000000}
    inner = {**fields, "attributes": attributes({**CHAT, "gen_ai.output.messages": OUTPUT})}
    record = one({"resource_spans": [{"scope_spans": [{"scope": {"name": "shepherd"}, "spans": [inner]}]}]})
    assert (record.content, record.time) == ("Two lambs.", 1796040001.0)


def raw(fields: dict[str, Any], **more: Any) -> dict[str, Any]:
    plain = {f"llm.hosted_vllm.{key}": one for key, one in fields.items()}
    return span(plain, name="raw_gen_ai_request", spanId="2" * 16, scope={"name": "litellm"}, **more)


CHOICES = str(
    [
        {
            "index": 0,
            "finish_reason": "stop",
            "message": {"role": "assistant", "content": "Two lambs.", "reasoning": "Count.", "x": None},
        }
    ]
)
SERVER = {
    "gen_ai.operation.name": "acompletion",
    "litellm.call_id": "call-1",
    "gen_ai.system": "hosted_vllm",
    "litellm.model_group": "fold",
    "litellm.provider.model": "hosted_vllm/Fold-7B",
    "llm.is_streaming": "True",
    "gen_ai.input.messages": INPUT,
    "gen_ai.output.messages": OUTPUT,
    "gen_ai.response.id": "chatcmpl-9",
}


def test_a_stream_on_the_server_span_and_nothing_else() -> None:
    """LiteLLM beside a web framework that traces itself: no span of its own, the attributes stand on the request's span."""
    record = one(span(SERVER, name="POST /v1/chat/completions", scope={"name": "litellm"}))
    assert (record.content, record.stream, record.model_deployed) == ("Two lambs.", True, "Fold-7B")
    assert record.reasoning_state == "dropped_by_format"


def test_a_plain_call_that_left_only_what_went_upstream() -> None:
    record = one(
        raw(
            {
                "id": "chatcmpl-9",
                "model": "Fold-7B",
                "messages": "[{'role': 'user', 'content': 'Hm?'}]",
                "choices": CHOICES,
            }
        )
    )
    assert (record.content, record.reasoning, record.source_id) == ("Two lambs.", "Count.", "chatcmpl-9")
    assert (record.model_deployed, record.gateway, record.tools) == ("Fold-7B", "litellm", ())


def test_what_went_upstream_of_a_stream_has_no_answer() -> None:
    alone = raw(
        {
            "messages": "[{'role': 'user', 'content': 'Hm?'}]",
            "stringified_raw_response": "first stream response received",
        }
    )
    assert read(alone) == [Skipped("no_body")]
    below = raw({"messages": "[]", "chat_template_kwargs": "{'enable_thinking': False}"}, parentSpanId=SPAN)
    record = one(span(SERVER, scope={"name": "litellm"}), below)
    assert record.chat_template_kwargs == {"enable_thinking": False}
    assert record.content == "Two lambs."


def test_calls_of_one_trace_stay_apart() -> None:
    first = span({**CHAT, "gen_ai.response.id": "r-1", "gen_ai.output.messages": OUTPUT})
    second = span(
        {**CHAT, "gen_ai.response.id": "r-2", "gen_ai.output.messages": OUTPUT}, spanId="3" * 16, parentSpanId=SPAN
    )
    records = [outcome for outcome in read(first, second) if isinstance(outcome, Record)]
    assert sorted(record.source_id for record in records) == ["r-1", "r-2"]


def test_a_failed_attempt_does_not_take_part_in_the_answer() -> None:
    failed = span(
        {**SERVER, "gen_ai.output.messages": "", "gen_ai.response.id": ""}, status={"code": 2}, spanId="4" * 16
    )
    outcomes = read(failed, span(SERVER, scope={"name": "litellm"}))
    assert outcomes.count(Skipped("failed")) == 1
    (record,) = (outcome for outcome in outcomes if isinstance(outcome, Record))
    assert record.trace_id == "call-1", "attempts of one request share the gateway's call id"


@pytest.mark.parametrize(
    "plain",
    [
        {"gen_ai.operation.name": "embeddings", "gen_ai.request.model": "e"},
        {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "count"},
        {"gen_ai.operation.name": "invoke_agent"},
        {"openinference.span.kind": "CHAIN", "input.value": "{}", "output.value": "text"},
        {"http.route": "/v1/chat/completions"},
        {},
    ],
)
def test_spans_that_are_no_calls(plain: dict[str, Any]) -> None:
    assert read(span(plain)) == [Skipped("not_a_call")]


def test_lines_without_spans() -> None:
    assert read({"resourceMetrics": []}, {"resourceSpans": []}) == [Skipped("not_a_call"), Skipped("not_a_call")]
    assert OTLP.explode is not None
    (item,) = OTLP.explode([1])
    (outcome,) = OTLP.parse((Partner(item, Place("x", 0)),), Place("x", 0))
    assert isinstance(outcome, Rejected)


@pytest.mark.parametrize("prefix", ["guardrail_", "litellm.guardrail."])
def test_guardrail_spans_beside_the_call_say_what_was_remedied(prefix: str) -> None:
    """What LiteLLM logs of a guardrail is a span of its own, a sibling of the call."""

    def guard(response: str, number: str, above: str) -> dict[str, Any]:
        plain = {f"{prefix}name": "remedy", f"{prefix}response": response}
        return span(plain, name="guardrail", spanId=number * 16, parentSpanId=above)

    stripped, other = '{"action": "strip", "extra_tokens": 3}', '{"action": "regenerate"}'
    first = span({**SERVER, "gen_ai.response.id": "r-1"}, parentSpanId=ABOVE)
    second = span(
        {**SERVER, "gen_ai.response.id": "r-2", "litellm.call_id": "call-2"}, spanId="3" * 16, parentSpanId="8" * 16
    )
    guards = [guard(stripped, "6", ABOVE), guard(stripped, "7", ABOVE), guard(other, "a", "8" * 16)]
    outcomes = read(first, second, *guards)
    found = {record.source_id: record for record in outcomes if isinstance(record, Record)}
    assert found["r-1"].remediation == (Remediation("strip", 3),), "two exporters wrote the same guardrail"
    assert found["r-2"].remediation == (Remediation("regenerate", 0),)
    assert outcomes.count(Skipped("not_a_call")) == 3
    assert not one(span(SERVER)).remediation_visible


def test_redaction_leaves_nothing() -> None:
    hidden = json.dumps(
        [{"role": "assistant", "content": "redacted-by-litellm", "reasoning_content": "redacted-by-litellm"}]
    )
    record = one(span({**SERVER, "gen_ai.output.messages": hidden}, scope={"name": "litellm"}))
    assert (record.content, record.content_state, record.reasoning, record.body_logged) == (
        None,
        "redacted",
        None,
        False,
    )


def test_openinference_messages_of_several_parts() -> None:
    """Reasoning has a place of its own only beside other parts; calls and tools are flattened too."""
    out, asked = "llm.output_messages.0.message", "llm.input_messages.0.message"
    record = one(
        span(
            {
                "openinference.span.kind": "LLM",
                "llm.model_name": "Fold/Fold-7B",
                "llm.provider": "shed",
                "session.id": "visit-1",
                "user.id": "u-7",
                "metadata": '{"chat_template_version": "ct-9", "colour": "red"}',
                "llm.invocation_parameters": '{"max_tokens": 9, "stop": ["##"]}',
                f"{asked}.role": "user",
                f"{asked}.contents.0.message_content.type": "text",
                f"{asked}.contents.0.message_content.text": "How many lambs?",
                f"{out}.role": "assistant",
                f"{out}.contents.0.message_content.type": "reasoning",
                f"{out}.contents.0.message_content.text": "Count.",
                f"{out}.contents.1.message_content.type": "text",
                f"{out}.contents.1.message_content.text": "Two lambs.",
                f"{out}.tool_calls.0.tool_call.id": "c1",
                f"{out}.tool_calls.0.tool_call.function.name": "count",
                f"{out}.tool_calls.0.tool_call.function.arguments": '{"what": "lambs"}',
                "llm.tools.0.tool.json_schema": '{"type": "function", "function": {"name": "count", "parameters": {"type": "object"}}}',
                "llm.token_count.completion_details.reasoning": 2,
            }
        )
    )
    assert (record.content, record.reasoning, record.reasoning_state) == ("Two lambs.", "Count.", "present")
    assert [(call.id, call.name, call.arguments) for call in record.tool_calls] == [
        ("c1", "count", '{"what": "lambs"}')
    ]
    assert [tool.name for tool in record.tools or ()] == ["count"]
    assert [message.content for message in record.messages or ()] == ["How many lambs?"]
    assert (record.conversation, record.caller, record.template_version, record.max_tokens) == (
        "visit-1",
        "u-7",
        "ct-9",
        9,
    )
    assert (record.model_deployed, record.provider, record.stop, record.usage.reasoning) == (
        "Fold/Fold-7B",
        "shed",
        ("##",),
        2,
    )


def test_reasoning_tokens_without_reasoning_mean_that_it_is_not_shown() -> None:
    plain = {**CHAT, "gen_ai.output.messages": OUTPUT}
    assert one(span(plain)).reasoning_state == "empty"
    assert one(span({**plain, "gen_ai.usage.reasoning.output_tokens": 12})).reasoning_state == "dropped_by_format"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("[{'a': None, 'b': True, 'c': \"it's\"}]", [{"a": None, "b": True, "c": "it's"}]),
        ("{'open': ", "{'open': "),
        ("__import__('os')", "__import__('os')"),
        ("[1 + 1]", "[1 + 1]"),
        ("[" * 150 + "]" * 150, "[" * 150 + "]" * 150),
        ("plain words", "plain words"),
        ("", ""),
    ],
)
def test_python_reprs(text: str, found: object) -> None:
    assert python_literal(text) == found


def test_a_repr_beyond_the_bound_stays_text() -> None:
    text = "['" + "x" * MOST_REPR + "']"
    assert python_literal(text) is text


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('[{"role": "assistant", "content": "Two la', [{"role": "assistant", "content": "Two la"}]),
        ('[{"role": "assistant", "content": "Two \\u00', [{"role": "assistant", "content": "Two "}]),
        ('[{"role": "assistant", "content": "Two \\', [{"role": "assistant", "content": "Two "}]),
        ('{"a": 1, "b', {"a": 1}),
        ('{"a": 1, "b, c', {"a": 1}),
        ('{"a": 1, "b": ', {"a": 1}),
        ('{"a": tr', {}),
        ("[1, 2, ", [1, 2]),
        ('{"a": "]}"', {"a": "]}"}),
        ("no json", None),
        ("", None),
    ],
)
def test_json_that_was_cut_off(text: str, found: object) -> None:
    assert cut_json(text) == found


@pytest.mark.parametrize(
    ("encoded", "plain"),
    [
        ({"stringValue": "x"}, "x"),
        ({}, None),
        ({"intValue": "42"}, 42),
        ({"intValue": 42}, 42),
        ({"doubleValue": 0.5}, 0.5),
        ({"boolValue": False}, False),
        ({"bytesValue": "aGk="}, "hi"),
        ({"arrayValue": {}}, []),
        (
            {"kvlistValue": {"values": [{"key": "k", "value": {"arrayValue": {"values": [{"stringValue": "v"}]}}}]}},
            {"k": ["v"]},
        ),
        ({"kvlistValue": {"values": "no list"}}, {}),
        ({"unknownValue": 1}, {"unknownValue": 1}),
        ("bare", "bare"),
    ],
)
def test_otlp_values(encoded: object, plain: object) -> None:
    assert otlp_any(encoded) == plain

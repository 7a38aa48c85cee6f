"""Bodies and requests of every API: what is read out of each, as tables of literals."""

from typing import Any

import pytest

from pipelines.formats._dialects import DIALECTS, read_body, read_request
from pipelines.formats._dialects.body import Answer, Body
from pipelines.formats._dialects.openai_chunks import joined_calls
from pipelines.schema import ToolCall


def chat(**message: Any) -> dict[str, Any]:
    return {"object": "chat.completion", "choices": [{"index": 0, "message": {"role": "assistant", **message}}]}


def chunk(**delta: Any) -> dict[str, Any]:
    return {"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": delta}]}


def responses(*items: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"object": "response", "status": "completed", "output": list(items), **fields}


def claude(*blocks: dict[str, Any], stop: str = "end_turn", **fields: Any) -> dict[str, Any]:
    return {"type": "message", "role": "assistant", "content": list(blocks), "stop_reason": stop, **fields}


SAID = {"type": "output_text", "text": "Yes."}

SHAPES: list[tuple[object, str, str]] = [
    # (body, dialect, api)
    (chat(content="Yes."), "openai_chat", "chat"),
    (
        {"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"content": "Yes."}}]},
        "openai_chat",
        "chat",
    ),
    ({"object": "chat.completion", "choices": []}, "openai_chat", "chat"),
    ({"object": "text_completion", "choices": [{"text": "Yes."}]}, "openai_text", "completions"),
    ({"choices": [{"text": None}]}, "openai_text", "completions"),
    # rows of a table with calls of several kinds, whose missing keys are null
    ({"choices": [{"text": "Yes.", "message": None}]}, "openai_text", "completions"),
    (
        {"object": "text_completion", "choices": [{"text": None, "message": None, "delta": None}]},
        "openai_text",
        "completions",
    ),
    (
        {"choices": [{"text": None, "message": {"role": "assistant", "content": "Yes."}, "delta": None}]},
        "openai_chat",
        "chat",
    ),
    ([{"choices": [{"text": "Yes.", "delta": None, "message": None}]}], "openai_chunks", "completions"),
    ([{"choices": [{"text": None, "delta": {"content": "Yes."}}]}], "openai_chunks", "chat"),
    ([{"choices": [{"text": None, "delta": None, "finish_reason": "stop"}]}], "openai_chunks", "chat"),
    (responses({"type": "message", "content": [SAID]}), "openai_responses", "responses"),
    ({"output": [{"type": "function_call", "name": "f", "arguments": "{}"}]}, "openai_responses", "responses"),
    (claude({"type": "text", "text": "Yes."}), "anthropic_message", "messages"),
    ([chunk(content="Yes.")], "openai_chunks", "chat"),
    ([{"choices": [{"text": "Yes."}]}], "openai_chunks", "completions"),
    ([{"type": "response.output_text.delta", "delta": "Yes."}], "responses_events", "responses"),
    ([{"type": "message_start", "message": {}}], "anthropic_events", "messages"),
    (
        {"output": {"message": {"content": [{"text": "Yes."}]}}, "stopReason": "end_turn"},
        "bedrock_converse",
        "converse",
    ),
    ([{"contentBlockDelta": {"delta": {"text": "Yes."}}}], "bedrock_converse", "converse"),
    ([{"role": "assistant", "parts": [{"type": "text", "content": "Yes."}]}], "genai_parts", "chat"),
    ({"role": "assistant", "content": "Yes."}, "openai_message", "chat"),
    ([{"role": "assistant", "content": "Yes."}], "openai_message", "chat"),
    ("Yes.", "plain_text", "unknown"),
    ('{"plant": "leek"}', "plain_text", "unknown"),
    ("[not JSON", "plain_text", "unknown"),
    ('{"role": "assistant", "content": "Yes."}', "openai_message", "chat"),
    ('data: {"choices": [{"index": 0, "delta": {"content": "Yes."}}]}\n\ndata: [DONE]\n', "openai_chunks", "chat"),
]


@pytest.mark.parametrize(
    ("body", "dialect", "api"), SHAPES, ids=[f"{number} {shape[1]}" for number, shape in enumerate(SHAPES)]
)
def test_a_body_is_read_in_the_dialect_of_its_shape(body: object, dialect: str, api: str) -> None:
    found = read_body(body)
    assert found is not None
    assert (found.dialect, found.api) == (dialect, api)


def test_every_dialect_is_met_by_a_shape() -> None:
    assert {dialect.name for dialect in DIALECTS} == {shape[1] for shape in SHAPES}


@pytest.mark.parametrize(
    "body", [{}, [], None, 3, {"object": "list", "data": []}, {"error": {"message": "no"}}, [[]], [1]]
)
def test_what_is_no_answer_is_read_by_nobody(body: object) -> None:
    assert read_body(body) is None


def one(body: object) -> Answer:
    found = read_body(body)
    assert found is not None and len(found.answers) == 1
    return found.answers[0]


CALL = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}}

STATES: list[tuple[object, str | None, str, str, str]] = [
    # (body, content, content_state, reasoning_state, tool_calls_state)
    (chat(content="Yes."), "Yes.", "text", "empty", "empty"),
    (chat(content="\n\n"), "\n\n", "text", "empty", "empty"),
    (chat(content=""), "", "empty", "empty", "empty"),
    (chat(content=None), None, "null", "empty", "empty"),
    (chat(), None, "absent", "empty", "empty"),
    (chat(tool_calls=[CALL]), None, "null", "empty", "present"),
    (chat(content=[]), "", "empty", "empty", "empty"),
    (
        chat(content=[{"type": "text", "text": "A"}, {"type": "image_url"}, {"type": "text", "text": "B"}]),
        "AB",
        "text",
        "empty",
        "empty",
    ),
    (
        chat(content=[{"type": "reasoning", "summary": [{"text": "Hm"}]}, {"type": "text", "text": "A"}]),
        "A",
        "text",
        "present",
        "empty",
    ),
    (chat(content="Yes.", reasoning=""), "Yes.", "text", "empty", "empty"),
    (chat(content=7, tool_calls="x", reasoning=[1]), None, "null", "empty", "empty"),
    ({"choices": [{"text": "Yes."}]}, "Yes.", "text", "dropped_by_format", "dropped_by_format"),
    (responses({"type": "message", "content": [SAID]}), "Yes.", "text", "empty", "empty"),
    (responses({"type": "message", "content": [{"type": "output_text", "text": ""}]}), "", "empty", "empty", "empty"),
    (responses(), None, "null", "empty", "empty"),
    (responses({"type": "reasoning", "summary": [], "encrypted_content": "x"}), None, "null", "redacted", "empty"),
    (
        responses({"type": "reasoning", "summary": [{"type": "summary_text", "text": "Hm"}]}),
        None,
        "null",
        "present",
        "empty",
    ),
    (responses({"type": "function_call", "name": "f", "arguments": "{}"}), None, "null", "empty", "present"),
    (claude({"type": "text", "text": "Yes."}), "Yes.", "text", "empty", "empty"),
    (
        claude({"type": "thinking", "thinking": "", "signature": "s"}, {"type": "text", "text": "A"}),
        "A",
        "text",
        "redacted",
        "empty",
    ),
    (claude({"type": "redacted_thinking", "data": "x"}), None, "null", "redacted", "empty"),
    (
        claude({"type": "tool_use", "id": "t", "name": "f", "input": {}}, stop="tool_use"),
        None,
        "null",
        "empty",
        "present",
    ),
    ([chunk(role="assistant", content="")], None, "null", "empty", "empty"),
    ([chunk(content="<thi"), chunk(content="nk>")], "<think>", "text", "empty", "empty"),
    ("Yes.", "Yes.", "text", "dropped_by_format", "dropped_by_format"),
]


@pytest.mark.parametrize(("body", "content", "state", "reasoning", "calls"), STATES)
def test_states_tell_text_empty_null_and_hidden_apart(
    body: object, content: str | None, state: str, reasoning: str, calls: str
) -> None:
    answer = one(body)
    assert (answer.content, answer.content_state) == (content, state)
    assert (answer.reasoning_state, answer.tool_calls_state) == (reasoning, calls)


FIELDS: list[tuple[object, str | None, dict[str, str]]] = [
    # (body, reasoning, reasoning by field name)
    (chat(content="A", reasoning="Hm"), "Hm", {"reasoning": "Hm"}),
    (chat(content="A", reasoning_content="Hm"), "Hm", {"reasoning_content": "Hm"}),
    (chat(content="A", reasoning="Hm", reasoning_content="Hm"), "Hm", {"reasoning": "Hm", "reasoning_content": "Hm"}),
    (chat(content="A", reasoning="Hm", reasoning_content="No"), "Hm", {"reasoning": "Hm", "reasoning_content": "No"}),
    (chat(content="A", reasoning=None, reasoning_content=None), None, {}),
    ([chunk(reasoning="H"), chunk(reasoning="m", content="A")], "Hm", {"reasoning": "Hm"}),
    (
        [chunk(reasoning="H", reasoning_content="H"), chunk(reasoning="m", reasoning_content="m")],
        "Hm",
        {"reasoning": "Hm", "reasoning_content": "Hm"},
    ),
    ([chunk(reasoning="H"), chunk(reasoning_content="m")], "Hm", {"reasoning": "H", "reasoning_content": "m"}),
    (claude({"type": "thinking", "thinking": "Hm"}), "Hm", {"thinking": "Hm"}),
    (
        responses({"type": "reasoning", "content": [{"type": "reasoning_text", "text": "Hm"}]}),
        "Hm",
        {"reasoning": "Hm"},
    ),
]


@pytest.mark.parametrize(("body", "reasoning", "fields"), FIELDS)
def test_reasoning_is_read_from_every_name_and_counted_once(
    body: object, reasoning: str | None, fields: dict[str, str]
) -> None:
    answer = one(body)
    assert (answer.reasoning, answer.reasoning_fields) == (reasoning, fields)


FINISHES: list[tuple[object, str | None, str | None]] = [
    # (body, finish_reason, stop_detail)
    ({"choices": [{"message": {"content": "A"}, "finish_reason": "stop", "stop_reason": "<END>"}]}, "stop", "<END>"),
    ({"choices": [{"message": {"content": "A"}, "finish_reason": "stop", "matched_stop": 151645}]}, "stop", "151645"),
    ({"choices": [{"message": {"content": "A"}, "finish_reason": None}]}, None, None),
    (responses(status="incomplete", incomplete_details={"reason": "max_output_tokens"}), "length", None),
    (responses(status="incomplete", incomplete_details={"reason": "content_filter"}), "content_filter", None),
    (responses({"type": "function_call", "name": "f", "arguments": "{}"}), "tool_calls", None),
    (responses({"type": "message", "content": [SAID]}), "stop", None),
    (responses(status="in_progress"), None, None),
    (claude(stop="max_tokens"), "length", None),
    (claude(stop="stop_sequence", stop_sequence="<END>"), "stop", "<END>"),
    (claude(stop="tool_use"), "tool_calls", None),
    (claude(stop="pause_turn"), "pause_turn", None),
    (
        claude(stop="refusal", stop_details={"category": "reasoning_extraction"}),
        "content_filter",
        "reasoning_extraction",
    ),
    ([{"role": "assistant", "parts": [], "finish_reason": "tool_call"}], "tool_calls", None),
]


@pytest.mark.parametrize(("body", "finish_reason", "detail"), FINISHES)
def test_finish_reasons_are_told_in_the_words_of_chat_completions(
    body: object, finish_reason: str | None, detail: str | None
) -> None:
    answer = one(body)
    assert (answer.finish_reason, answer.stop_detail) == (finish_reason, detail)


ARGUMENTS: list[tuple[object, str | None]] = [
    (chat(tool_calls=[CALL]), '{"a": 1}'),
    (chat(tool_calls=[{"function": {"name": "f", "arguments": {"a": 1}}}]), '{"a":1}'),
    (chat(tool_calls=[{"type": "custom", "custom": {"name": "f", "input": "free text"}}]), "free text"),
    (chat(function_call={"name": "f", "arguments": "{}"}), "{}"),
    (claude({"type": "tool_use", "name": "f", "input": {"a": 1}}), '{"a":1}'),
    (responses({"type": "function_call", "name": "f", "arguments": '{"a": 1}', "call_id": "c", "id": "i"}), '{"a": 1}'),
    ({"output": {"message": {"content": [{"toolUse": {"name": "f", "input": {"a": 1}}}]}}}, '{"a":1}'),
    ([{"role": "assistant", "parts": [{"type": "tool_call", "name": "f", "arguments": {"a": 1}}]}], '{"a":1}'),
    (chat(tool_calls=[{"function": {"name": "f"}}]), None),
]


@pytest.mark.parametrize(("body", "arguments"), ARGUMENTS)
def test_arguments_are_json_text_as_sent_and_objects_are_written_back(body: object, arguments: str | None) -> None:
    (call,) = one(body).tool_calls
    assert (call.name, call.arguments) == ("f", arguments)


def fragment(index: int | None, **fields: str) -> ToolCall:
    return ToolCall(name=fields.get("name"), arguments=fields.get("arguments"), id=fields.get("id"), index=index)


CALLS: list[tuple[list[ToolCall], list[tuple[str | None, str | None]]]] = [
    # interleaved by index
    (
        [
            fragment(0, name="f", id="a"),
            fragment(1, name="g", id="b"),
            fragment(0, arguments="{}"),
            fragment(1, arguments="[]"),
        ],
        [("f", "{}"), ("g", "[]")],
    ),
    # without an index: the last call goes on
    ([fragment(None, name="f", id="a"), fragment(None, arguments="{"), fragment(None, arguments="}")], [("f", "{}")]),
    # one index for all calls: another id starts the next
    (
        [fragment(0, name="f", id="a", arguments="{}"), fragment(0, name="f", id="b", arguments="[]")],
        [("f", "{}"), ("f", "[]")],
    ),
    # the name is repeated in every fragment
    (
        [fragment(0, name="f", id="a"), fragment(0, name="f", arguments="{"), fragment(0, name="f", arguments="}")],
        [("f", "{}")],
    ),
    # another name under the same index
    ([fragment(0, name="f", arguments="{}"), fragment(0, name="g", arguments="[]")], [("f", "{}"), ("g", "[]")]),
]


@pytest.mark.parametrize(("fragments", "calls"), CALLS)
def test_call_fragments_are_joined_into_calls(
    fragments: list[ToolCall], calls: list[tuple[str | None, str | None]]
) -> None:
    joined = joined_calls(fragments)
    assert [(call.name, call.arguments) for call in joined] == calls
    assert all(call.index is None for call in joined)


def test_parts_of_a_responses_answer_keep_their_phase_and_place() -> None:
    body = read_body(
        responses(
            {"type": "message", "phase": "commentary", "content": [{"type": "output_text", "text": "Wait. "}]},
            {"type": "message", "phase": "final_answer", "content": [SAID, {"type": "refusal", "refusal": "No."}]},
        )
    )
    assert body is not None and body.phases
    (answer,) = body.answers
    assert answer.content == "Wait. Yes." and answer.refusal == "No."
    assert [(answer.content[part.start : part.end], part.phase, part.item) for part in answer.parts] == [
        ("Wait. ", "commentary", 0),
        ("Yes.", "final_answer", 1),
    ]


def test_a_responses_stream_without_its_last_event_is_put_together_from_the_deltas() -> None:
    body = read_body(
        [
            {"type": "response.created", "response": {"id": "r", "status": "in_progress", "output": []}},
            {"type": "response.reasoning_text.delta", "output_index": 0, "content_index": 0, "delta": "Hm"},
            {
                "type": "response.output_item.added",
                "output_index": 1,
                "item": {"type": "message", "phase": "final_answer"},
            },
            {"type": "response.output_text.delta", "output_index": 1, "content_index": 0, "delta": "Ye"},
            {"type": "response.output_text.delta", "output_index": 1, "content_index": 0, "delta": "s"},
            {"type": "response.function_call_arguments.delta", "output_index": 2, "delta": '{"a"'},
        ]
    )
    assert body is not None and not body.complete
    (answer,) = body.answers
    assert (answer.content, answer.reasoning, answer.finish_reason) == ("Yes", "Hm", None)
    assert [(part.phase, part.item) for part in answer.parts] == [("final_answer", 1)]
    assert [call.arguments for call in answer.tool_calls] == ['{"a"']
    assert answer.chunks is not None and "".join(delta.content or "" for delta in answer.chunks) == "Yes"


def test_a_messages_stream_makes_the_message_of_a_plain_request() -> None:
    body = read_body(
        [
            {
                "type": "message_start",
                "message": {"id": "m", "model": "c", "role": "assistant", "usage": {"input_tokens": 3}},
            },
            {"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": ""}},
            {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "Hm"}},
            {"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}},
            {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "Yes."}},
            {
                "type": "content_block_start",
                "index": 2,
                "content_block": {"type": "tool_use", "id": "t", "name": "f", "input": {}},
            },
            {
                "type": "content_block_delta",
                "index": 2,
                "delta": {"type": "input_json_delta", "partial_json": '{"a": 1}'},
            },
            {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 9}},
            {"type": "message_stop"},
        ]
    )
    plain = read_body(
        claude(
            {"type": "thinking", "thinking": "Hm"},
            {"type": "text", "text": "Yes."},
            {"type": "tool_use", "id": "t", "name": "f", "input": '{"a": 1}'},
            stop="tool_use",
            id="m",
            model="c",
            usage={"input_tokens": 3, "output_tokens": 9},
        )
    )
    assert body is not None and plain is not None and body.complete
    assert without_stream(body) == without_stream(plain)


def test_a_chat_stream_makes_the_message_of_a_plain_request() -> None:
    usage = {"prompt_tokens": 3, "completion_tokens": 9, "completion_tokens_details": {"reasoning_tokens": 2}}
    streamed = read_body(
        [
            chunk(role="assistant", content="") | {"id": "x", "model": "m", "created": 1796043304},
            chunk(reasoning="Hm"),
            chunk(tool_calls=[{"index": 0, "id": "c1", "function": {"name": "f", "arguments": ""}}]),
            chunk(tool_calls=[{"index": 0, "function": {"arguments": '{"a": 1}'}}]),
            {"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]},
            {"object": "chat.completion.chunk", "choices": [], "usage": usage, "system_fingerprint": "vllm-0.33.0-x"},
        ]
    )
    body = chat(content=None, reasoning="Hm", tool_calls=[CALL])
    body["choices"][0]["finish_reason"] = "tool_calls"
    plain = read_body(
        body | {"id": "x", "model": "m", "created": 1796043304, "usage": usage, "system_fingerprint": "vllm-0.33.0-x"}
    )
    assert streamed is not None and plain is not None and streamed.complete
    assert without_stream(streamed) == without_stream(plain)


THINKING: dict[str, list[dict[str, Any]]] = {
    "blocks": [
        chunk(role="assistant", content=[{"type": "thinking", "thinking": [{"type": "text", "text": "H"}]}]),
        chunk(content=[{"type": "thinking", "thinking": [{"type": "text", "text": "m"}]}]),
        chunk(content=[{"type": "text", "text": "Ye"}]),
        chunk(content="s."),
    ],
    "field": [chunk(role="assistant", thinking="H"), chunk(thinking="m"), chunk(content="Ye"), chunk(content="s.")],
    "both in one chunk": [
        chunk(content=[{"type": "thinking", "thinking": "Hm"}, {"type": "text", "text": "Ye"}]),
        chunk(content="s."),
    ],
}


@pytest.mark.parametrize("chunks", THINKING.values(), ids=THINKING)
def test_a_chat_stream_keeps_thinking_as_a_plain_response_does(chunks: list[dict[str, Any]]) -> None:
    streamed = one(chunks)
    plain = one(chat(content="Yes.", thinking="Hm"))
    for field in ("content", "content_state", "reasoning", "reasoning_fields", "reasoning_state"):
        assert getattr(streamed, field) == getattr(plain, field)
    assert streamed.chunks is not None and "".join(delta.reasoning or "" for delta in streamed.chunks) == "Hm"


def test_thoughts_under_two_names_in_one_delta_are_counted_once() -> None:
    answer = one([chunk(reasoning="H", thinking="H"), chunk(reasoning="m", thinking="m"), chunk(content="Yes.")])
    assert (answer.reasoning, answer.reasoning_fields) == ("Hm", {"reasoning": "Hm"})


def test_hidden_thoughts_and_calls_in_the_blocks_of_a_delta_are_not_lost() -> None:
    hidden = {"type": "redacted_thinking", "data": "x"}
    call = {"type": "tool_use", "id": "t", "name": "f", "input": {"a": 1}}
    answer = one([chunk(content=[hidden, {"type": "text", "text": "Yes."}, call])])
    assert (answer.content, answer.reasoning_state) == ("Yes.", "redacted")
    assert [(called.name, called.arguments) for called in answer.tool_calls] == [("f", '{"a":1}')]


def test_a_null_among_the_keys_of_a_block_says_nothing_of_its_kind() -> None:
    blocks = [
        {"text": None, "reasoningContent": {"reasoningText": {"text": "Hm"}}, "toolUse": None},
        {"text": "Yes.", "reasoningContent": None, "toolUse": None},
    ]
    answer = one({"output": {"message": {"content": blocks}}, "stopReason": "end_turn"})
    assert (answer.content, answer.reasoning) == ("Yes.", "Hm")
    events = [
        {"contentBlockDelta": {"delta": {"text": "Yes."}}, "messageStop": None},
        {"contentBlockDelta": None, "messageStop": {"stopReason": "end_turn"}},
    ]
    assert (one(events).content, one(events).finish_reason) == ("Yes.", "stop")
    assert read_body([{"contentBlockDelta": None, "messageStop": None}]) is None


def without_stream(body: Body) -> Body:
    body.dialect, body.streamed = "", False
    for answer in body.answers:
        answer.chunks = None
    return body


SCHEMA = {"type": "object", "required": ["a"]}
WRAPPED = {"type": "json_schema", "json_schema": {"schema": SCHEMA}}
NAMED = {"type": "json_schema", "json_schema": {"name": "n", "schema": SCHEMA}}

REQUESTED: list[tuple[dict[str, Any], dict[str, Any] | None]] = [
    ({"response_format": {"type": "json_object"}}, {"type": "json_object"}),
    ({"response_format": NAMED}, NAMED),
    ({"response_format": {"type": "text"}}, None),
    ({"response_format": None}, None),
    ({"text": {"format": {"type": "json_schema", "name": "n", "schema": SCHEMA}}}, NAMED),
    ({"text": {"format": {"type": "text"}}}, None),
    ({"output_config": {"format": {"type": "json_schema", "schema": SCHEMA}}}, WRAPPED),
    ({"guided_json": SCHEMA}, WRAPPED),
    ({"guided_json": '{"type": "object", "required": ["a"]}'}, WRAPPED),
    ({"extra_body": {"guided_json": SCHEMA}}, WRAPPED),
    ({"guided_regex": "a+"}, {"type": "regex", "regex": "a+"}),
    ({"guided_choice": ["a", "b"]}, {"type": "choice", "choice": ["a", "b"]}),
    ({"guided_grammar": "root"}, {"type": "grammar", "grammar": "root"}),
    ({"ebnf": "root"}, {"type": "grammar", "grammar": "root"}),
    ({"structured_outputs": {"json": SCHEMA}}, WRAPPED),
    ({"structured_outputs": {"choice": ["a"]}}, {"type": "choice", "choice": ["a"]}),
    ({"structured_outputs": {"json_object": True}}, {"type": "json_object"}),
    ({}, None),
]


@pytest.mark.parametrize(("sent", "wanted"), REQUESTED)
def test_a_requested_format_is_told_in_one_form(sent: dict[str, Any], wanted: dict[str, Any] | None) -> None:
    request = read_request({"model": "m", **sent})
    assert request.response_format == wanted
    assert request.response_format_state == ("none" if wanted is None else "present")


SWITCHES: list[tuple[dict[str, Any], str, object]] = [
    # (body, field, value)
    ({"tool_choice": {"type": "function", "function": {"name": "f"}}}, "tool_choice", "f"),
    ({"tool_choice": {"type": "function", "name": "f"}}, "tool_choice", "f"),
    ({"tool_choice": {"type": "any"}}, "tool_choice", "required"),
    ({"tool_choice": {"type": "tool", "name": "f"}}, "tool_choice", "f"),
    ({"tool_choice": "none"}, "tool_choice", "none"),
    ({"toolConfig": {"toolChoice": {"auto": {}}, "tools": []}}, "tool_choice", "auto"),
    ({"tools": [{"type": "function", "function": {"name": "f"}}]}, "tool_choice", "auto"),
    ({}, "tool_choice", None),
    ({"stop": "<END>"}, "stop", ("<END>",)),
    ({"stop_sequences": ["a", 1, "b"]}, "stop", ("a", "b")),
    ({"inferenceConfig": {"stopSequences": ["a"], "maxTokens": 9}}, "stop", ("a",)),
    ({"inferenceConfig": {"maxTokens": 9}}, "max_tokens", 9),
    ({"max_completion_tokens": 9, "max_tokens": 3}, "max_tokens", 9),
    ({"max_tokens": "many"}, "max_tokens", None),
    ({"stream": True}, "stream", True),
    ({}, "stream", False),
    ({"n": 2}, "choices_requested", 2),
    ({"reasoning_effort": "low"}, "reasoning_effort", "low"),
    ({"reasoning": {"effort": "high"}}, "reasoning_effort", "high"),
    ({"reasoning_effort": {"effort": "high", "summary": "auto"}}, "reasoning_effort", "high"),
    ({"output_config": {"effort": "medium"}}, "reasoning_effort", "medium"),
    ({"chat_template_kwargs": {"enable_thinking": False}}, "chat_template_kwargs", {"enable_thinking": False}),
    ({"extra_body": {"chat_template_kwargs": {"thinking": True}}}, "chat_template_kwargs", {"thinking": True}),
    ({"thinking": {"type": "disabled"}}, "chat_template_kwargs", {"thinking": False}),
    ({"enable_thinking": False}, "chat_template_kwargs", {"enable_thinking": False}),
    ({}, "chat_template_kwargs", {}),
    ({"thinking": {"type": "enabled", "budget_tokens": 2000}}, "thinking_token_budget", 2000),
    ({"thinking_token_budget": 64}, "thinking_token_budget", 64),
    ({"include_reasoning": False}, "include_reasoning", False),
    ({"separate_reasoning": False}, "separate_reasoning", False),
    ({"skip_special_tokens": False}, "skip_special_tokens", False),
    ({"system": [{"type": "text", "text": "Be brief."}]}, "instructions", "Be brief."),
    ({"instructions": "Be brief."}, "instructions", "Be brief."),
    ({"user": "desk-3"}, "caller", "desk-3"),
    ({"additionalModelRequestFields": {"reasoning_effort": "low"}}, "reasoning_effort", "low"),
]


@pytest.mark.parametrize(("sent", "field", "value"), SWITCHES)
def test_a_request_field_is_read_whatever_the_api_calls_it(sent: dict[str, Any], field: str, value: object) -> None:
    assert getattr(read_request({"model": "m", **sent}), field) == value


def test_what_a_log_does_not_keep_of_a_request_stays_unknown() -> None:
    nothing = read_request(None)
    assert (nothing.tools, nothing.stop, nothing.stream, nothing.messages) == (None, None, None, None)
    assert nothing.response_format_state == "unknown"
    part = read_request({"messages": [{"role": "user", "content": "A"}]}, whole_body=False)
    assert (part.stream, part.chat_template_kwargs, part.tools) == (None, None, ())


TOOLS: list[tuple[dict[str, Any], list[tuple[str, object, str]]]] = [
    ({"tools": [{"type": "function", "function": {"name": "f", "parameters": SCHEMA}}]}, [("f", SCHEMA, "function")]),
    ({"tools": [{"type": "function", "name": "f", "parameters": SCHEMA}]}, [("f", SCHEMA, "function")]),
    ({"tools": [{"name": "f", "input_schema": SCHEMA}]}, [("f", SCHEMA, "function")]),
    (
        {"toolConfig": {"tools": [{"toolSpec": {"name": "f", "inputSchema": {"json": SCHEMA}}}]}},
        [("f", SCHEMA, "function")],
    ),
    ({"functions": [{"name": "f", "parameters": SCHEMA}]}, [("f", SCHEMA, "function")]),
    ({"tools": [{"type": "web_search"}]}, [("web_search", None, "web_search")]),
    ({"tools": [None, 3, {"type": "function"}]}, []),
    ({}, []),
]


@pytest.mark.parametrize(("sent", "wanted"), TOOLS)
def test_tools_are_read_in_every_shape(sent: dict[str, Any], wanted: list[tuple[str, object, str]]) -> None:
    tools = read_request({"model": "m", **sent}).tools
    assert tools is not None
    assert [(tool.name, tool.parameters, tool.type) for tool in tools] == wanted


ASKED = {"role": "user", "content": "A"}
HISTORIES: list[tuple[dict[str, Any], list[tuple[str, str, str]], int, str | None]] = [
    # (body, (role, kind, content) of each message, position, last role)
    ({"messages": [ASKED]}, [("user", "message", "A")], 1, "user"),
    ({"prompt": "A"}, [("user", "message", "A")], 1, "user"),
    ({"prompt": ["A", "B"]}, [("user", "message", "A"), ("user", "message", "B")], 1, "user"),
    ({"input": "A"}, [("user", "message", "A")], 1, "user"),
    (
        {
            "messages": [
                ASKED,
                {"role": "assistant", "tool_calls": [CALL]},
                {"role": "tool", "content": "ok", "tool_call_id": "c1"},
            ]
        },
        [("user", "message", "A"), ("assistant", "message", ""), ("tool", "message", "ok")],
        2,
        "tool",
    ),
    (
        {
            "input": [
                ASKED,
                {"type": "reasoning", "summary": []},
                {"type": "function_call", "name": "f", "arguments": "{}", "call_id": "c"},
                {"type": "function_call_output", "call_id": "c", "output": "ok"},
                {"type": "message", "role": "assistant", "content": [SAID]},
            ]
        },
        [
            ("user", "message", "A"),
            ("assistant", "reasoning", ""),
            ("assistant", "function_call", ""),
            ("tool", "function_call_output", "ok"),
            ("assistant", "message", "Yes."),
        ],
        3,
        "assistant",
    ),
    (
        {
            "messages": [
                ASKED,
                {
                    "role": "assistant",
                    "content": [{"type": "thinking", "thinking": "Hm"}, {"type": "text", "text": "B"}],
                },
                {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "ok"}]},
            ]
        },
        [
            ("user", "message", "A"),
            ("assistant", "thinking", ""),
            ("assistant", "message", "B"),
            ("tool", "message", "ok"),
        ],
        2,
        "tool",
    ),
    ({"messages": []}, [], 1, None),
]


@pytest.mark.parametrize(("sent", "messages", "position", "last"), HISTORIES)
def test_the_history_is_read_from_every_api(
    sent: dict[str, Any], messages: list[tuple[str, str, str]], position: int, last: str | None
) -> None:
    request = read_request(sent)
    assert request.messages is not None
    assert [(message.role, message.kind, message.content) for message in request.messages] == messages
    assert (request.position, request.last_role) == (position, last)


@pytest.mark.parametrize("name", ["reasoning", "reasoning_content", "thinking"])
def test_reasoning_sent_back_is_read_with_its_field(name: str) -> None:
    request = read_request({"messages": [{"role": "assistant", "content": "A", name: "Hm"}]})
    assert request.messages is not None
    assert (request.messages[0].reasoning, request.messages[0].reasoning_field) == ("Hm", name)

"""Single points of LiteLLM rows: what the log does not hold, what clients declare, what is no call."""

import json
from typing import Any

import pytest

from pipelines.formats import FORMATS, by_name
from pipelines.formats.format import Outcome, Place, Skipped
from pipelines.schema import Record, Remediation
from tests.formats_agree import disagreements
from tests.sample_files import SAMPLES, items

UNTRIMMED: dict[str, Any] = items(SAMPLES / "litellm" / "untrimmed.jsonl")[0][0]
PLAIN: dict[str, Any] = items(SAMPLES / "litellm" / "hand_made.jsonl")[0][7]


def read(**changes: Any) -> list[Outcome]:
    return list(by_name("litellm").parse(PLAIN | changes, Place("log", 0)))


def record(**changes: Any) -> Record:
    (found,) = read(**changes)
    assert isinstance(found, Record)
    return found


def metadata(**changes: Any) -> dict[str, Any]:
    return {**PLAIN["metadata"], **changes}


STATES: list[tuple[dict[str, Any], str]] = [
    ({"response": {}}, "absent"),
    ({"response": None}, "absent"),
    ({"response": {}, "metadata": metadata(cold_storage_object_key="2026/11/30/x.json")}, "external_ref"),
    ({"response": "redacted-by-litellm"}, "redacted"),
    ({"response": {"text": "redacted-by-litellm"}}, "redacted"),
]


@pytest.mark.parametrize(("changes", "state"), STATES)
def test_an_answer_that_the_log_does_not_hold_is_a_record_without_a_body(changes: dict[str, Any], state: str) -> None:
    found = record(**changes)
    assert (found.content_state, found.body_logged, found.content, found.finish_reason) == (state, False, None, None)
    assert (found.reasoning_state, found.tool_calls_state) == ("dropped_by_format", "dropped_by_format")


STAND_IN = {
    "id": "chatcmpl-01234567-89ab-4def-8123-456789abcdef",
    "model": None,
    "object": "chat.completion",
    "choices": [
        {"finish_reason": "stop", "index": 0, "message": {"content": "redacted-by-litellm", "tool_calls": None}}
    ],
}


@pytest.mark.parametrize(
    "changes", [{}, {"stream": True, "model_parameters": {"n": 2}}, {"error_str": "Client disconnected the request"}]
)
def test_a_stand_in_for_a_redacted_answer_tells_nothing_of_it(changes: dict[str, Any]) -> None:
    found = record(response=STAND_IN, **changes)
    assert (found.content_state, found.body_logged, found.content) == ("redacted", False, None)
    assert (found.finish_reason, found.response_id) == (None, None)
    assert found.reasoning_state in ("redacted", "dropped_by_format")
    assert found.tool_calls_state in ("redacted", "dropped_by_format")


def test_a_cut_answer_that_is_redacted_is_one() -> None:
    response = json.loads(json.dumps(PLAIN["response"]))
    response["choices"][0]["message"] |= {"content": "redacted-by-litellm"}
    assert record(response=response, error_str="Client disconnected the request").content_state == "redacted"
    response["choices"][0]["message"] |= {"content": ""}
    assert read(response=response, error_str="Client disconnected the request") == [Skipped("client_disconnected")]


PROMPTS: list[tuple[list[str], bool, str]] = [
    # (the request's prompts, whether it is a stream, state of the one text)
    (["Which tide?"], True, "text"),
    (["Which tide?", "Which moon?"], True, "shuffled"),
    (["Which tide?", "Which moon?"], False, "text"),
]


@pytest.mark.parametrize(("prompts", "stream", "state"), PROMPTS)
def test_the_answers_to_a_list_of_prompts_are_glued_in_streams(prompts: list[str], stream: bool, state: str) -> None:
    found = record(
        call_type="atext_completion",
        metadata=metadata(user_api_key_request_route="/v1/completions"),
        messages=[{"role": "user", "content": prompt} for prompt in prompts],
        model_parameters={"stream": stream},
    )
    assert (found.content_state, found.choices_merged) == (state, state == "shuffled")


def test_several_messages_of_a_chat_are_no_list_of_prompts() -> None:
    found = record(messages=[{"role": "user", "content": "Tide?"}] * 2, model_parameters={"stream": True})
    assert (found.content_state, found.choices_merged) == ("text", False)


NO_TURNS: list[tuple[dict[str, Any], str]] = [
    ({"status": "failure"}, "failed"),
    ({"call_type": "aimage_generation"}, "not_a_call"),
    ({"call_type": "acreate_batch"}, "not_a_call"),
    ({"response": {"object": "list", "data": []}}, "no_body"),
    ({"response": "text of no known shape"}, "no_body"),
    ({"response": {"choices": []}}, "no_body"),
    ({"response": {"output": [], "error": {"message": "no"}, "status": "failed", "object": "response"}}, "failed"),
]


@pytest.mark.parametrize(("changes", "reason"), NO_TURNS)
def test_a_row_without_an_answer_is_skipped_with_its_reason(changes: dict[str, Any], reason: str) -> None:
    assert read(**changes) == [Skipped(reason)]


@pytest.mark.parametrize(
    "names",
    [
        ("messages",),
        ("response",),
        ("messages", "response"),
        ("hidden_params", "model_map_information", "model_parameters", "response_cost"),
        ("messages", "litellm_call_id", "hidden_params"),
    ],
    ids=" ".join,
)
def test_a_payload_without_the_fields_that_a_proxy_was_told_to_leave_out_is_one_still(names: tuple[str, ...]) -> None:
    row = {name: value for name, value in UNTRIMMED.items() if name not in names}
    assert [format.name for format in FORMATS if format.recognise(row)] == ["litellm"]
    (found,) = by_name("litellm").parse(row, Place("log", 0))
    assert isinstance(found, Record)
    if "response" in names:
        assert (found.content_state, found.body_logged) == ("absent", False)
        assert (found.reasoning_state, found.tool_calls_state) == ("dropped_by_format", "dropped_by_format")
    if "messages" in names:
        assert (found.messages, found.position, found.last_role) == (None, 0, None)
    if "model_parameters" in names:
        assert (found.tools, found.response_format_state, found.stop) == (None, "unknown", None)
    assert disagreements(json.dumps(row).encode()) == []


def test_versions_come_from_metadata_then_the_spend_logs_header_then_x_headers_then_tags() -> None:
    found = record(
        metadata=metadata(
            requester_metadata={"template_version": "by metadata"},
            spend_logs_metadata={"template_version": "by header", "reasoning_parser": "by header"},
            requester_custom_headers={
                "x-reasoning-parser": "by x",
                "x-tool-call-parser": "by x",
                "x-forwarded-for": "1.2.3.4",
            },
        ),
        request_tags=["tool_call_parser:by tag", "model_version: 7", "nightly", "http://x:1"],
    )
    assert (found.template_version, found.reasoning_parser) == ("by metadata", "by header")
    assert (found.tool_call_parser, found.model_version) == ("by x", "7")
    assert found.ignored_metadata == ()


UUID = "01234567-89ab-4def-8123-456789abcdef"
CONVERSATIONS: list[tuple[dict[str, Any], str]] = [
    # (the client's metadata, how the conversation of a row with that trace id is found)
    ({"requester_metadata": {}}, "first_message"),
    ({"requester_metadata": {"trace_id": UUID}}, "trace"),
    ({"requester_metadata": {"user_id": f"u_1_session_{UUID}"}}, "trace"),
    ({"requester_metadata": {"headers": {"baggage": f"session.id={UUID}"}}}, "trace"),
    ({"requester_metadata": None, "requester_custom_headers": {"x-litellm-session-id": UUID}}, "trace"),
    ({"requester_metadata": {"session_id": UUID, "trace_id": UUID}}, "session"),
    ({"requester_metadata": {"session_id": UUID, "litellm_session_id_generated": True}}, "first_message"),
    ({"requester_metadata": {"session_id": UUID, "litellm_session_id_generated": False}}, "session"),
]


@pytest.mark.parametrize(("changes", "source"), CONVERSATIONS)
def test_a_uuid_makes_a_conversation_where_the_row_shows_that_the_client_sent_it(
    changes: dict[str, Any], source: str
) -> None:
    row = PLAIN | {"trace_id": UUID, "session_id": "", "metadata": metadata(**changes)}
    found = record(**row)
    assert found.conversation_source == source
    assert (found.conversation == UUID) is (source != "first_message")
    assert disagreements(json.dumps(row).encode()) == []


OWN_COUNT = {"reasoning_tokens": 0, "text_tokens": 22}
PAIRS: list[tuple[str, object, set[str]]] = [
    # (content of a stream, details of its completion tokens, flags)
    ("<think>Look.</think>Yes.", {"reasoning_tokens": 13}, {"think_inserted"}),
    ("<think>Look.</think>Yes.", {"reasoning_tokens": 0}, set()),
    ("<think>Look.</think>Yes.", OWN_COUNT, {"think_inserted_possible"}),
    ("<think>Look.</think>Yes.", {}, {"think_inserted_possible"}),
    ("<think>Look.</think>Yes.", None, {"think_inserted_possible"}),
    ("<think>Look.", None, {"think_inserted_possible"}),
    ("<think>\nLook.\n</think>\n\nYes.", {"reasoning_tokens": 13}, set()),
    ("<think>\nLook.\n</think>\n\nYes.", None, set()),
    ("<think>Look.</think>\n\nYes.", OWN_COUNT, set()),
    ("So: <think>Look.</think>Yes.", OWN_COUNT, set()),
]


@pytest.mark.parametrize(("content", "details", "flags"), PAIRS)
@pytest.mark.parametrize("stream", [True, False])
def test_a_pair_in_a_stream_is_the_gateways_where_the_engine_counted_reasoning_and_may_be_where_nobody_did(
    content: str, details: object, flags: set[str], stream: bool
) -> None:
    response = json.loads(json.dumps(PLAIN["response"]))
    response["choices"][0]["message"] |= {"content": content, "provider_specific_fields": None}
    response["usage"] = {"prompt_tokens": 11, "completion_tokens": 22, "completion_tokens_details": details}
    row = PLAIN | {"stream": stream or None, "response": response}
    found = {flag for flag in record(**row).gateway_rewrites if flag.startswith("think_inserted")}
    assert found == (flags if stream else set())
    assert disagreements(json.dumps(row).encode()) == []


BODIES: list[tuple[dict[str, Any], str]] = [
    # (further keys of the client's body, how the conversation is found)
    ({}, "first_message"),
    ({"litellm_session_id": UUID}, "trace"),
    ({"metadata": {"requester_metadata": {"trace_id": UUID}}}, "trace"),
    ({"messages": [{"role": "user", "content": f"What is {UUID}?"}]}, "first_message"),
    ({"litellm_session_id": UUID, "metadata": {"litellm_session_id_generated": True}}, "first_message"),
]


@pytest.mark.parametrize(("changes", "source"), BODIES)
def test_a_uuid_in_the_session_column_is_the_clients_where_the_body_holds_it(
    changes: dict[str, Any], source: str
) -> None:
    row = items(SAMPLES / "spendlogs" / "rows.jsonl")[0][0]
    body = {"messages": [{"role": "user", "content": "Which tide?"}], "metadata": {}, **changes}
    (found,) = by_name("litellm_spendlogs").parse(
        row | {"session_id": UUID, "proxy_server_request": json.dumps(body)}, Place("log", 0)
    )
    assert isinstance(found, Record)
    assert found.conversation_source == source


@pytest.mark.parametrize("nothing", [None, "", 7, {}, []], ids=repr)
@pytest.mark.parametrize("key", ["template_version", "conversation", "request_id"])
def test_what_is_no_text_hides_no_header_and_no_tag(key: str, nothing: object) -> None:
    given = metadata(requester_metadata={key: nothing}, spend_logs_metadata={key: nothing})
    for row in (
        PLAIN | {"metadata": given | {"requester_custom_headers": {"x-" + key.replace("_", "-"): "set"}}},
        PLAIN | {"metadata": given, "request_tags": [f"{key}:set"]},
        PLAIN | {"metadata": given | {"spend_logs_metadata": {key: "set"}}},
    ):
        found = record(**row)
        assert "set" in (found.template_version, found.conversation, found.trace_id)
        assert found.ignored_metadata == ()
        assert disagreements(json.dumps(row).encode()) == []


def test_a_key_without_a_value_is_not_counted_as_one_that_nothing_is_read_from() -> None:
    row = PLAIN | {"metadata": metadata(requester_metadata={"desk": None, "team": "north", "remediation": None})}
    assert record(**row).ignored_metadata == ("team",)
    assert disagreements(json.dumps(row).encode()) == []


@pytest.mark.parametrize("place", ["requester_metadata", "spend_logs_metadata"])
def test_what_a_remediation_layer_logged_in_metadata_is_read_from_either_place(place: str) -> None:
    row = PLAIN | {"metadata": metadata(**{place: {"remediation": {"action": "strip", "extra_tokens": 7}}})}
    found = record(**row)
    assert (found.remediation, found.remediation_visible) == ((Remediation("strip", 7),), True)
    assert found.ignored_metadata == ()
    assert disagreements(json.dumps(row).encode()) == []


COPIES: list[tuple[object, bool, set[str]]] = [
    # (the message's own fields, answered from the cache, flags of a moved pair)
    ({"reasoning": "\nLook.\n"}, False, set()),
    ({"reasoning": "\nLook.\n"}, True, set()),
    ({"reasoning": None}, False, set()),
    ({"reasoning": None}, True, {"think_stripped"}),
    ({}, True, {"think_stripped"}),
    (None, False, {"think_stripped"}),
]


@pytest.mark.parametrize(("copies", "cached", "flags"), COPIES)
def test_a_pair_is_moved_out_of_a_cached_answer_also_where_the_engine_had_an_empty_reasoning(
    copies: object, cached: bool, flags: set[str]
) -> None:
    response = json.loads(json.dumps(PLAIN["response"]))
    response["choices"][0]["message"] |= {
        "content": "\n\nYes.",
        "reasoning_content": "\nLook.\n",
        "provider_specific_fields": copies,
    }
    response["choices"][0]["provider_specific_fields"] = {}
    row = PLAIN | {"cache_hit": cached, "response": response}
    assert {flag for flag in record(**row).gateway_rewrites if flag.startswith("think")} == flags
    assert disagreements(json.dumps(row).encode()) == []


def test_a_client_cannot_declare_what_the_gateway_knows_better() -> None:
    found = record(metadata=metadata(requester_metadata={"model": "other", "gateway": "other", "engine": "vllm"}))
    assert (found.model, found.gateway, found.engine) == (None, "litellm", "vllm")


def test_the_gateways_own_keys_are_no_metadata_of_the_team() -> None:
    mixed = {
        "headers": {},
        "trace_id": "x",
        "used_client_oauth_token": False,
        "user_api_key_alias": "x",
        "desk": "north",
    }
    assert record(metadata=metadata(requester_metadata=mixed)).ignored_metadata == ("desk",)


def test_a_request_that_hides_the_reasoning_leaves_it_unknown() -> None:
    assert record().reasoning_state == "empty"
    assert record(model_parameters={"include_reasoning": False}).reasoning_state == "dropped_by_format"


@pytest.mark.parametrize("stream", [True, False])
def test_text_completions_show_neither_reasoning_nor_calls(stream: bool) -> None:
    found = record(
        call_type="atext_completion",
        metadata=metadata(user_api_key_request_route="/v1/completions"),
        model_parameters={"stream": stream},
    )
    assert found.api == "completions"
    assert (found.reasoning_state, found.tool_calls_state) == ("dropped_by_format", "dropped_by_format")


def test_spend_logs_without_stored_prompts_show_that_a_call_was_there() -> None:
    row = items(SAMPLES / "spendlogs" / "rows.jsonl")[0][0] | {"response": "{}", "proxy_server_request": "{}"}
    (found,) = by_name("litellm_spendlogs").parse(row, Place("log", 0))
    assert isinstance(found, Record)
    assert (found.content_state, found.body_logged) == ("absent", False)
    assert (found.tools, found.messages, found.stream, found.response_format_state) == (None, None, None, "unknown")
    assert found.model_deployed == "qwen-thinking-v33"


def test_both_tables_of_one_call_make_the_same_turn() -> None:
    payloads = {row["litellm_call_id"]: row for row in items(SAMPLES / "litellm" / "payloads.jsonl")[0]}
    shared = [row for row in items(SAMPLES / "spendlogs" / "rows.jsonl")[0] if row["litellm_call_id"] in payloads]
    assert len(shared) >= 5
    for row in shared:
        (one,) = by_name("litellm_spendlogs").parse(row, Place("log", 0))
        (other,) = by_name("litellm").parse(payloads[row["litellm_call_id"]], Place("log", 0))
        assert isinstance(one, Record) and isinstance(other, Record)
        for field in (
            "call_id",
            "conversation",
            "time",
            "model_deployed",
            "content",
            "reasoning",
            "finish_reason",
            "tools",
            "api",
        ):
            assert getattr(one, field) == getattr(other, field), field

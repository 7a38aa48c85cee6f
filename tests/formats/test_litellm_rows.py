"""Single points of LiteLLM rows: what the log does not hold, what clients declare, what is no call."""

from typing import Any

import pytest

from pipelines.formats import by_name
from pipelines.formats.format import Outcome, Place, Skipped
from pipelines.schema import Record
from tests.sample_files import SAMPLES, items

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

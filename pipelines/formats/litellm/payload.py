"""LiteLLM StandardLoggingPayload: what the s3, gcs, azure, generic_api, custom callback and table sinks write for each call.

One object a line, one a file, or an array of them; ClickHouse and Zerobus tables have the same fields in columns, objects as JSON text.
"""

from collections.abc import Iterable

from pipelines.formats._dialects import Request, read_parameters
from pipelines.formats.format import Format, Item, Outcome, Place, Rejected
from pipelines.formats.litellm.call import Call, read_call
from pipelines.formats.litellm.light import light_reader
from pipelines.formats.litellm.names import as_sent, session_is_generated, weight_version
from pipelines.formats.litellm.team import header_metadata, own_metadata, tag_metadata
from pipelines.formats.values import Mapping, decoded, filled, mapping, seconds, text

_DISCONNECTED = "Client disconnected the request"


_TEXTS = frozenset({"response", "messages"})
_DEPLOYMENT = frozenset({"model_group", "model_id", "hidden_params"})
_OWN = frozenset(
    {
        "litellm_call_id",
        "hidden_params",
        "model_map_information",
        "model_parameters",
        "standard_built_in_tools_params",
        "guardrail_information",
    }
)
"""Fields of payloads and of nothing else; `standard_logging_payload_excluded_fields` may take any field out of them all."""


def recognise(item: Item) -> bool:
    """A payload has LiteLLM's call type beside texts or fields of its own, and no SpendLogs column."""
    row = _payload(item)
    named = {"call_type", "custom_llm_provider"} <= row.keys() and "proxy_server_request" not in row
    whole = row.keys() >= _TEXTS and not _DEPLOYMENT.isdisjoint(row)
    return named and (whole or ("request_id" not in row and not _OWN.isdisjoint(row)))


def parse(item: Item, place: Place) -> Iterable[Outcome]:
    row = _payload(item)
    if not row:
        return (Rejected("not_an_object", "a payload is a JSON object"),)
    return read_call(_call(row), place)


def _payload(item: object) -> Mapping:
    """The payload itself; a custom callback may write the whole `kwargs` around it."""
    row = mapping(item)
    return mapping(row.get("standard_logging_object")) or row


def _call(row: Mapping) -> Call:
    metadata = mapping(decoded(row.get("metadata")))
    hidden = mapping(decoded(row.get("hidden_params")))
    requester = mapping(metadata.get("requester_metadata"))
    key = filled(metadata.get("user_api_key_hash"), row.get("api_key_hash"), row.get("api_key"))
    end_user = filled(row.get("end_user"))
    made = session_is_generated(requester)
    request = _request(row)
    response = decoded(row.get("response"))
    return Call(
        format="litellm",
        source_id=filled(row.get("id"), row.get("request_id")),
        call_id=filled(row.get("litellm_call_id")),
        trace_id=filled(row.get("trace_id")),
        sessions=() if made else (filled(requester.get("session_id")), filled(row.get("session_id"))),
        sent=() if made else as_sent(requester, metadata.get("requester_custom_headers")),
        call_type=text(row.get("call_type")) or "",
        route=text(metadata.get("user_api_key_request_route")) or "",
        failed=row.get("status") == "failure",
        disconnected=row.get("error_str") == _DISCONNECTED,
        cached=row.get("cache_hit") is True,
        streamed=row.get("stream") is True or request.stream is True,
        stream_known="stream" in row or isinstance(decoded(row.get("model_parameters")), dict),
        time=seconds(row.get("startTime", row.get("start_time"))) or seconds(row.get("endTime", row.get("end_time"))),
        provider=filled(row.get("custom_llm_provider")),
        api_base=filled(row.get("api_base"), hidden.get("api_base")),
        model_id=filled(row.get("model_id")),
        model_group=filled(row.get("model_group")),
        deployed=filled(hidden.get("litellm_model_name"), row.get("model")),
        caller="|".join((key or "", end_user or "")) if key or end_user else None,
        request=request,
        weight_version=weight_version(response),
        stored_elsewhere=bool(metadata.get("cold_storage_object_key")),
        metadata=own_metadata(
            requester,
            decoded(metadata.get("spend_logs_metadata")),
            header_metadata(metadata.get("requester_custom_headers")),
            tag_metadata(decoded(row.get("request_tags"))),
        ),
        response=response,
        guardrails=decoded(row.get("guardrail_information")),
    )


def _request(row: Mapping) -> Request:
    """Parameters and history; a sink without `model_parameters` leaves tools, format and stop unknown."""
    parameters = decoded(row.get("model_parameters"))
    asked = read_parameters(mapping(parameters), decoded(row.get("messages")))
    if isinstance(parameters, dict):
        return asked
    return Request(messages=asked.messages, position=asked.position, last_role=asked.last_role)


FORMAT = Format(
    name="litellm",
    title="LiteLLM StandardLoggingPayload",
    recognise=recognise,
    parse=parse,
    light=light_reader,
    shows=("content", "reasoning", "tool_calls", "tools", "messages", "finish_reason", "time"),
    sources=("LiteLLM 1.108.7: types/utils.py, litellm_core_utils/*.py and rows of a running proxy, 2026-11-30",),
)

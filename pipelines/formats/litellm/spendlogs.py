"""LiteLLM_SpendLogs rows: the proxy's database table, JSON columns as strings, long strings shortened, credentials masked.

The request is the client's own body (`proxy_server_request`), so template arguments are visible here, with keys that the proxy mixed in.
"""

from collections.abc import Iterable

from pipelines.formats._dialects import Request, read_request
from pipelines.formats.format import Format, Item, Outcome, Place
from pipelines.formats.litellm.call import Call, read_call
from pipelines.formats.litellm.names import as_sent, session_is_generated, weight_version
from pipelines.formats.litellm.team import REMEDIATION, header_metadata, own_metadata, tag_metadata
from pipelines.formats.litellm.truncation import shown_messages
from pipelines.formats.record import DECLARED
from pipelines.formats.values import Mapping, decoded, filled, mapping, seconds, text

_MASK = "REDACTED_BY_LITELM"
_TEXTS = ("messages", "input", "prompt", "system", "instructions", "tools")
"""Parts of a request that are no ids."""


def recognise(item: Item) -> bool:
    row = mapping(item)
    return {"request_id", "call_type"} <= row.keys() and (
        "proxy_server_request" in row or {"spend", "api_key"} <= row.keys()
    )


def parse(item: Item, place: Place) -> Iterable[Outcome]:
    return read_call(_call(mapping(item)), place)


def _call(row: Mapping) -> Call:
    metadata = mapping(decoded(row.get("metadata")))
    body = mapping(decoded(row.get("proxy_server_request")))
    mixed = {**mapping(body.get("litellm_metadata")), **mapping(body.get("metadata"))}
    request = _request(body, decoded(row.get("messages")))
    response = decoded(row.get("response"))
    made = session_is_generated(mixed)
    key, end_user = _unmasked(row.get("api_key")), filled(row.get("end_user"))
    return Call(
        format="litellm_spendlogs",
        source_id=filled(row.get("request_id")),
        call_id=filled(row.get("litellm_call_id"), metadata.get("litellm_call_id"), body.get("litellm_call_id")),
        trace_id=filled(row.get("session_id"), body.get("litellm_trace_id")),
        sessions=() if made else (filled(mapping(mixed.get("requester_metadata")).get("session_id")),),
        sent=() if made else as_sent({name: value for name, value in body.items() if name not in _TEXTS}),
        call_type=text(row.get("call_type")) or "",
        route=_unmasked(mixed.get("user_api_key_request_route")) or "",
        failed="failure" in (row.get("status"), metadata.get("status")),
        disconnected=mapping(metadata.get("error_information")).get("error_message")
        == "Client disconnected the request",
        cached=row.get("cache_hit") in (True, "True", "true"),
        streamed=request.stream is True,
        stream_known=bool(body),
        truncates=True,
        time=seconds(row.get("startTime")) or seconds(row.get("endTime")),
        provider=filled(row.get("custom_llm_provider")),
        api_base=filled(row.get("api_base")),
        model_id=filled(row.get("model_id")),
        model_group=filled(row.get("model_group")),
        deployed=filled(row.get("model")),
        caller="|".join((key or "", end_user or "")) if key or end_user else None,
        request=request,
        weight_version=weight_version(response),
        stored_elsewhere=bool(metadata.get("cold_storage_object_key")),
        metadata=own_metadata(
            _requester(mixed),
            decoded(metadata.get("spend_logs_metadata")),
            header_metadata(mixed.get("headers")),
            tag_metadata(decoded(row.get("request_tags"))),
        ),
        response=response,
        guardrails=decoded(metadata.get("guardrail_information")),
    )


def _request(body: Mapping, messages: object) -> Request:
    """The client's body; without it, what the `messages` column may hold."""
    if body:
        request = read_request(body)
    else:
        asked = read_request({"messages": messages} if isinstance(messages, list) and messages else {})
        request = Request(messages=asked.messages, position=asked.position, last_role=asked.last_role)
    request.messages = shown_messages(request.messages)
    return request


def _requester(mixed: Mapping) -> Mapping:
    """The metadata that the client sent; in versions that keep no copy of it, its known keys among the proxy's own."""
    sent = mixed.get("requester_metadata")
    return (
        mapping(sent)
        if isinstance(sent, dict)
        else {key: mixed[key] for key in (*DECLARED, REMEDIATION) if key in mixed}
    )


def _unmasked(value: object) -> str | None:
    return None if value == _MASK else filled(value)


FORMAT = Format(
    name="litellm_spendlogs",
    title="LiteLLM_SpendLogs rows",
    recognise=recognise,
    parse=parse,
    shows=("content", "reasoning", "tool_calls", "tools", "messages", "finish_reason", "time"),
    sources=("LiteLLM 1.108.7: proxy/spend_tracking/spend_tracking_utils.py and rows that it built, 2026-11-30",),
)

"""The record that all payload rows of one deployment with the same parameters share, made once and copied for each row."""

from collections.abc import Hashable
from functools import lru_cache
from typing import Any

import msgspec

from pipelines.formats._dialects import read_request
from pipelines.formats.format import Place
from pipelines.formats.litellm.call import Call, known_of
from pipelines.formats.litellm.rewrites import reasoning_is_dropped, rewrites_of_call
from pipelines.formats.litellm.row import Row
from pipelines.formats.litellm.team import header_metadata, own_metadata, tag_metadata
from pipelines.formats.record import finished, hide_reasoning
from pipelines.formats.values import decoded
from pipelines.schema import Record


def key_of(row: Row, requester: tuple[tuple[str, bytes], ...]) -> tuple[Hashable, ...]:
    """Everything that the made record depends on; `requester` is what the client's metadata shares with other rows."""
    metadata, response, hidden = row.metadata, row.response, row.hidden_params
    return (
        bytes(row.model_parameters),
        bytes(row.request_tags),
        bytes(metadata.spend_logs_metadata),
        bytes(metadata.requester_custom_headers),
        requester,
        row.stream,
        row.cache_hit,
        row.call_type,
        row.custom_llm_provider,
        row.api_base or (hidden and hidden.api_base),
        row.model_id,
        row.model_group,
        (hidden and hidden.litellm_model_name) or row.model,
        metadata.user_api_key_request_route,
        response.model,
        response.system_fingerprint,
        response.metadata and response.metadata.weight_version,
    )


@lru_cache(maxsize=1024)
def made_for(key: tuple[Any, ...]) -> Record | None:
    """The record of rows with this key, without ids and texts and as of an answer without reasoning; None where the parameters ask for
    something uncommon."""
    parameters, tags, spend, headers, requester, stream, cached, call_type, *names = key
    provider, api_base, model_id, model_group, deployed, route, model, fingerprint, weights = names
    request = read_request({**msgspec.json.decode(parameters, type=dict[str, Any]), "messages": []}, whole_body=False)
    if (request.choices_requested or 1) > 1 or request.previous_response_id is not None:
        return None
    call = Call(
        format="litellm",
        source_id=None,
        call_id="",
        call_type=call_type,
        route=route or "",
        cached=cached is True,
        streamed=stream is True or request.stream is True,
        provider=provider or None,
        api_base=api_base or None,
        model_id=model_id or None,
        model_group=model_group or None,
        deployed=deployed or None,
        request=request,
        weight_version=None if weights == "default" else weights or None,
        metadata=own_metadata(
            {name: msgspec.json.decode(value) for name, value in requester},
            decoded(json_of(spend)),
            header_metadata(json_of(headers)),
            tag_metadata(json_of(tags)),
        ),
    )
    return _made(call, model or None, fingerprint or None)


def _made(call: Call, model: str | None, fingerprint: str | None) -> Record:
    request = call.request
    asked = {name: value for name in request.__struct_fields__ if (value := getattr(request, name)) is not None}
    fields = {"api": "chat", "model_deployed": model, **asked, **_given(known_of(call)), "source_id": "", "light": True}
    record = finished(Place("", 0), fields, fingerprint=fingerprint, first=None)
    if record.conversation_source != "declared":
        record.conversation = None
    record.reasoning_state, record.tool_calls_state = "empty", "empty"
    rewrites = frozenset(rewrites_of_call(call, model, record.model_deployed))
    record.gateway_rewrites = rewrites
    if reasoning_is_dropped(record, call):
        record.reasoning_state = "dropped_by_format"
        record.gateway_rewrites = rewrites | {"reasoning_dropped"}
    return hide_reasoning(record)


def rewrites_with_reasoning(base: Record, moved: str | None) -> frozenset[str]:
    """What the gateway rewrote in a row with reasoning, which it then did not drop but may have moved."""
    rewrites = base.gateway_rewrites - {"reasoning_dropped"}
    return rewrites | {moved} if moved else rewrites


def _given(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def json_of(value: bytes) -> object:
    return msgspec.json.decode(value) if value else None

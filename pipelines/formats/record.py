"""The Record of one answer: what the request, the body and the envelope know, put together."""

from functools import lru_cache
from typing import Any

import msgspec
import re2

from pipelines.formats._dialects.body import Answer, Body, Request
from pipelines.formats.conversation import conversation_of, first_user_message
from pipelines.formats.format import Place
from pipelines.formats.values import Mapping, well_formed
from pipelines.schema import Record

_ENGINE = re2.compile(r"^(vllm|sglang)[-/ ]v?([0-9]+(?:\.[0-9A-Za-z]+)*(?:\+[0-9A-Za-z.]+)?)")
_PLAIN_VERSION = re2.compile(r"^v?([0-9]+(?:\.[0-9A-Za-z]+)+.*)$")

DECLARED = {
    "engine": "engine",
    "engine_version": "engine_version",
    "model": "model",
    "model_version": "model_version",
    "template_version": "template_version",
    "chat_template_version": "template_version",
    "chat_template": "template_version",
    "gateway": "gateway",
    "gateway_version": "gateway_version",
    "reasoning_parser": "reasoning_parser",
    "tool_call_parser": "tool_call_parser",
    "observation_point": "observation_point",
    "flattened_from": "flattened_from",
    "reasoning_end_str": "reasoning_end_str",
    "conversation": "declared_conversation",
    "request_id": "trace_id",
}
"""Metadata key that a team may set → field of the Record."""


def declared(metadata: Mapping) -> dict[str, str]:
    """The known keys of a team's own metadata as fields of the Record; the first name of a field wins, other keys are left out."""
    found: dict[str, str] = {}
    if metadata.keys().isdisjoint(DECLARED):
        return found
    for key, field in DECLARED.items():
        value = metadata.get(key)
        if isinstance(value, str) and value and field not in found:
            found[field] = value
    return found


def ignored(metadata: Mapping) -> tuple[str, ...]:
    """The keys of a team's own metadata that nothing is read from."""
    return tuple(key for key in metadata if isinstance(key, str) and key not in DECLARED)


def engine_of(fingerprint: object, declared_version: str | None = None) -> tuple[str | None, str | None]:
    """Engine and version from a system fingerprint `vllm-X.Y.Z…`, else from a declared version; None for what neither says."""
    return _engine(fingerprint if isinstance(fingerprint, str) else None, declared_version)


@lru_cache(maxsize=1024)
def _engine(fingerprint: str | None, declared_version: str | None) -> tuple[str | None, str | None]:
    for stamp in (fingerprint, declared_version):
        match = _ENGINE.match(well_formed(stamp)) if stamp else None
        if match:
            return match.group(1), match.group(2)
    plain = _PLAIN_VERSION.match(well_formed(declared_version)) if declared_version else None
    return None, plain.group(1) if plain else declared_version


def record_of(place: Place, request: Request, body: Body, answer: Answer, **known: object) -> Record:
    """One Record. `known` are the envelope's own fields and win; what they and the request leave open, the body fills.

    `declared_conversation`, `session` and `trace` (a client's own) in `known` decide the conversation together with the messages.
    """
    given = {name: value for name, value in known.items() if value is not None}
    fields = {**_of_body(body), **_asked(request, body.echo), **msgspec.structs.asdict(answer), **given}
    fields.setdefault("time", body.created)
    fields["source_id"] = fields.get("source_id") or body.id or f"{place.uri}#{place.position}"
    fields["session"] = fields.get("session") or body.conversation
    return finished(place, fields, fingerprint=body.fingerprint, first=first_user_message(request.messages))


def finished(place: Place, fields: dict[str, Any], *, fingerprint: str | None, first: str | None) -> Record:
    """The Record of these fields, with its engine, conversation and place."""
    engine, version = engine_of(fingerprint, fields.get("engine_version"))
    fields["engine"] = engine or fields.get("engine")
    fields["engine_version"] = version
    conversation, source = conversation_of(
        declared=fields.pop("declared_conversation", None),
        session=fields.pop("session", None),
        trace=fields.pop("trace", None),
        chain=fields.get("previous_response_id"),
        caller=fields.get("caller"),
        first=first,
        time=fields.get("time"),
    )
    if fields.get("previous_response_id"):
        fields["position"] = 0
    return Record(
        source_uri=place.uri,
        source_pos=place.position,
        conversation=conversation,
        conversation_source=source,
        **fields,
    )


def hide_reasoning(record: Record) -> Record:
    """The record, its reasoning unknown where the request asked the engine to leave it out of the response; text completions have
    neither reasoning nor calls, also where a gateway logs them as messages."""
    completions = record.api == "completions"
    if record.reasoning_state == "empty" and (completions or record.include_reasoning is False):
        record.reasoning_state = "dropped_by_format"
    if record.tool_calls_state == "empty" and completions:
        record.tool_calls_state = "dropped_by_format"
    return record


def rewrites_of_stream(body: Body, answer: Answer) -> frozenset[str]:
    """`stream_cut` where a stream ended before its last event, `finish_reason_lost` where `[DONE]` came, but no finish of this choice:
    whether its text is whole is then not known."""
    if not body.complete:
        return frozenset({"stream_cut"})
    return frozenset({"finish_reason_lost"} if body.streamed and answer.finish_reason is None else ())


def note_cut(record: Record) -> Record:
    """The record of a body whose end was cut off: the start of its text, and nothing that stands or falls with the rest."""
    record.content_state = "truncated" if record.content else "absent"
    record.reasoning, record.reasoning_fields, record.reasoning_state = None, {}, "dropped_by_format"
    record.tool_calls, record.tool_calls_state = (), "dropped_by_format"
    record.finish_reason = None
    return record


def _of_body(body: Body) -> dict[str, Any]:
    return {
        "api": body.api,
        "response_id": body.id,
        "usage": body.usage,
        "phases": body.phases,
        "previous_response_id": body.previous_response_id,
        "assembled_by": "us" if body.streamed else "engine",
        "model_deployed": body.model,
    }


def _asked(request: Request, echo: Request | None) -> dict[str, Any]:
    """The request's fields; what it leaves unknown, the response's echo of it may tell."""
    asked = msgspec.structs.asdict(request)
    if echo is not None:
        for name, value in msgspec.structs.asdict(echo).items():
            if value not in (None, "unknown", 0) and asked[name] in (None, "unknown", 0, ()):
                asked[name] = value
    return {name: value for name, value in asked.items() if value is not None}

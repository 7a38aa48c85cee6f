"""The records of one LiteLLM call, whichever of its logs the row comes from."""

from collections.abc import Iterator
from functools import lru_cache

import msgspec

from pipelines.formats._dialects import Body, Request, read_body
from pipelines.formats.format import Outcome, Place, Skipped
from pipelines.formats.litellm.names import api_of, bare_model, client_ids
from pipelines.formats.litellm.redaction import hide_history, is_redacted_response, read_redacted
from pipelines.formats.litellm.rewrites import note_rewrites
from pipelines.formats.litellm.team import REMEDIATION
from pipelines.formats.litellm.truncation import note_truncation
from pipelines.formats.record import declared, hide_reasoning, ignored, record_of
from pipelines.formats.remediation import read_remediation
from pipelines.formats.values import Mapping, mapping
from pipelines.schema import Record

_MEDIA = (
    "embedding",
    "image",
    "speech",
    "transcription",
    "moderation",
    "rerank",
    "search",
    "ocr",
    "video",
    "token_counter",
)
_STORES = ("file", "batch", "fine_tun", "assistant", "thread", "vector_store", "mcp", "skill", "container")
_OTHER_CALLS = (*_MEDIA, *_STORES, "get_", "list_", "delete_", "cancel_")
"""Parts of the call types that are no model call with a text answer."""
_GATEWAYS_OWN = ("gateway", "model")
"""Declared names that the gateway itself knows better than its clients."""


class Call(msgspec.Struct, kw_only=True):
    """What a row says about one call, before its response is read."""

    format: str
    source_id: str | None
    call_id: str | None
    """LiteLLM's own call id; None in rows of versions that had none."""
    trace_id: str | None = None
    sessions: tuple[str | None, ...] = ()
    """Where a client's own session id may stand, in the order in which it is believed."""
    sent: tuple[bytes, ...] = ()
    """What the client sent along with the request, as JSON: an id that stands in it is the client's."""
    call_type: str = ""
    route: str = ""
    """The path that the client called; "" where the log does not keep it."""
    failed: bool = False
    disconnected: bool = False
    cached: bool = False
    streamed: bool = False
    stream_known: bool = True
    """The log shows whether the call was a stream."""
    truncates: bool = False
    """The log shortens long strings."""
    time: float | None = None
    provider: str | None = None
    api_base: str | None = None
    model_id: str | None = None
    model_group: str | None = None
    deployed: str | None = None
    caller: str | None = None
    request: Request
    weight_version: str | None = None
    stored_elsewhere: bool = False
    """Request and response lie in cold storage, under a key that the row names."""
    metadata: Mapping = {}
    """The team's own keys: of the request's metadata, the spend-logs header and the custom headers."""
    response: object = None
    guardrails: object = None


def read_call(call: Call, place: Place) -> Iterator[Outcome]:
    """One record per choice, or why there is none."""
    hide_history(call.request)
    if call.failed:
        yield Skipped("failed")
    elif _is_other_call(call.call_type):
        yield Skipped("not_a_call")
    elif _is_bridged(call):
        yield Skipped("bridged_call")
    elif not call.response or is_redacted_response(call.response):
        yield _without_body(call, place)
    else:
        body = None if isinstance(call.response, str) else read_body(call.response)
        outcomes: list[Outcome] = list(_records(call, body, place)) if body else []
        yield from outcomes or [Skipped(_why_nothing(call, body))]


@lru_cache(maxsize=256)
def _is_other_call(call_type: str) -> bool:
    return any(word in call_type for word in _OTHER_CALLS)


def _why_nothing(call: Call, body: Body | None) -> str:
    if call.disconnected:
        return "client_disconnected"
    return "failed" if body is not None and body.failed else "no_body"


def _records(call: Call, body: Body, place: Place) -> Iterator[Record]:
    for answer in body.answers:
        read_redacted(answer)
        if call.truncates:
            note_truncation(answer)
        record = hide_reasoning(record_of(place, call.request, body, answer, **known_of(call)))
        note_rewrites(record, call, body, mapping(call.response))
        if not (call.disconnected and _is_nothing(record)):
            yield record


def _is_nothing(record: Record) -> bool:
    return not (record.content or record.reasoning or record.tool_calls or record.content_state == "redacted")


def _without_body(call: Call, place: Place) -> Record:
    """A call whose answer the log does not hold: redacted whole, or a table that stores no responses."""
    body = Body(dialect="none", api="unknown", answers=())
    known = known_of(call) | {"body_logged": False, "assembled_by": "unknown"}
    answer = read_body("", "plain_text").answers[0]  # type: ignore[union-attr]
    state = "redacted" if call.response else "external_ref" if call.stored_elsewhere else "absent"
    answer.content, answer.content_state = None, state
    return record_of(place, call.request, body, answer, **known)


def _is_bridged(call: Call) -> bool:
    """Versions without call ids log a plain Responses call on a chat upstream twice, without a common id: the inner chat row is left
    out. Of a streamed one they log the inner row only."""
    inner = call.call_type in ("completion", "acompletion") and call.route.endswith("/responses")
    return inner and call.call_id is None and not call.streamed


def known_of(call: Call) -> dict[str, object]:
    """The fields of the call's records that need no answer."""
    trace_id, session, trace = client_ids(call.trace_id, call.sessions, call.sent)
    actions, visible = read_remediation(call.guardrails, call.metadata.get(REMEDIATION))
    known: dict[str, object] = {
        "gateway": "litellm",
        "source_id": call.source_id,
        "call_id": call.call_id or call.source_id,
        "trace_id": trace_id,
        "session": session,
        "trace": trace,
        "time": call.time,
        "format": call.format,
        "provider": call.provider,
        "api_base": call.api_base.rstrip("/") if call.api_base else None,
        "model_id": call.model_id,
        "model_requested": call.model_group,
        "model_deployed": bare_model(call.deployed, call.provider),
        "model_version": call.weight_version,
        "caller": call.caller,
        "stream": call.streamed if call.stream_known else None,
        "assembled_by": "gateway" if call.streamed else "engine" if call.stream_known else "unknown",
        "remediation": actions,
        "remediation_visible": visible,
        "ignored_metadata": tuple(key for key in ignored(call.metadata) if key != REMEDIATION),
    }
    api = api_of(call.call_type, call.route)
    stated = {name: value for name, value in declared(call.metadata).items() if name not in _GATEWAYS_OWN}
    return {**known, **({"api": api} if api != "unknown" else {}), **stated}

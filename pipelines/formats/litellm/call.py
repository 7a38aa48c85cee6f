"""The records of one LiteLLM call, whichever of its logs the row comes from."""

from collections.abc import Iterator

import msgspec

from pipelines.formats._dialects import Body, Request, read_body
from pipelines.formats.format import Outcome, Place, Skipped
from pipelines.formats.litellm.redaction import hide_history, is_redacted_response, read_redacted
from pipelines.formats.litellm.rewrites import note_rewrites
from pipelines.formats.litellm.truncation import note_truncation
from pipelines.formats.record import DECLARED, declared, hide_reasoning, ignored, record_of
from pipelines.formats.remediation import read_remediation
from pipelines.formats.values import Mapping, filled, mapping
from pipelines.schema import Record

_APIS = {
    "completion": "chat",
    "acompletion": "chat",
    "text_completion": "completions",
    "atext_completion": "completions",
    "responses": "responses",
    "aresponses": "responses",
    "anthropic_messages": "messages",
}
_ROUTES = (
    ("/messages", "messages"),
    ("/responses", "responses"),
    ("/chat/completions", "chat"),
    ("/completions", "completions"),
)
_OTHER_CALLS = (
    *(
        "embedding",
        "image",
        "speech",
        "transcription",
        "moderation",
        "rerank",
        "search",
        "ocr",
        "file",
        "batch",
        "fine_tun",
    ),
    *("assistant", "thread", "video", "vector_store", "token_counter", "mcp", "skill", "container"),
    *("get_", "list_", "delete_", "cancel_"),
)
"""Parts of the call types that are no model call with a text answer."""
_HEX = "0123456789abcdef"
_PREFIX_OF = {"text-completion-openai": "openai"}
_GATEWAYS_OWN = ("gateway", "model")
"""Declared names that the gateway itself knows better than its clients."""
_OWN_KEYS = (
    "headers",
    "trace_id",
    "used_client_oauth_token",
    "spend_logs_metadata",
    "session_id",
    "requester_metadata",
    "user_id",
    "tags",
)


class Call(msgspec.Struct, kw_only=True):
    """What a row says about one call, before its response is read."""

    format: str
    source_id: str | None
    call_id: str | None
    """LiteLLM's own call id; None in rows of versions that had none."""
    trace_id: str | None = None
    sessions: tuple[str | None, ...] = ()
    """Where a client's own session id may stand, in the order in which it is believed."""
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


def api_of(call_type: str, route: str) -> str:
    """The API that the client called; the route is right also where an old version's call type is not."""
    for ending, api in _ROUTES:
        if route.endswith(ending):
            return api
    return _APIS.get(call_type, "unknown")


def is_generated(trace_id: str, call_id: str | None) -> bool:
    """Whether a trace id was made by the gateway: 32 hex digits, in rows without a call id also a UUID."""
    return (len(trace_id) == 32 and not trace_id.strip(_HEX)) or (call_id is None and _is_uuid(trace_id))


def _is_uuid(text: str) -> bool:
    parts = text.lower().split("-")
    return [len(part) for part in parts] == [8, 4, 4, 4, 12] and not "".join(parts).strip(_HEX)


def bare_model(name: str | None, provider: str | None) -> str | None:
    """The deployed name without the provider's prefix (once: `hosted_vllm/openai/gpt-oss-20b` keeps its organisation)."""
    for prefix in (provider, _PREFIX_OF.get(provider or "")):
        if name and prefix and name.startswith(prefix + "/") and len(name) > len(prefix) + 1:
            return name[len(prefix) + 1 :]
    return name


def own_metadata(*sources: object) -> Mapping:
    """The team's own keys of several metadata objects, the first that has a key wins; the gateway's own keys are left out."""
    merged: Mapping = {}
    for source in sources:
        for key, value in mapping(source).items():
            if key not in _OWN_KEYS and not key.startswith("user_api_key"):
                merged.setdefault(key, value)
    return merged


def header_metadata(headers: object) -> Mapping:
    """`x-` headers as metadata keys (`x-engine-version` is `engine_version`), for the keys that a team may set."""
    named = {key[2:].replace("-", "_"): value for key, value in mapping(headers).items() if key.startswith("x-")}
    return {key: value for key, value in named.items() if key in DECLARED}


def tag_metadata(tags: object) -> Mapping:
    """Request tags of the form `key:value`, for the keys that a team may set."""
    pairs = [tag.partition(":") for tag in tags if isinstance(tag, str)] if isinstance(tags, list) else []
    return {key.strip(): value.strip() for key, colon, value in pairs if colon and key.strip() in DECLARED}


def client_ids(
    call_id: str | None, trace_id: str | None, sessions: tuple[str | None, ...]
) -> tuple[str | None, str | None, str | None]:
    """The trace id that groups the gateway's attempts, and the session and the trace id that are the client's own."""
    generated = trace_id is not None and is_generated(trace_id, call_id)
    for session in sessions:
        if session and not is_generated(session, call_id):
            break
    else:
        session = None
    return (trace_id, session, None) if generated else (None, session, trace_id)


def weight_version(response: object) -> str | None:
    """SGLang's version of the weights, where one was set."""
    version = filled(mapping(mapping(response).get("metadata")).get("weight_version"))
    return None if version == "default" else version


def read_call(call: Call, place: Place) -> Iterator[Outcome]:
    """One record per choice, or why there is none."""
    hide_history(call.request)
    if call.failed:
        yield Skipped("failed")
    elif any(word in call.call_type for word in _OTHER_CALLS):
        yield Skipped("not_a_call")
    elif _is_bridged(call):
        yield Skipped("bridged_call")
    elif not call.response or is_redacted_response(call.response):
        yield _without_body(call, place)
    else:
        body = None if isinstance(call.response, str) else read_body(call.response)
        outcomes: list[Outcome] = list(_records(call, body, place)) if body else []
        yield from outcomes or [Skipped(_why_nothing(call, body))]


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
        if not (call.disconnected and not record.content and not record.reasoning and not record.tool_calls):
            yield record


def _without_body(call: Call, place: Place) -> Record:
    """A call whose answer the log does not hold: redacted whole, or a table that stores no responses."""
    body = Body(dialect="none", api="unknown", answers=())
    known = known_of(call) | {"body_logged": False, "assembled_by": "unknown"}
    answer = read_body("", "plain_text").answers[0]  # type: ignore[union-attr]
    state = "redacted" if call.response else "external_ref" if call.stored_elsewhere else "absent"
    answer.content, answer.content_state = None, state
    return record_of(place, call.request, body, answer, **known)


def _is_bridged(call: Call) -> bool:
    """Old versions log a Responses call on a chat upstream twice, without a common id: the inner chat row is left out."""
    return (
        call.call_id is None and call.call_type in ("completion", "acompletion") and call.route.endswith("/responses")
    )


def known_of(call: Call) -> dict[str, object]:
    """The fields of the call's records that need no answer."""
    trace_id, session, trace = client_ids(call.call_id, call.trace_id, call.sessions)
    actions, visible = read_remediation(call.guardrails, call.metadata.get("remediation"))
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
        "api_base": call.api_base,
        "model_id": call.model_id,
        "model_requested": call.model_group,
        "model_deployed": bare_model(call.deployed, call.provider),
        "model_version": call.weight_version,
        "caller": call.caller,
        "stream": call.streamed if call.stream_known else None,
        "assembled_by": "gateway" if call.streamed else "engine" if call.stream_known else "unknown",
        "remediation": actions,
        "remediation_visible": visible,
        "ignored_metadata": ignored(call.metadata),
    }
    api = api_of(call.call_type, call.route)
    stated = {name: value for name, value in declared(call.metadata).items() if name not in _GATEWAYS_OWN}
    return {**known, **({"api": api} if api != "unknown" else {}), **stated}

"""Names and ids of a call as LiteLLM writes them: the API, the deployed model, whose trace id it is."""

from pipelines.formats.values import Mapping, compact, filled, mapping

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
SESSION_GENERATED = "litellm_session_id_generated"
"""What the proxy puts into the request's metadata beside a session id of its own making."""
_HEX = "0123456789abcdef"
_PREFIX_OF = {"text-completion-openai": "openai"}
_SERVERS = (
    "hosted_vllm",
    "lm_studio",
    "vllm",
    "openai_like",
    "custom_openai",
    "litellm_proxy",
    "text-completion-openai",
)
"""Providers that are no organisation on a model hub, for rows that do not name theirs."""


def api_of(call_type: str, route: str) -> str:
    """The API that the client called; the route is right also where an old version's call type is not."""
    for ending, api in _ROUTES:
        if route.endswith(ending):
            return api
    return _APIS.get(call_type, "unknown")


def is_generated(trace_id: str, sent: tuple[bytes, ...] = ()) -> bool:
    """Whether the gateway made the id: 32 hex digits, which tracing brings, or the UUID that each call gets otherwise.

    `sent` is the JSON text of what the client sent along. A UUID that stands in it is the client's own: in its metadata, in the
    headers that the gateway copies there, as the end of an Anthropic `user_id`. One that was sent as `litellm_session_id` in the body
    leaves no other trace in a payload and is taken for a generated one.
    Source: `litellm_core_utils/litellm_logging.py`, `proxy/litellm_pre_call_utils.py` of 1.108.7, read 2026-12-01.
    """
    return is_of_tracing(trace_id) or (_is_uuid(trace_id) and not _stands_in(trace_id, sent))


def is_of_tracing(trace_id: str) -> bool:
    return len(trace_id) == 32 and not trace_id.strip(_HEX)


def _is_uuid(text: str) -> bool:
    if len(text) != 36 or not text[8] == text[13] == text[18] == text[23] == "-":
        return False
    try:
        return len(bytes.fromhex(text.replace("-", ""))) == 16
    except ValueError:
        return False


def _stands_in(text: str, sent: tuple[bytes, ...]) -> bool:
    sought = text.encode()
    for part in sent:  # noqa: SIM110  any() takes longer than the search
        if sought in part:
            return True
    return False


def as_sent(*objects: object) -> tuple[bytes, ...]:
    """The JSON texts of what a client sent along, to find ids in."""
    return tuple(compact(value).encode() for value in objects if value)


def session_is_generated(metadata: Mapping) -> bool:
    """Whether the proxy made the session id in a request's metadata (`general_settings.missing_session_id: generate`)."""
    return metadata.get(SESSION_GENERATED) is True


def bare_model(name: str | None, provider: str | None) -> str | None:
    """The deployed name without the provider's prefix (once: `hosted_vllm/openai/gpt-oss-20b` keeps its organisation)."""
    for prefix in (provider, _PREFIX_OF.get(provider)) if provider else _SERVERS:
        if name and prefix and name.startswith(prefix + "/") and len(name) > len(prefix) + 1:
            return name[len(prefix) + 1 :]
    return name


def client_ids(
    trace_id: str | None, sessions: tuple[str | None, ...], sent: tuple[bytes, ...]
) -> tuple[str | None, str | None, str | None]:
    """The trace id that groups the gateway's attempts, and the session and the trace id that are the client's own.

    `sessions` are ids that clients send, so that a UUID among them is theirs.
    """
    generated = trace_id is not None and is_generated(trace_id, sent)
    for session in sessions:
        if session and not is_of_tracing(session):
            break
    else:
        session = None
    return (trace_id, session, None) if generated else (None, session, trace_id)


def weight_version(response: object) -> str | None:
    """SGLang's version of the weights, where one was set."""
    version = filled(mapping(mapping(response).get("metadata")).get("weight_version"))
    return None if version == "default" else version

"""Names and ids of a call as LiteLLM writes them: the API, the deployed model, whose trace id it is."""

from pipelines.formats.values import filled, mapping

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


def is_generated(trace_id: str, call_id: str | None) -> bool:
    """Whether a trace id was made by the gateway: 32 hex digits, in rows without a call id also a UUID."""
    return (len(trace_id) == 32 and not trace_id.strip(_HEX)) or (call_id is None and _is_uuid(trace_id))


def _is_uuid(text: str) -> bool:
    parts = text.lower().split("-")
    return [len(part) for part in parts] == [8, 4, 4, 4, 12] and not "".join(parts).strip(_HEX)


def bare_model(name: str | None, provider: str | None) -> str | None:
    """The deployed name without the provider's prefix (once: `hosted_vllm/openai/gpt-oss-20b` keeps its organisation)."""
    for prefix in (provider, _PREFIX_OF.get(provider)) if provider else _SERVERS:
        if name and prefix and name.startswith(prefix + "/") and len(name) > len(prefix) + 1:
            return name[len(prefix) + 1 :]
    return name


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

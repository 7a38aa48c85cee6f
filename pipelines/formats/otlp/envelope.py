"""What the spans of a call know besides request and answer: ids, time, models, where it ran, tokens."""

from collections.abc import Sequence

from pipelines.formats.litellm.names import bare_model, is_of_tracing
from pipelines.formats.literals import python_literal
from pipelines.formats.otlp.answers import Evidence
from pipelines.formats.otlp.spans import Span, response_id
from pipelines.formats.otlp.writers import api_of, gateway_of, is_litellm
from pipelines.formats.record import declared
from pipelines.formats.values import Mapping, decoded, filled, mapping, whole
from pipelines.schema import Usage

_TOKENS = {
    "input": ("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens", "llm.token_count.prompt"),
    "output": ("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens", "llm.token_count.completion"),
    "reasoning": (
        "gen_ai.usage.reasoning.output_tokens",
        "gen_ai.usage.reasoning_tokens",
        "llm.token_count.completion_details.reasoning",
    ),
}


def known_of(spans: Sequence[Span], evidence: Sequence[Evidence]) -> dict[str, object]:
    """Fields of the record, `api` and `fingerprint`; each from the first span that has it."""
    first = spans[0]
    gateway = next((found for span in spans if (found := gateway_of(span))), None)
    name = next((found for span in spans if (found := response_id(span))), None) or first.span_id
    attempt = _text(spans, "litellm.call_id")
    metadata = _metadata(spans)
    return {
        "format": "otlp",
        "api": next((found for span in spans if (found := api_of(span))), "chat"),
        "source_id": name,
        "call_id": name,
        "response_id": _engine_id(spans) or name,
        "trace_id": attempt or first.trace_id,
        "session": _session(spans, metadata),
        "caller": _text(spans, "user.id", "enduser.id", "llm.user"),
        "time": next((span.time for span in spans if span.time is not None), None),
        "gateway": gateway,
        "gateway_version": next(
            (span.scope_version for span in spans if gateway_of(span) and span.scope_version), None
        ),
        "fingerprint": _text(spans, "openai.response.system_fingerprint", "gen_ai.openai.response.system_fingerprint")
        or next((one.fingerprint for one in evidence if one.fingerprint), None),
        "stream": _streamed(spans, gateway),
        "assembled_by": _assembler(spans, gateway),
        "usage": _usage(spans),
        **_where(spans, gateway),
        **declared(metadata),
    }


def _text(spans: Sequence[Span], *keys: str) -> str | None:
    return next((found for span in spans if (found := span.text(*keys))), None)


def _engine_id(spans: Sequence[Span]) -> str | None:
    """The id that the engine gave: the gateway re-encodes those of Responses."""
    return next(
        (found for span in spans if span.kind == "raw" and (found := span.text(f"llm.{span.provider}.id"))), None
    )


def _session(spans: Sequence[Span], metadata: Mapping) -> str | None:
    """The client's own conversation; an id that the gateway made is none."""
    attempt = _text(spans, "litellm.call_id")
    for value in (_text(spans, "gen_ai.conversation.id", "session.id"), metadata.get("session_id")):
        if isinstance(value, str) and value and not (attempt and is_of_tracing(value)):
            return value
    return None


def _where(spans: Sequence[Span], gateway: str | None) -> dict[str, object]:
    provider = _text(spans, "gen_ai.provider.name", "gen_ai.system", "llm.provider", "llm.system")
    hidden = next((found for span in spans if (found := mapping(decoded(span.attributes.get("hidden_params"))))), {})
    requested = mapping(decoded(_text(spans, "input.value"))).get("model")
    raw = next((span.text(f"llm.{span.provider}.model") for span in spans if span.kind == "raw"), None)
    if gateway == "litellm":
        deployed = _deployed(
            _text(spans, "litellm.provider.model"), raw or _text(spans, "gen_ai.request.model"), provider
        )
        alias = _text(spans, "litellm.model_group", "gen_ai.request.model")
    else:
        deployed = _text(spans, "llm.response.model_name", "gen_ai.response.model", "llm.model_name")
        alias = filled(requested) or _text(spans, "gen_ai.request.model", "llm.request.model_name")
    return {
        "provider": provider,
        "api_base": filled(hidden.get("api_base")) or _address(spans),
        "model_id": filled(hidden.get("model_id")),
        "model_deployed": deployed,
        "model_requested": alias,
    }


def _deployed(full: str | None, short: str | None, provider: str | None) -> str | None:
    """The deployed name without the provider's prefix, also where the span does not name the provider."""
    if full and short and full.endswith("/" + short):
        return short
    return bare_model(full, provider) or short


def _address(spans: Sequence[Span]) -> str | None:
    for span in spans:
        host, port = span.text("server.address"), whole(span.first("server.port"))
        if host:
            return f"{host}:{port}" if port else host
    return None


def _metadata(spans: Sequence[Span]) -> Mapping:
    """The team's own keys: OpenInference `metadata`, LiteLLM's requester metadata (a Python repr), span and resource attributes."""
    merged: Mapping = {}
    for span in spans:
        text = span.text("metadata.requester_metadata")
        sources = [decoded(span.attributes.get("metadata")), python_literal(text) if text else None]
        for source in (*sources, _plain(span.attributes), _plain(span.resource)):
            for key, value in mapping(source).items():
                merged.setdefault(key, value)
    return merged


def _plain(attributes: Mapping) -> Mapping:
    """Attributes under the names that metadata has: `llm.engine_version`, `x-engine-version` are `engine_version`."""
    plain: Mapping = {}
    for key, value in attributes.items():
        if isinstance(key, str) and not key.startswith(("gen_ai.", "litellm.", "metadata.", "http.")):
            name = key.lower().replace("-", "_").replace(".", "_")
            plain.setdefault(name.removeprefix("llm_").removeprefix("x_"), value)
    return plain


def _streamed(spans: Sequence[Span], gateway: str | None) -> bool | None:
    """LiteLLM marks streams and nothing else; None where nothing tells."""
    words = ("llm.is_streaming", "litellm.request.streaming", "gen_ai.request.stream")
    if any(str(span.first(*words)).lower() == "true" for span in spans):
        return True
    if any(span.first("gen_ai.response.time_to_first_chunk") is not None for span in spans):
        return True
    return False if gateway == "litellm" and any(span.kind == "call" for span in spans) else None


def _assembler(spans: Sequence[Span], gateway: str | None) -> str:
    if gateway == "envoy-ai-gateway" or (gateway and _streamed(spans, gateway)):
        return "gateway"
    return "engine" if gateway else "client"


def _usage(spans: Sequence[Span]) -> Usage:
    found = {
        name: next((number for span in spans if (number := whole(span.first(*keys))) is not None), None)
        for name, keys in _TOKENS.items()
    }
    for span in spans:
        told = mapping(python_literal(span.text("metadata.usage_object") or ""))
        if found["reasoning"] is None:
            found["reasoning"] = whole(mapping(told.get("completion_tokens_details")).get("reasoning_tokens"))
    counted = any(is_litellm(span) for span in spans) and bool(_streamed(spans, "litellm"))
    return Usage(**found, estimated=counted and found["reasoning"] is not None)

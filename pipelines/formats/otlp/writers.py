"""Who wrote a span, and what that writer never writes."""

from pipelines.formats.otlp.spans import OPERATIONS, Span

LITELLM = "litellm"
ENVOY = "envoy-ai-gateway"


def is_litellm(span: Span) -> bool:
    return span.scope == LITELLM or any(key.startswith("litellm.") for key in span.attributes)


def is_envoy(span: Span) -> bool:
    return "envoy" in span.scope.lower()


def api_of(span: Span) -> str | None:
    """The API that the client called; None where the span does not say."""
    kind = (span.text("litellm.call_type", "llm.request.type", "gen_ai.operation.name") or "").lower()
    return OPERATIONS.get(kind)


def gateway_of(span: Span) -> str | None:
    if is_litellm(span):
        return LITELLM
    return ENVOY if is_envoy(span) else None

"""Span: one span or log record of an OTLP-JSON line, its ids, times and attributes as plain values."""

import base64
import binascii
from collections.abc import Iterator

import msgspec

from pipelines.formats.format import Item, Place
from pipelines.formats.literals import otlp_any, otlp_attributes
from pipelines.formats.values import Mapping, filled, mapping, sequence, text, whole

_BATCHES = (
    ("resourceSpans", ("scopeSpans", "instrumentationLibrarySpans"), "spans"),
    ("resource_spans", ("scope_spans",), "spans"),
    ("resourceLogs", ("scopeLogs", "instrumentationLibraryLogs"), "logRecords"),
    ("resource_logs", ("scope_logs",), "log_records"),
)
OPERATIONS = {
    **dict.fromkeys(("chat", "completion", "acompletion", "generate_content", "agenerate_content"), "chat"),
    **dict.fromkeys(("text_completion", "atext_completion", "text-completion"), "completions"),
    **dict.fromkeys(("responses", "aresponses"), "responses"),
    **dict.fromkeys(("anthropic_messages", "messages"), "messages"),
    "converse": "converse",
}
"""`gen_ai.operation.name` of calls, in the conventions' words and in LiteLLM's, with the API they mean."""
EVENTS = {
    "gen_ai.client.inference.operation.details": "details",
    "gen_ai.choice": "choice",
    "gen_ai.assistant.message": "assistant",
    "gen_ai.system.message": "system",
    "gen_ai.tool.message": "tool",
    "gen_ai.user.message": "user",
    "gen_ai.content.prompt": "prompt",
    "gen_ai.content.completion": "completion",
}
ROLES = ("assistant", "system", "tool", "user")
"""Events that are one message of the request, by its role."""
_RAW = ("choices", "messages", "input", "prompt", "output", "stringified_raw_response")
"""`llm.<provider>.<one of these>` is what LiteLLM sent upstream and got."""
GUARDRAIL_RESPONSES = ("guardrail_response", "litellm.guardrail.response")
_OUTPUTS = ("gen_ai.output.messages", "gen_ai.output.messages_ref", "gen_ai.completion", "gen_ai.completion.0.content")


class Span(msgspec.Struct, kw_only=True):
    """A span, or a log record that belongs to one."""

    place: Place
    trace_id: str | None
    span_id: str | None
    parent_id: str | None
    kind: str
    """call | raw (what LiteLLM sent upstream and got) | event | guardrail | other"""
    event: str = ""
    """For log records: details, choice, prompt, completion, or the role of a message."""
    provider: str = ""
    """For raw spans: the word in `llm.<word>.choices`."""
    failed: bool = False
    time: float | None = None
    scope: str = ""
    scope_version: str | None = None
    attributes: Mapping
    resource: Mapping
    body: object = None
    events: tuple[tuple[str, Mapping], ...] = ()

    def first(self, *keys: str) -> object:
        """The first of these attributes that is there and is neither null nor an empty text."""
        return next((value for key in keys if (value := self.attributes.get(key)) not in (None, "")), None)

    def text(self, *keys: str) -> str | None:
        """The first of these attributes that is a text with something in it."""
        return filled(*(self.attributes.get(key) for key in keys))


def explode(line: Item) -> Iterator[Item]:
    """The spans and log records of one line, each with its resource and scope; the line itself where it holds none."""
    found = False
    for top, middles, leaf in _BATCHES:
        for batch in map(mapping, sequence(mapping(line).get(top))):
            for middle in middles:
                for group in map(mapping, sequence(batch.get(middle))):
                    scope = group.get("scope") or group.get("instrumentationLibrary")
                    for one in sequence(group.get(leaf)):
                        found = True
                        yield {"resource": batch.get("resource"), "scope": scope, leaf: one}
    if not found:
        yield line


def span_of(item: Item, place: Place, *, whole: bool = True) -> Span | None:
    """The span of an exploded item; None where it is none. Not `whole`: ids, kind and attributes only."""
    given = mapping(item)
    leaf = next(
        (given[key] for key in ("spans", "logRecords", "log_records") if isinstance(given.get(key), dict)), None
    )
    if leaf is None or "scope" not in given:
        return None
    one, scope = mapping(leaf), mapping(given.get("scope"))
    is_log = "spans" not in given
    span = Span(
        place=place,
        trace_id=_id(one.get("traceId", one.get("trace_id"))),
        span_id=_id(one.get("spanId", one.get("span_id"))),
        parent_id=_id(one.get("parentSpanId", one.get("parent_span_id"))),
        kind="other",
        failed=mapping(one.get("status")).get("code") in (2, "STATUS_CODE_ERROR", "2"),
        time=_seconds(one, is_log=is_log),
        scope=text(scope.get("name")) or "",
        scope_version=filled(scope.get("version")),
        attributes=otlp_attributes(one.get("attributes")),
        resource=otlp_attributes(mapping(given.get("resource")).get("attributes")) if whole else {},
        body=otlp_any(one.get("body")) if is_log else None,
        events=tuple(_events(one)) if whole else (),
    )
    _sort(span, filled(one.get("eventName"), one.get("event_name")) if is_log else None, is_log=is_log)
    return span


def response_id(span: Span) -> str | None:
    """The id of the response that the span is about."""
    own = span.text("gen_ai.response.id", "llm.response.id")
    return own or (span.text(f"llm.{span.provider}.id") if span.provider else None)


def _sort(span: Span, event_name: str | None, *, is_log: bool) -> None:
    """Sets kind, event and provider."""
    if is_log:
        name = event_name or span.text("event.name", "event_name") or ""
        span.event = _of_body(EVENTS.get(name, "details" if span.first(*_OUTPUTS) else ""), mapping(span.body))
        span.kind = "event" if span.event else "other"
        return
    operation = (span.text("gen_ai.operation.name", "llm.request.type") or "").lower()
    role = (span.text("openinference.span.kind") or "").upper()
    if span.first(*GUARDRAIL_RESPONSES) is not None:
        span.kind = "guardrail"
        return
    if operation in OPERATIONS or (not operation and (role == "LLM" or span.first(*_OUTPUTS) is not None)):
        span.kind = "call"
        return
    for key in span.attributes if not operation and not role else ():
        if key.startswith("llm."):
            _, provider, *rest = key.split(".")
            if len(rest) == 1 and rest[0] in _RAW:
                span.kind, span.provider = "raw", provider
                return


def _of_body(event: str, body: Mapping) -> str:
    """LiteLLM puts one message, or one choice, into the body of what elsewhere are events with all of them."""
    if event == "completion" and isinstance(body.get("message"), dict):
        return "choice"
    if event == "prompt" and "content" in body:
        role = body.get("role")
        return role if isinstance(role, str) and role in ROLES else "user"
    return event


def _events(span: Mapping) -> Iterator[tuple[str, Mapping]]:
    for event in map(mapping, sequence(span.get("events"))):
        kind = EVENTS.get(text(event.get("name")) or "")
        if kind:
            yield kind, otlp_attributes(event.get("attributes"))


def _id(value: object) -> str | None:
    """A trace or span id as hex, whether written so or in base64; zeros are none."""
    if not isinstance(value, str) or not value.strip("0"):
        return None
    if len(value) > 64 or _is_hex(value):
        return value.lower()
    try:
        plain = base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError):
        return value
    return plain.hex() if len(plain) in (8, 16) else value


def _is_hex(value: str) -> bool:
    try:
        return len(bytes.fromhex(value)) in (8, 16)
    except ValueError:
        return False


def _seconds(one: Mapping, *, is_log: bool) -> float | None:
    keys = (
        ("timeUnixNano", "time_unix_nano", "observedTimeUnixNano")
        if is_log
        else ("startTimeUnixNano", "start_time_unix_nano")
    )
    nanoseconds = next((number for key in keys if (number := whole(one.get(key)))), None)
    return nanoseconds / 1e9 if nanoseconds and nanoseconds > 0 else None

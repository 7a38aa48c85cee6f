"""OTLP-JSON, traces and logs: one turn per call, whichever and however many of its spans and log records show a part of it."""

from collections.abc import Iterator

from pipelines.formats._dialects import Answer, Body
from pipelines.formats.format import Format, Item, Outcome, Partner, Place, Rejected, Skipped
from pipelines.formats.otlp.answers import Evidence, answers_of, finish_reasons, is_moved, plain_reason
from pipelines.formats.otlp.calls import calls_of, guard_entry, guards_of
from pipelines.formats.otlp.envelope import known_of
from pipelines.formats.otlp.requests import REDACTED, request_of
from pipelines.formats.otlp.spans import ROLES, Span, explode, response_id, span_of
from pipelines.formats.record import hide_reasoning, record_of
from pipelines.formats.remediation import read_remediation
from pipelines.formats.values import mapping
from pipelines.schema import Record

_TOPS = ("resourceSpans", "resource_spans", "resourceLogs", "resource_logs")
_NOWHERE = Place("", 0)
_MARKERS = (REDACTED, "redacted-by-litellm")


def recognise(item: Item) -> bool:
    """Whether it is a line of batches, or an item that `explode` made of one."""
    given = mapping(item)
    return any(isinstance(given.get(top), list) for top in _TOPS) or span_of(given, _NOWHERE, whole=False) is not None


def join_key(item: Item) -> str | None:
    """The trace of a span that tells of a call: spans and log records of one call share it."""
    span = span_of(item, _NOWHERE, whole=False)
    if span is None or span.kind == "other":
        return None
    return span.trace_id or response_id(span)


def parse(partners: Item, place: Place) -> Iterator[Outcome]:
    """One record per choice of each call in the partners; a further span of a call is Skipped("duplicate")."""
    spans: list[Span] = []
    guards: list[Span] = []
    for partner in partners if isinstance(partners, tuple) else (Partner(partners, place),):
        span = span_of(partner.item, partner.place)
        if span is None:
            yield _without_span(partner.item)
        elif span.kind in ("other", "guardrail"):
            guards.extend([span] if span.kind == "guardrail" else [])
            yield Skipped("not_a_call")
        elif span.failed and not answers_of([span])[0]:
            yield Skipped("failed")
        else:
            spans.append(span)
    calls = calls_of(spans)
    for call in calls:
        yield from _call(call, guards_of(call, guards, alone=len(calls) == 1))


def _without_span(item: Item) -> Outcome:
    if isinstance(item, dict):
        return Skipped("not_a_call")
    return Rejected("not_an_object", "an OTLP line is an object with resourceSpans or resourceLogs")


def _call(spans: list[Span], guards: list[Span]) -> Iterator[Outcome]:
    answers, evidence = answers_of(spans)
    if not answers and all(span.kind == "raw" or span.event in (*ROLES, "prompt") for span in spans):
        yield from (Skipped("no_body") for _ in spans)
        return
    for answer in answers or [_unseen(spans, evidence)]:
        record = _record(spans, answer, evidence, choices=len(answers))
        record.remediation, record.remediation_visible = read_remediation(*map(guard_entry, guards))
        yield record
    yield from (Skipped("duplicate") for _ in spans[1:])


def _unseen(spans: list[Span], evidence: list[Evidence]) -> Answer:
    """An answer that the spans do not hold: kept elsewhere, or its capture switched off."""
    referred = any(span.first("gen_ai.output.messages_ref") is not None for span in spans)
    told = [answer.finish_reason for one in evidence for answer in one.answers]
    reasons = [*(reason for span in spans for reason in finish_reasons(span)), *told, None]
    return Answer(
        finish_reason=plain_reason(reasons[0]),
        content_state="external_ref" if referred else "absent",
        reasoning_state="dropped_by_format",
        tool_calls_state="dropped_by_format",
    )


def _record(spans: list[Span], answer: Answer, evidence: list[Evidence], *, choices: int) -> Record:
    request = request_of(spans)
    known = known_of(spans, evidence)
    body = Body(dialect="otlp", api=str(known.pop("api")), answers=(answer,))
    body.fingerprint = known.pop("fingerprint")  # type: ignore[assignment]
    if answer.content and any(not answer.content.replace(marker, "") for marker in _MARKERS):
        answer.content, answer.content_state, answer.parts = None, "redacted", ()
        answer.reasoning, answer.reasoning_fields, answer.reasoning_state = None, {}, "redacted"
        answer.tool_calls, answer.tool_calls_state = (), "redacted"
    record = hide_reasoning(record_of(spans[0].place, request, body, answer, **known))
    if record.reasoning_state == "empty" and record.usage.reasoning and not record.usage.estimated:
        record.reasoning_state = "dropped_by_format"
    record.body_logged = answer.content_state not in ("absent", "redacted", "external_ref")
    _note_stream(record, choices)
    if is_moved(answer, evidence):
        record.gateway_rewrites = frozenset({"think_stripped"})
        record.reasoning_state = "present" if record.reasoning else "dropped_by_format"
    return record


def _note_stream(record: Record, choices: int) -> None:
    """LiteLLM glues the texts of a stream's choices in order of arrival."""
    if record.gateway == "litellm" and record.stream and (record.choices_requested or 1) > 1 and choices == 1:
        record.choices_merged, record.content_state, record.finish_reason = True, "shuffled", None
        record.reasoning, record.reasoning_fields, record.reasoning_state = None, {}, "dropped_by_format"


FORMAT = Format(
    name="otlp",
    title="OpenTelemetry traces and logs as OTLP-JSON: GenAI conventions, OpenInference, LiteLLM's three shapes",
    recognise=recognise,
    explode=explode,
    join_key=join_key,
    parse=parse,
    shows=("content", "reasoning", "tool_calls", "tools", "messages", "finish_reason", "time"),
    sources=(
        "OpenTelemetry semantic conventions, docs/gen-ai, and opentelemetry-util-genai 1.3b0, read 2026-11-30",
        "OpenInference spec/semantic_conventions.md, read 2026-11-30",
        "LiteLLM 1.108.7, run with its callbacks otel, otel v2 and arize_phoenix, 2026-11-30",
        "Envoy AI Gateway 1.1.0, internal/tracing, read 2026-11-30",
    ),
)

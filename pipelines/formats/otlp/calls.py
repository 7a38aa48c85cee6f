"""The spans of one trace sorted into calls: what shares a response id, a span, or hangs below it as raw request, is one call."""

from collections.abc import Sequence

from pipelines.formats.otlp.spans import GUARDRAIL_RESPONSES, Span, response_id
from pipelines.formats.values import decoded

_GUARD_NAMES = ("guardrail_name", "litellm.guardrail.name")


def calls_of(spans: Sequence[Span]) -> list[list[Span]]:
    """Groups of spans that tell of the same call, each with the span that shows most first, in order of first appearance."""
    parent = list(range(len(spans)))
    known: dict[tuple[str, str], int] = {}
    for number, span in enumerate(spans):
        for name in _names(span):
            _unite(parent, known.setdefault(name, number), number)
    for number, span in enumerate(spans):
        above = ("span", span.parent_id or "")
        if span.kind == "raw" and above in known:
            _unite(parent, known[above], number)
    groups: dict[int, list[Span]] = {}
    for number, span in enumerate(spans):
        groups.setdefault(_root(parent, number), []).append(span)
    return [sorted(group, key=_rank) for group in groups.values()]


def guards_of(call: Sequence[Span], guards: Sequence[Span], *, alone: bool) -> list[Span]:
    """The guardrail spans of a call: siblings of its spans, or all where the trace has no other call; of two exporters' spans one."""
    parents = {span.parent_id for span in call if span.parent_id}
    mine = (guard for guard in guards if alone or guard.parent_id in parents)
    return list({(guard.text(*_GUARD_NAMES), guard.text(*GUARDRAIL_RESPONSES)): guard for guard in mine}.values())


def guard_entry(guard: Span) -> dict[str, object]:
    """A guardrail span as an entry of guardrail information."""
    return {
        "guardrail_name": guard.text(*_GUARD_NAMES),
        "guardrail_response": decoded(guard.first(*GUARDRAIL_RESPONSES)),
    }


def _names(span: Span) -> list[tuple[str, str]]:
    names = [("response", found)] if (found := response_id(span)) else []
    return [*names, *([("span", span.span_id)] if span.span_id else [])]


def _rank(span: Span) -> tuple[object, ...]:
    order = {"call": 0, "event": 1, "raw": 2}
    detailed = not (span.event == "details" or span.first("gen_ai.output.messages", "output.value") is not None)
    return order.get(span.kind, 3), detailed, span.event, span.time or 0.0, span.place.uri, span.place.position


def _root(parent: list[int], number: int) -> int:
    while parent[number] != number:
        parent[number] = parent[parent[number]]
        number = parent[number]
    return number


def _unite(parent: list[int], one: int, other: int) -> None:
    first, second = sorted((_root(parent, one), _root(parent, other)))
    parent[second] = first

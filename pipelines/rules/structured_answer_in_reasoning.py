"""The requested JSON stands in the reasoning field and the content is empty.

Catches: an empty answer to a request for JSON whose reasoning is, whole, JSON that the schema accepts.
Why it matters: the grammar was applied from the first token, so there was no end of reasoning for the parser to find; the caller
gets nothing.
Misses: JSON with other text around it in the reasoning.
False alarms: none known.
Likely layers: engine_parser.
"""

from collections.abc import Iterator

from pipelines.rules import denominators
from pipelines.rules.examples import answer, clean, leak
from pipelines.rules.json_with_text_around import JSON_MODE, wants
from pipelines.rules.rule import Excluded, Rule, Span, Turn
from pipelines.rules.structured import fault_of, is_judged


def find(turn: Turn) -> Iterator[Span | Excluded]:
    """The whole reasoning, which is the answer."""
    fault = fault_of(turn) if is_judged(turn.record) else None
    if fault is not None and fault.kind == "in_reasoning":
        start = len(turn.reasoning) - len(turn.reasoning.lstrip())
        yield Span(start, len(turn.reasoning.rstrip()), confidence=0.99)


RULE = Rule(
    id="structured-answer-in-reasoning",
    version=1,
    status="stable",
    tier="rule",
    symptom="structured_invalid",
    find=find,
    eligible=denominators.format_was_requested,
    wants=wants,
    channel="reasoning",
    repair="rescue",
    layers=("engine_parser",),
    action="Leave enable_in_reasoning off for this model, or take a parser that does not assume that output begins inside the reasoning.",
    verify="The same request with enable_in_reasoning=false has the JSON in the content.",
    doc=__doc__,
    leaks=(
        leak(
            "JSON in the wrong field",
            answer(None, reasoning='{"shelf": "B2"}', response_format=JSON_MODE, response_format_state="present"),
            '{"shelf": "B2"}',
        ),
    ),
    clean=(
        clean(
            "the answer is in its place",
            answer('{"a": 1}', reasoning='{"a": 1}', response_format=JSON_MODE, response_format_state="present"),
        ),
        clean(
            "thoughts, not the answer",
            answer(None, reasoning="The user wants JSON.", response_format=JSON_MODE, response_format_state="present"),
        ),
        clean("no format was requested", answer(None, reasoning='{"shelf": "B2"}')),
    ),
)

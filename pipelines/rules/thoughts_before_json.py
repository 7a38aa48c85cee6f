"""Thoughts stand in front of the JSON that was requested.

Catches: a block of thoughts, with both tags or the closing one only, before JSON that the schema accepts.
Why it matters: the end of the reasoning was missed, so that no grammar was applied and the caller's parser fails.
Misses: thoughts without any tag; they are prose around the JSON.
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
    """One span per piece of text around the JSON that holds a block of thoughts."""
    fault = fault_of(turn) if is_judged(turn.record) else None
    if fault is not None and fault.kind == "around":
        yield from (Span(piece.start, piece.end) for piece in fault.pieces if piece.kind == "thoughts")


RULE = Rule(
    id="thoughts-before-json",
    version=1,
    status="stable",
    tier="rule",
    symptom="structured_invalid",
    find=find,
    eligible=denominators.format_was_requested,
    wants=wants,
    repair="strip",
    layers=("engine_parser",),
    action="Set the reasoning parser of the model, and use a release in which the end of the reasoning is not missed under speculative "
    "decoding (vLLM 0.27.0 or later).",
    verify="The same request has its thoughts in the reasoning field and bare JSON in the content.",
    doc=__doc__,
    leaks=(
        leak(
            "a whole block",
            answer(
                '<think>\nA ferry, so a port.\n</think>\n\n{"kind": "port"}',
                response_format=JSON_MODE,
                response_format_state="present",
            ),
            "<think>\nA ferry, so a port.\n</think>",
        ),
        leak(
            "the closing tag only",
            answer(
                'Eine Fähre, also ein Hafen.\n</think>\n{"kind": "port"}',
                family="qwen3.5+",
                response_format=JSON_MODE,
                response_format_state="present",
            ),
            "Eine Fähre, also ein Hafen.\n</think>",
        ),
    ),
    clean=(
        clean(
            "the tag is inside of a value",
            answer('{"tag": "<think>"}', response_format=JSON_MODE, response_format_state="present"),
        ),
        clean("no format was requested", answer('<think>\nA ferry, so a port.\n</think>\n\n{"kind": "port"}')),
    ),
)

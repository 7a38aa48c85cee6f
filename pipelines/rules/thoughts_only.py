"""The turn ended inside thoughts that stand in the content, so there is no answer.

Catches: an opening mark that was never closed and a finish reason of length; a content that repeats the unfinished reasoning.
Why it matters: it looks like an answer to every filter that only asks whether the content is empty.
Misses: thoughts without any mark (the untagged form is left to the heuristics).
False alarms: none known.
Likely layers: api_contract, engine_parser.
"""

from collections.abc import Iterator

from pipelines.rules import denominators, repeated_reasoning
from pipelines.rules.deltas import has_chunks
from pipelines.rules.examples import answer, clean, leak
from pipelines.rules.marks import THINK_NEEDLES
from pipelines.rules.rule import Excluded, Rule, Span, Turn
from pipelines.rules.views.configuration import keeps_reasoning_in_content


def find(turn: Turn) -> Iterator[Span | Excluded]:
    """One span over the unfinished thoughts."""
    open_blocks = [block for block in turn.blocks if block.thoughts and not block.excuse and block.closer is None]
    if turn.record.finish_reason == "length" and open_blocks and turn.nothing_left:
        configured = keeps_reasoning_in_content(turn.record, turn.identity)
        yield Span(open_blocks[0].start, open_blocks[-1].end, confidence=0.97, configured=configured)
        return
    for span in repeated_reasoning.find(turn):
        if isinstance(span, Span) and span.repair == "regenerate":
            yield Span(span.start, span.end, confidence=0.9)


RULE = Rule(
    id="thoughts-only-answer",
    version=1,
    status="stable",
    tier="rule",
    symptom="truncated_reasoning",
    find=find,
    eligible=denominators.finish_is_known,
    needles=lambda family: THINK_NEEDLES,
    wants=has_chunks,
    repair="regenerate",
    layers=("api_contract", "engine_parser"),
    action="Raise max_tokens or set a thinking budget, and treat such a turn as failed; set the reasoning parser so "
    "that the thoughts leave the content.",
    verify="Compare the length of the thoughts with max_tokens.",
    doc=__doc__,
    leaks=(
        leak(
            "cut by the token limit", answer("<think>\nFirst the units: kilograms and", family="qwen3", finish="length")
        ),
    ),
    clean=(
        clean(
            "the thoughts were closed and answered",
            answer("<think>\na\n</think>\nYes, since", family="qwen3", finish="length"),
        ),
        clean("an ordinary cut answer", answer("The first reason is that", finish="length")),
    ),
)

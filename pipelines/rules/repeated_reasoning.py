"""The content begins with the very text of the reasoning field.

Catches: streams in which deltas carry the reasoning in both fields, and a flush that sends unfinished thoughts as content.
Why it matters: users read the thoughts once more, without any tag around them.
Misses: rows without their stream events; reasoning that was changed on the way.
False alarms: a finished answer that stands in both fields is left to the rules on misrouted answers.
Likely layers: engine_parser, gateway.
"""

from collections.abc import Iterator

from pipelines.rules import denominators
from pipelines.rules.deltas import has_chunks
from pipelines.rules.examples import answer, clean, leak
from pipelines.rules.rule import Excluded, Rule, Span, Turn
from pipelines.schema import Delta

_SHORTEST = 12
"""A repeated text shorter than this may be an answer that was thought and said alike."""
_FINISHED = (".", "!", "?", "。", "！", "？", "।", "؟", "…", '"', "”", ")", "`", "|", "}", "]")


def find(turn: Turn) -> Iterator[Span | Excluded]:
    """The repeated text; all of the content when it ends where the thoughts end, in the middle of a sentence."""
    reasoning, content = turn.reasoning.strip(), turn.content
    start = len(content) - len(content.lstrip())
    if turn.record.chunks is None or len(reasoning) < _SHORTEST or not content.startswith(reasoning, start):
        return
    end = start + len(reasoning)
    if content[end:].strip():
        yield Span(start, end, confidence=0.95)
    elif not reasoning.endswith(_FINISHED):
        yield Span(start, end, confidence=0.9, repair="regenerate")


RULE = Rule(
    id="reasoning-repeated-in-content",
    version=1,
    status="stable",
    tier="rule",
    symptom="reasoning_leak",
    find=find,
    eligible=lambda turn: denominators.content_is_text(turn) and turn.record.chunks is not None,
    wants=has_chunks,
    repair="strip",
    layers=("engine_parser", "gateway"),
    action="Find the hop that copies deltas between fields or flushes its buffer as content at the end, and update it.",
    verify="In the stream events, the same text stands in the reasoning delta and in the content delta.",
    doc=__doc__,
    leaks=(
        leak(
            "one delta carries the thoughts in both fields",
            answer(
                "Vermeer, about 1665.Vermeer painted it.",
                reasoning="Vermeer, about 1665.",
                chunks=(
                    Delta(content="Vermeer, about 1665.", reasoning="Vermeer, about 1665."),
                    Delta(content="Vermeer painted it."),
                ),
            ),
            "Vermeer, about 1665.",
        ),
        leak(
            "the unfinished trace is flushed as content",
            answer(
                "First the valve, then the",
                reasoning="First the valve, then the",
                chunks=(Delta(reasoning="First the valve, then the"), Delta(content="First the valve, then the")),
            ),
            "First the valve, then the",
        ),
    ),
    clean=(
        clean(
            "a short answer that was thought alike",
            answer(
                "Jane Austen wrote it.",
                reasoning="Jane Austen",
                chunks=(Delta(reasoning="Jane Austen"), Delta(content="Jane Austen wrote it.")),
            ),
        ),
        clean("no stream events", answer("First the valve, then the", reasoning="First the valve, then the")),
    ),
)

"""Thoughts in the content that other evidence than wording shows; heuristics leave them to the rules that find them.

Blocks between marks are `Turn.blocks`; these are the rules for what is left of marks, for sentences that are marks, and for copies.
"""

from pipelines.rules import channel_residue, harmony_residue, reasoning_sentences, repeated_reasoning
from pipelines.rules.rule import Span, Turn, once
from pipelines.rules.thoughts import Passage

_SURE = (harmony_residue.RULE, channel_residue.RULE, reasoning_sentences.RULE, repeated_reasoning.RULE)


@once
def shown_thoughts(turn: Turn) -> tuple[Span, ...]:
    """The findings of these rules that are a reasoning leak."""
    found = [item for rule in _SURE if rule.eligible(turn) for item in rule.find(turn)]
    return tuple(item for item in found if isinstance(item, Span) and item.symptom in (None, "reasoning_leak"))


def is_shown(turn: Turn, passage: Passage) -> bool:
    """Whether a passage shares a place with such thoughts."""
    return any(span.start < passage.end and passage.start < span.end for span in shown_thoughts(turn))

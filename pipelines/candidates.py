"""Which rules can fire on a turn at all: one search of its texts for the literals of all rules, instead of one by each rule."""

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, TypeVar

from pipelines.families import FAMILIES, UNKNOWN_FAMILY
from pipelines.rules import RULES
from pipelines.rules.literals import bits_in_text
from pipelines.rules.rule import Rule, Turn, opening_of

Question = TypeVar("Question", bound=Callable[[Any], bool])

_SEARCHED = ("content", "reasoning")
"""Channels whose text is one string."""


def _needles_of(rule: Rule) -> frozenset[str]:
    if rule.needles is None:
        return frozenset()
    return frozenset().union(*{rule.needles(family) for family in (UNKNOWN_FAMILY, *FAMILIES)})


NEEDLES_OF = tuple(map(_needles_of, RULES))
"""The needles of each of RULES for any family; none where it has none."""


def grouped(asked: Iterable[tuple[Question, int]]) -> tuple[tuple[Question, int], ...]:
    """Each question once, with all bits that hang on it: many rules share one."""
    bits: dict[Question, int] = {}
    for question, bit in asked:
        bits[question] = bits.get(question, 0) | bit
    return tuple(bits.items())


@cache
def _finders() -> tuple[Callable[[str], int], Callable[[str], int], Callable[[str], int]]:
    """For content, reasoning and opening: from a text to the rules of which a literal stands in it."""
    content, reasoning = (
        bits_in_text(
            (needle, 1 << bit)
            for bit, needles in enumerate(NEEDLES_OF)
            if RULES[bit].channel == channel
            for needle in needles
        )
        for channel in _SEARCHED
    )
    openings = ((opening, 1 << bit) for bit, rule in enumerate(RULES) for opening in rule.openings)
    return content, reasoning, bits_in_text(openings, None)


_ALWAYS = sum(
    1 << bit
    for bit, rule in enumerate(RULES)
    if not (rule.needles or rule.openings or rule.wants) or (rule.needles and rule.channel not in _SEARCHED)
)
_WANTING = grouped((rule.wants, 1 << bit) for bit, rule in enumerate(RULES) if rule.wants)


def candidates(turn: Turn) -> int:
    """Bit set over RULES: those that read states and flags only, those that want the record, those with a literal in their text."""
    content, reasoning, openings = _finders()
    record, found = turn.record, _ALWAYS
    for wants, bits in _WANTING:
        if wants(record):
            found |= bits
    return found | content(turn.content) | reasoning(turn.reasoning) | openings(opening_of(turn.content))

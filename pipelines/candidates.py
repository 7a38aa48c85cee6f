"""Which rules can fire on a turn at all: one search of its texts for the literals of all rules, instead of one by each rule."""

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, TypeVar

import ahocorasick_rs

from pipelines.families import FAMILIES, UNKNOWN_FAMILY
from pipelines.rules import RULES
from pipelines.rules.rule import Rule, Turn, opening_of

Question = TypeVar("Question", bound=Callable[[Any], bool])

_SEARCHED = ("content", "reasoning")
"""Channels whose text is one string."""


def needles_of(rule: Rule) -> frozenset[str]:
    """Its needles for any family."""
    if rule.needles is None:
        return frozenset()
    return frozenset().union(*{rule.needles(family) for family in (UNKNOWN_FAMILY, *FAMILIES)})


def grouped(asked: Iterable[tuple[Question, int]]) -> tuple[tuple[Question, int], ...]:
    """Each question once, with all bits that hang on it: many rules share one."""
    bits: dict[Question, int] = {}
    for question, bit in asked:
        bits[question] = bits.get(question, 0) | bit
    return tuple(bits.items())


class _Finder:
    """From a text to the rules, as a bit set, of which a literal stands in it."""

    def __init__(self, literals: Iterable[tuple[str, int]], kind: ahocorasick_rs.Implementation | None = None) -> None:
        rules_of: dict[str, int] = {}
        for literal, bit in literals:
            rules_of[literal] = rules_of.get(literal, 0) | 1 << bit
        self._rules = tuple(rules_of.values())
        self._automaton = ahocorasick_rs.AhoCorasick(rules_of, implementation=kind) if rules_of else None

    def rules(self, text: str) -> int:
        if self._automaton is None or not text:
            return 0
        found = 0
        for index, _, _ in self._automaton.find_matches_as_indexes(text, overlapping=True):
            found |= self._rules[index]
        return found


@cache
def _finders() -> tuple[_Finder, _Finder, _Finder]:
    content, reasoning = (
        _Finder(
            ((needle, bit) for bit, rule in enumerate(RULES) if rule.channel == channel for needle in needles_of(rule)),
            ahocorasick_rs.Implementation.DFA,
        )
        for channel in _SEARCHED
    )
    return content, reasoning, _Finder((opening, bit) for bit, rule in enumerate(RULES) for opening in rule.openings)


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
    return (
        found | content.rules(turn.content) | reasoning.rules(turn.reasoning) | openings.rules(opening_of(turn.content))
    )

"""Which rules can fire on a turn at all: one search of its texts for the literals of all rules, instead of one by each rule."""

from collections.abc import Iterable
from functools import cache

import ahocorasick_rs

from pipelines.families import FAMILIES, UNKNOWN_FAMILY
from pipelines.rules import RULES
from pipelines.rules.rule import Rule, Turn, opening_of

_SEARCHED = ("content", "reasoning")
"""Channels whose text is one string."""


def _needles(rule: Rule) -> set[str]:
    """Its needles for any family."""
    return {n for family in (UNKNOWN_FAMILY, *FAMILIES) for n in rule.needles(family)} if rule.needles else set()


class _Finder:
    """From a text to the rules, as a bit set, of which a literal stands in it."""

    def __init__(self, literals: Iterable[tuple[str, int]]) -> None:
        rules_of: dict[str, int] = {}
        for literal, bit in literals:
            rules_of[literal] = rules_of.get(literal, 0) | 1 << bit
        self._rules = tuple(rules_of.values())
        self._automaton = ahocorasick_rs.AhoCorasick(rules_of) if rules_of else None

    def rules(self, text: str) -> int:
        if self._automaton is None or not text:
            return 0
        found = 0
        for index in {index for index, _, _ in self._automaton.find_matches_as_indexes(text, overlapping=True)}:
            found |= self._rules[index]
        return found


@cache
def _finders() -> tuple[dict[str, _Finder], _Finder]:
    by_channel = {
        channel: _Finder((n, bit) for bit, rule in enumerate(RULES) if rule.channel == channel for n in _needles(rule))
        for channel in _SEARCHED
    }
    return by_channel, _Finder((opening, bit) for bit, rule in enumerate(RULES) for opening in rule.openings)


_ALWAYS = sum(
    1 << bit
    for bit, rule in enumerate(RULES)
    if not (rule.needles or rule.openings or rule.wants) or (rule.needles and rule.channel not in _SEARCHED)
)
_WANTING = tuple((1 << bit, rule.wants) for bit, rule in enumerate(RULES) if rule.wants)


def candidates(turn: Turn) -> int:
    """Bit set over RULES: those that read states and flags only, those that want the record, those with a literal in their text."""
    by_channel, openings = _finders()
    found = _ALWAYS
    for bit, wants in _WANTING:
        if wants(turn.record):
            found |= bit
    found |= by_channel["content"].rules(turn.content) | by_channel["reasoning"].rules(turn.reasoning)
    return found | openings.rules(opening_of(turn.content))

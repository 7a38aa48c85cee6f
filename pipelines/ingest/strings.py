"""Which raw JSON strings may hold one of many literals, asked of all strings of a block at once."""

from bisect import bisect_right
from collections.abc import Callable, Sequence, Set
from itertools import accumulate

import ahocorasick_rs

from pipelines.ingest.spelling import odd_escapes, spellings

SEPARATOR = b"\0"
"""In no JSON string."""
Strings = Callable[[Sequence[bytes]], Set[int]]


def strings_search(literals: Sequence[str]) -> Strings:
    """A function from raw JSON strings to the places of those in which a literal may stand; a literal in the text is always found."""
    if not literals:
        return lambda texts: frozenset()
    patterns = sorted({spelled for literal in literals for spelled in spellings(literal)} | odd_escapes())
    automaton = ahocorasick_rs.BytesAhoCorasick(patterns, implementation=ahocorasick_rs.Implementation.DFA)
    return lambda texts: matching(automaton, SEPARATOR.join(texts))


def matching(automaton: ahocorasick_rs.BytesAhoCorasick, joined: bytes) -> Set[int]:
    """The places of the texts, joined by SEPARATOR, that hold a match."""
    matches = automaton.find_matches_as_indexes(joined)
    if not matches:
        return frozenset()
    starts = list(accumulate((len(text) + 1 for text in joined.split(SEPARATOR)), initial=0))
    return {bisect_right(starts, start) - 1 for _, start, _ in matches}

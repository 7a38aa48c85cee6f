"""Which raw JSON strings may hold one of many literals, asked of all strings of a block at once."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate

import ahocorasick_rs

from pipelines.ingest.spelling import odd_escapes, spellings

SEPARATOR = b"\0"
"""In no JSON string."""
Strings = Callable[[Sequence[bytes]], list[bool]]


def strings_search(literals: Sequence[str]) -> Strings:
    """A function from raw JSON strings to whether one of the literals may stand in each; a literal in the text is always found."""
    if not literals:
        return lambda texts: [False] * len(texts)
    patterns = sorted({spelled for literal in literals for spelled in spellings(literal)} | odd_escapes())
    automaton = ahocorasick_rs.BytesAhoCorasick(patterns, implementation=ahocorasick_rs.Implementation.DFA)
    return lambda texts: matching(automaton, texts, SEPARATOR.join(texts))


def matching(automaton: ahocorasick_rs.BytesAhoCorasick, texts: Sequence[bytes], joined: bytes) -> list[bool]:
    """Which of the texts, joined by SEPARATOR (and perhaps rewritten in length), hold a match."""
    found = [False] * len(texts)
    matches = automaton.find_matches_as_indexes(joined)
    if matches:
        starts = list(accumulate((len(text) + 1 for text in joined.split(SEPARATOR)), initial=0))
        for _, start, _ in matches:
            found[bisect_right(starts, start) - 1] = True
    return found

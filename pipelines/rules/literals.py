"""Which of many literals stand in a text, found in one pass: bits that the caller gave to each."""

from collections.abc import Callable, Iterable

import ahocorasick_rs

FAST = ahocorasick_rs.Implementation.DFA
"""Searches twice as fast and is built in milliseconds; for a thousand literals that would be too many."""


def bits_in_text(
    literals: Iterable[tuple[str, int]], kind: ahocorasick_rs.Implementation | None = FAST
) -> Callable[[str], int]:
    """From a text to the bits of all literals that stand in it, also of such as overlap."""
    bits: dict[str, int] = {}
    for literal, bit in literals:
        bits[literal] = bits.get(literal, 0) | bit
    if not bits:
        return lambda text: 0
    find, by_index = ahocorasick_rs.AhoCorasick(bits, implementation=kind).find_matches_as_indexes, tuple(bits.values())

    def search(text: str) -> int:
        found = 0
        for index, _, _ in find(text, overlapping=True):
            found |= by_index[index]
        return found

    return search

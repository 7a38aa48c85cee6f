"""Intervals of a text, sorted and disjoint, and whether one of them covers a place."""

from bisect import bisect_right
from collections.abc import Iterable

Intervals = tuple[tuple[int, int], ...]


def merge(spans: Iterable[tuple[int, int]]) -> Intervals:
    """Sorted disjoint intervals that cover the same places; empty ones are dropped."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if start >= end:
            continue
        if merged and start <= merged[-1][1]:
            if end > merged[-1][1]:
                merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    return tuple(merged)


def covers(intervals: Intervals, start: int, end: int) -> bool:
    """Whether one interval holds `start` to `end` whole. Intervals are sorted and disjoint."""
    index = bisect_right(intervals, (start, 1 << 62)) - 1
    return index >= 0 and intervals[index][0] <= start and end <= intervals[index][1]

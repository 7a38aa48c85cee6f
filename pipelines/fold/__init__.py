"""Counts of one bucket: duplicates dropped, conversations seen whole, sums per GROUP × cut × measure.

Pure on tables. The caller partitions: with one bucket `fold_bucket` does all; with several, `drop_duplicates` runs on buckets by
turn key, `fold_conversations` on buckets by conversation, and `merge_counts` / `merge_usage` add up what came out.
"""

from dataclasses import dataclass

import pyarrow as pa

from pipelines.fold.counts import count_cuts, count_days
from pipelines.fold.duplicates import drop_duplicates
from pipelines.fold.kinds import KIND, ROW, join, split
from pipelines.fold.merge import merge_counts, merge_usage, pool_days, with_whole_conversations
from pipelines.fold.usage import usage_of
from pipelines.schema import DUPLICATE, Measure

__all__ = [
    "KIND",
    "ROW",
    "FoldResult",
    "count_days",
    "drop_duplicates",
    "fold_bucket",
    "fold_conversations",
    "fold_kinds",
    "join",
    "merge_counts",
    "merge_usage",
    "pool_days",
    "split",
    "usage_of",
    "with_whole_conversations",
]


@dataclass(frozen=True)
class FoldResult:
    """COUNT, USAGE and DUPLICATE of one bucket."""

    counts: pa.Table
    usage: pa.Table
    duplicates: pa.Table


def fold_bucket(turns: pa.Table, measures: tuple[Measure, ...]) -> FoldResult:
    """Counts of TURN rows that may hold duplicates; all rows with one turn key or conversation must be in `turns`."""
    kept, duplicates = drop_duplicates(turns)
    result = fold_conversations(kept, measures)
    return FoldResult(result.counts, result.usage, duplicates)


def fold_conversations(turns: pa.Table, measures: tuple[Measure, ...]) -> FoldResult:
    """Counts of TURN rows without duplicates; all rows with one conversation must be in `turns`. Its duplicates are empty."""
    return fold_kinds(*split(turns), measures)


def fold_kinds(rows: pa.Table, kinds: pa.Table, measures: tuple[Measure, ...]) -> FoldResult:
    """The same from ROW and KIND, as `split` and `join` make them of TURN rows."""
    if not len(rows):
        return FoldResult(merge_counts([]), merge_usage([]), DUPLICATE.empty_table())
    return FoldResult(count_cuts(rows, kinds, measures), usage_of(rows, kinds), DUPLICATE.empty_table())

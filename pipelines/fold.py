"""Counts of one bucket: duplicates dropped, conversations seen whole, sums per GROUP × cut × measure.

Pure on tables. The caller partitions: with one bucket `fold_bucket` does all; with several, `drop_duplicates` runs on buckets by
turn key, `fold_conversations` on buckets by conversation, and `merge_counts` / `merge_usage` add up what came out.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import pyarrow as pa

from pipelines.schema import Measure


@dataclass(frozen=True)
class FoldResult:
    """COUNT, USAGE and DUPLICATE of one bucket."""

    counts: pa.Table
    usage: pa.Table
    duplicates: pa.Table


def drop_duplicates(turns: pa.Table) -> tuple[pa.Table, pa.Table]:
    """TURN rows that count (one per turn key), and a DUPLICATE row for each of the others.

    All rows with one turn key must be in `turns`. An answer wins over a failed attempt, then content that can be judged, then
    the lowest (source_file, source_pos).
    """
    raise NotImplementedError


def fold_conversations(turns: pa.Table, measures: tuple[Measure, ...]) -> FoldResult:
    """Counts of TURN rows without duplicates; all rows with one conversation must be in `turns`. Its duplicates are empty."""
    raise NotImplementedError


def fold_bucket(turns: pa.Table, measures: tuple[Measure, ...]) -> FoldResult:
    """Counts of TURN rows that may hold duplicates; all rows with one turn key or conversation must be in `turns`."""
    raise NotImplementedError


def merge_counts(tables: Iterable[pa.Table]) -> pa.Table:
    """Sum of COUNT tables, sorted; the same bytes whatever the order of tables and however the turns were cut into them."""
    raise NotImplementedError


def merge_usage(tables: Iterable[pa.Table]) -> pa.Table:
    """Sum of USAGE tables, sorted."""
    raise NotImplementedError

"""Counts of one bucket: duplicates dropped, conversations seen whole, sums per GROUP × cut × measure.

Pure on tables. The caller partitions: with one bucket `fold_bucket` does all; with several, `drop_duplicates` runs on buckets by
turn key, `fold_conversations` on buckets by conversation, and `merge_counts` / `merge_usage` add up what came out.
"""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from pipelines.fold.bucket import Bucket, cut_values, open_bucket
from pipelines.fold.columns import Ints, decimal_column, names_column, tally
from pipelines.fold.duplicates import drop_duplicates
from pipelines.fold.merge import merge_counts, merge_usage, pool_days
from pipelines.fold.sums import Cells, Sums, cells_of, class_sums, leak_sums
from pipelines.fold.usage import usage_of
from pipelines.schema import COUNT, CUTS, DUPLICATE, GROUP, Measure

__all__ = [
    "FoldResult",
    "drop_duplicates",
    "fold_bucket",
    "fold_conversations",
    "merge_counts",
    "merge_usage",
    "pool_days",
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
    if not len(turns):
        return FoldResult(merge_counts([]), merge_usage([]), DUPLICATE.empty_table())
    bucket = open_bucket(turns, measures)
    seen: list[tuple[Cells, list[Sums]]] = []
    tables = [_fold_cut(turns, bucket, measures, cut, seen) for cut in ("all", *CUTS)]
    return FoldResult(merge_counts(tables), usage_of(turns), DUPLICATE.empty_table())


def _fold_cut(
    turns: pa.Table, bucket: Bucket, measures: tuple[Measure, ...], cut: str, seen: list[tuple[Cells, list[Sums]]]
) -> pa.Table:
    value, names = cut_values(turns, bucket, cut)
    cells = cells_of(bucket, value, len(names))
    sums = next((sums for other, sums in seen if other.same_turns(cells)), None)
    if sums is None:
        sums = _measure_sums(bucket, cells)
        seen.append((cells, sums))
    kept = [_rows_kept(index, part, cut) for index, part in enumerate(sums)]
    return _table(
        bucket,
        cells,
        (cut, names),
        measures,
        kept,
        [{name: column[rows] for name, column in part.items()} for rows, part in zip(kept, sums, strict=True)],
    )


def _measure_sums(bucket: Bucket, cells: Cells) -> list[Sums]:
    common = {"records": tally(cells.own, len(cells)), "responses": tally(cells.own[bucket.body], len(cells))}
    by_class = class_sums(bucket, cells)
    found = []
    for index, leaks in zip(bucket.class_of_measure, bucket.leaks, strict=True):
        sums = common | by_class[index]
        for name, added in (leak_sums(leaks, bucket, cells) if leaks else {}).items():
            sums[name] = sums[name] + added if name in sums else added
        found.append(sums)
    return found


def _rows_kept(index: int, sums: Sums, cut: str) -> Ints:
    """The cells that get a row: all of them unsplit, else those where the measure could fire.

    The first measure stands in every cell, so that a cell's responses are known even where nothing could fire.
    """
    if cut == "all" or index == 0:
        return np.arange(len(sums["records"]))
    return np.flatnonzero((sums["turns"] > 0) | (sums["conversations"] > 0))


def _table(
    bucket: Bucket,
    cells: Cells,
    cut: tuple[str, tuple[str, ...]],
    measures: tuple[Measure, ...],
    cell: list[Ints],
    rows: list[Sums],
) -> pa.Table:
    where = np.concatenate(cell) if cell else np.zeros(0, np.int64)
    measure = np.repeat(np.arange(len(cell)), [len(part) for part in cell])
    group = cells.group[where]
    columns: dict[str, pa.Array] = {}
    for index, name in enumerate(GROUP):
        columns[name] = _named(group, [values[index] for values in bucket.group_names])
    columns["cut"] = _named(np.zeros(len(where), np.int64), [cut[0]])
    columns["cut_value"] = names_column(cells.value[where], cut[1])
    for column, attribute in (
        ("measure_kind", "kind"),
        ("measure", "name"),
        ("measure_version", "version"),
        ("tier", "tier"),
    ):
        columns[column] = _named(measure, [getattr(value, attribute) for value in measures])
    for field in COUNT:
        if field.name in columns:
            continue
        units = np.concatenate(
            [part.get(field.name, np.zeros(len(kept), np.int64)) for part, kept in zip(rows, cell, strict=True)]
        )
        columns[field.name] = (
            decimal_column(units, field.type.scale) if pa.types.is_decimal(field.type) else pa.array(units)
        )
    return pa.Table.from_arrays([columns[name] for name in COUNT.names], schema=COUNT)


def _named(index: Ints, names: list[str]) -> pa.Array:
    """A dictionary column from names that may repeat."""
    distinct = sorted(set(names))
    rank = np.array([distinct.index(name) for name in names], np.int64)
    return names_column(rank[index], distinct)

"""COUNT rows of one bucket, cut by cut."""

from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa

from pipelines.fold.bucket import Bucket, cut_values, open_bucket
from pipelines.fold.columns import Ints, decimal_column, names_column, tally
from pipelines.fold.sums import Cells, Sums, cells_of, class_sums, leak_sums
from pipelines.schema import COUNT, CUTS, GROUP, Measure

_MEASURE_COLUMNS = {"measure_kind": "kind", "measure": "name", "measure_version": "version", "tier": "tier"}


def count_cuts(turns: pa.Table, measures: tuple[Measure, ...]) -> Iterator[pa.Table]:
    """A COUNT table for `all` and for each of CUTS; `turns` are TURN rows without duplicates, at least one."""
    bucket = open_bucket(turns, measures)
    seen: list[tuple[Cells, list[Sums]]] = []
    for cut in ("all", *CUTS):
        value, names = cut_values(turns, bucket, cut)
        cells = cells_of(bucket, value, len(names))
        sums = next((sums for other, sums in seen if other.same_turns(cells)), None)
        if sums is None:
            sums = _measure_sums(bucket, cells)
            seen.append((cells, sums))
        kept = [_rows_kept(index, part, cut) for index, part in enumerate(sums)]
        names_of = _group_columns(bucket, cells, np.concatenate(kept)) | _cut_columns(cells, kept, cut=cut, names=names)
        yield _table(names_of | _measure_columns(measures, kept), sums, kept)


def _measure_sums(bucket: Bucket, cells: Cells) -> list[Sums]:
    common = {
        "records": tally(cells.own, len(cells)),
        "scannable": tally(cells.own[bucket.judged], len(cells)),
        "responses": tally(cells.own[bucket.body], len(cells)),
    }
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


def _group_columns(bucket: Bucket, cells: Cells, where: Ints) -> dict[str, pa.Array]:
    group = cells.group[where]
    return {name: _named(group, [values[index] for values in bucket.group_names]) for index, name in enumerate(GROUP)}


def _cut_columns(cells: Cells, kept: Sequence[Ints], *, cut: str, names: Sequence[str]) -> dict[str, pa.Array]:
    where = np.concatenate(kept)
    return {"cut": _named(np.zeros(len(where), np.int64), [cut]), "cut_value": names_column(cells.value[where], names)}


def _measure_columns(measures: tuple[Measure, ...], kept: Sequence[Ints]) -> dict[str, pa.Array]:
    measure = np.repeat(np.arange(len(kept)), [len(part) for part in kept])
    return {
        column: _named(measure, [getattr(value, attribute) for value in measures])
        for column, attribute in _MEASURE_COLUMNS.items()
    }


def _table(names: dict[str, pa.Array], sums: Sequence[Sums], kept: Sequence[Ints]) -> pa.Table:
    columns = []
    for field in COUNT:
        if field.name in names:
            columns.append(names[field.name])
            continue
        units = [
            part[field.name][rows] if field.name in part else np.zeros(len(rows), np.int64)
            for part, rows in zip(sums, kept, strict=True)
        ]
        whole = np.concatenate(units)
        columns.append(decimal_column(whole, field.type.scale) if pa.types.is_decimal(field.type) else pa.array(whole))
    return pa.Table.from_arrays(columns, schema=COUNT)


def _named(index: Ints, names: Sequence[str]) -> pa.Array:
    """A dictionary column from names that may repeat."""
    distinct = sorted(set(names))
    rank = {name: place for place, name in enumerate(distinct)}
    return names_column(np.array([rank[name] for name in names], np.int64)[index], distinct)

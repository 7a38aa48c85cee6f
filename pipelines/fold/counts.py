"""COUNT of one bucket: all cuts and measures at once, as matrices of measure × cell."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from pipelines.fold.bucket import Bucket, open_bucket
from pipelines.fold.columns import Bools, Ints, decimal_column, names_column
from pipelines.fold.sums import Cells, Sums, cells_of, class_sums, leak_sums, turn_sums
from pipelines.schema import COUNT, GROUP, Measure

_MEASURE = ("measure_kind", "measure", "measure_version", "tier")


@dataclass(frozen=True)
class _Division:
    """One way in which cuts divide the turns, and its sums: of cells, of class × cell, of leaking measure (then none) × cell."""

    cells: Cells
    matrices: tuple[Sums, Sums, Sums]


@dataclass(frozen=True)
class _Rows:
    """Rows of one cut: measure, names of the cell as codes, and where the row's sums lie in the matrices of all divisions."""

    measure: Ints
    group: Ints
    value: Ints
    names: tuple[str, ...]
    places: tuple[Ints, Ints, Ints]


def count_cuts(rows: pa.Table, kinds: pa.Table, measures: tuple[Measure, ...]) -> pa.Table:
    """COUNT for `all` and for each of CUTS, sorted; `rows` and `kinds` are ROW and KIND without duplicates, at least one row."""
    bucket = open_bucket(rows, kinds, measures)
    divisions: list[_Division] = []
    found: dict[str, _Rows] = {}
    for cut, (value, names) in {"all": (np.zeros_like(bucket.group), ("all",)), **bucket.cuts}.items():
        cells = cells_of(bucket, value, len(names))
        index = next((at for at, other in enumerate(divisions) if other.cells.same_turns(cells)), len(divisions))
        if index == len(divisions):
            divisions.append(_divide(bucket, cells))
        measure, cell = np.nonzero(_kept(divisions[index], bucket.class_of_measure, cut))
        starts = [sum(_size(division.matrices[kind]) for division in divisions[:index]) for kind in range(3)]
        places = [start + line[measure] * len(cells) + cell for start, line in zip(starts, _lines(bucket), strict=True)]
        found[cut] = _Rows(measure, cells.group[cell], cells.value[cell], names, (places[0], places[1], places[2]))
    return _table(bucket, measures, found, divisions)


def _lines(bucket: Bucket) -> tuple[Ints, Ints, Ints]:
    """The line of each measure in the three matrices of a division."""
    leaking = np.array([leaks is not None for leaks in bucket.leaks], np.bool_)
    return (
        np.zeros_like(bucket.class_of_measure),
        bucket.class_of_measure,
        np.where(leaking, np.cumsum(leaking) - 1, leaking.sum()),
    )


def _divide(bucket: Bucket, cells: Cells) -> _Division:
    leaks = [leak_sums(leaks, bucket, cells) for leaks in bucket.leaks if leaks is not None]
    none = np.zeros(len(cells), np.int64)
    of_leaks = {name: np.stack([*(sums[name] for sums in leaks), none]) for name in (leaks[0] if leaks else ())}
    return _Division(cells, (turn_sums(bucket, cells), class_sums(bucket, cells), of_leaks))


def _size(sums: Sums) -> int:
    return next(iter(sums.values())).size if sums else 0


def _kept(division: _Division, class_of_measure: Ints, cut: str) -> Bools:
    """The rows that there are, as measure × cell: all of them unsplit, else those where the measure could fire.

    The first measure stands in every cell, so that a cell's responses are known even where nothing could fire.
    """
    sums = division.matrices[1]
    kept: Bools = ((sums["turns"] > 0) | (sums["conversations"] > 0))[class_of_measure]
    kept[:1] = True
    return np.ones_like(kept) if cut == "all" else kept


def _table(
    bucket: Bucket, measures: tuple[Measure, ...], found: dict[str, _Rows], divisions: Sequence[_Division]
) -> pa.Table:
    """The rows of all cuts in the order of their names."""
    cuts, values = sorted(found), sorted({name for rows in found.values() for name in rows.names})
    cut = np.concatenate([np.full(len(rows.measure), cuts.index(name)) for name, rows in found.items()])
    value = np.concatenate([_ranks(rows.names, values)[rows.value] for rows in found.values()])
    group, measure = (np.concatenate([getattr(rows, name) for rows in found.values()]) for name in ("group", "measure"))
    rank = _ranks(keys := [(one.kind, one.name, one.version, one.tier) for one in measures], sorted(keys))
    order = np.argsort(((group * len(cuts) + cut) * len(values) + value) * len(keys) + rank[measure], kind="stable")
    columns = {"cut": names_column(cut[order], cuts), "cut_value": names_column(value[order], values)}
    columns |= {
        name: _named(group[order], of) for name, of in zip(GROUP, zip(*bucket.group_names, strict=True), strict=True)
    }
    columns |= {name: _named(measure[order], of) for name, of in zip(_MEASURE, zip(*keys, strict=True), strict=True)}
    places = [np.concatenate([rows.places[kind] for rows in found.values()])[order] for kind in range(3)]
    for field in COUNT:
        if field.name not in columns:
            whole = _numbers(field.name, divisions, places)
            decimal = pa.types.is_decimal(field.type)
            columns[field.name] = decimal_column(whole, field.type.scale) if decimal else pa.array(whole)
    return pa.Table.from_arrays([columns[name] for name in COUNT.names], schema=COUNT)


def _numbers(name: str, divisions: Sequence[_Division], places: Sequence[Ints]) -> Ints:
    """One column: the sums of cells, of classes and of leaks added up, each taken from its place."""
    total = np.zeros(len(places[0]), np.int64)
    for kind, place in enumerate(places):
        parts = [division.matrices[kind][name].reshape(-1) for division in divisions if name in division.matrices[kind]]
        if parts:
            total += np.concatenate(parts)[place]
    return total


def _ranks(names: Sequence[object], ordered: Sequence[object]) -> Ints:
    """The place of each name among the ordered ones."""
    place = {name: index for index, name in enumerate(ordered)}
    return np.array([place[name] for name in names], np.int64)


def _named(index: Ints, names: Sequence[str]) -> pa.Array:
    """A dictionary column from names that may repeat."""
    distinct = sorted(set(names))
    return names_column(_ranks(names, distinct)[index], distinct)

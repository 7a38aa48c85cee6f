"""COUNT of one bucket: all cuts and measures at once, as matrices of measure × cell."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

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


@dataclass(frozen=True)
class _Counted:
    """All rows in the order of their names, as codes, and the sums that they are made of."""

    names: dict[str, Sequence[str]]
    """Column of COUNT → the names that its codes stand for."""
    codes: dict[str, Ints]
    """group, measure, cut and cut_value of each row; the columns of GROUP and of measures have the codes of theirs."""
    places: tuple[Ints, ...]
    """Where the row's sums lie in each of the matrices."""
    matrices: tuple[Sums, ...]


def count_cuts(rows: pa.Table, kinds: pa.Table, measures: tuple[Measure, ...]) -> pa.Table:
    """COUNT for `all` and for each of CUTS, sorted; `rows` and `kinds` are ROW and KIND without duplicates, at least one row."""
    return _table(_counted(open_bucket(rows, kinds, measures), measures), slice(None))


def count_days(rows: pa.Table, kinds: pa.Table, measures: tuple[Measure, ...]) -> Iterator[pa.Table]:
    """The same, day by day, so that never more than one day's rows are held."""
    bucket = open_bucket(rows, kinds, measures)
    counted = _counted(bucket, measures)
    days = [names[0] for names in bucket.group_names]
    day = _ranks(days, sorted(set(days)))[counted.codes["group"]]
    for start, end in pairwise([0, *(np.flatnonzero(np.diff(day)) + 1).tolist(), len(day)]):
        yield _table(counted, slice(start, end))


def _counted(bucket: Bucket, measures: tuple[Measure, ...]) -> _Counted:
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
    return _in_order(bucket, measures, found, divisions)


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


def _in_order(
    bucket: Bucket, measures: tuple[Measure, ...], found: dict[str, _Rows], divisions: Sequence[_Division]
) -> _Counted:
    cuts, values = sorted(found), sorted({name for rows in found.values() for name in rows.names})
    keys = [(one.kind, one.name, one.version, one.tier) for one in measures]
    codes = {
        "group": np.concatenate([rows.group for rows in found.values()]),
        "cut": np.concatenate([np.full(len(rows.measure), cuts.index(name)) for name, rows in found.items()]),
        "cut_value": np.concatenate([_ranks(rows.names, values)[rows.value] for rows in found.values()]),
        "measure": np.concatenate([rows.measure for rows in found.values()]),
    }
    rank = (codes["group"] * len(cuts) + codes["cut"]) * len(values) + codes["cut_value"]
    order = np.argsort(rank * len(keys) + _ranks(keys, sorted(keys))[codes["measure"]], kind="stable")
    return _Counted(
        names={"cut": cuts, "cut_value": values}
        | dict(zip(GROUP, zip(*bucket.group_names, strict=True), strict=True))
        | dict(zip(_MEASURE, zip(*keys, strict=True), strict=True)),
        codes={name: code[order] for name, code in codes.items()},
        places=tuple(np.concatenate([rows.places[kind] for rows in found.values()])[order] for kind in range(3)),
        matrices=tuple(_flat([division.matrices[kind] for division in divisions]) for kind in range(3)),
    )


def _flat(matrices: Sequence[Sums]) -> Sums:
    """The numbers of all matrices one after the other, by column."""
    return {name: np.concatenate([sums[name].reshape(-1) for sums in matrices]) for name in matrices[0]}


def _table(counted: _Counted, some: slice) -> pa.Table:
    """COUNT of some of the rows."""
    columns = []
    for field in COUNT:
        if field.name in counted.names:
            code = "group" if field.name in GROUP else "measure" if field.name in _MEASURE else field.name
            columns.append(_named(counted.codes[code][some], counted.names[field.name]))
            continue
        whole = np.zeros(len(counted.codes["group"][some]), np.int64)
        for sums, place in zip(counted.matrices, counted.places, strict=True):
            whole += sums[field.name][place[some]] if field.name in sums else 0
        columns.append(decimal_column(whole, field.type.scale) if pa.types.is_decimal(field.type) else pa.array(whole))
    return pa.Table.from_arrays(columns, schema=COUNT)


def _ranks(names: Sequence[object], ordered: Sequence[object]) -> Ints:
    """The place of each name among the ordered ones."""
    place = {name: index for index, name in enumerate(ordered)}
    return np.array([place[name] for name in names], np.int64)


def _named(index: Ints, names: Sequence[str]) -> pa.Array:
    """A dictionary column from names that may repeat."""
    distinct = sorted(set(names))
    return names_column(_ranks(names, distinct)[index], distinct)

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
_NUMBERS = COUNT.names[COUNT.names.index("records") :]


@dataclass(frozen=True)
class _Rows:
    """Rows of one cut: where each lies among the sums, and what it is called; numbers count in GROUP names, measures and `names`."""

    place: Ints
    group: Ints
    measure: Ints
    value: Ints
    names: tuple[str, ...]


def count_cuts(rows: pa.Table, kinds: pa.Table, measures: tuple[Measure, ...]) -> pa.Table:
    """COUNT for `all` and for each of CUTS, sorted; `rows` and `kinds` are ROW and KIND without duplicates, at least one row."""
    bucket = open_bucket(rows, kinds, measures)
    seen: list[tuple[Cells, Sums]] = []
    starts = [0]
    found: dict[str, _Rows] = {}
    for cut, (value, names) in {"all": (np.zeros_like(bucket.group), ("all",)), **bucket.cuts}.items():
        cells = cells_of(bucket, value, len(names))
        index = next((index for index, (other, _) in enumerate(seen) if other.same_turns(cells)), len(seen))
        if index == len(seen):
            seen.append((cells, _sums(bucket, cells)))
            starts.append(starts[-1] + len(measures) * len(cells))
        measure, cell = np.nonzero(_kept(seen[index][1], cut))
        place = starts[index] + measure * len(cells) + cell
        found[cut] = _Rows(place, cells.group[cell], measure, cells.value[cell], names)
    return _table(bucket, measures, found, [sums for _, sums in seen])


def _sums(bucket: Bucket, cells: Cells) -> Sums:
    """Every number of COUNT as measure × cell."""
    shape = len(bucket.class_of_measure), len(cells)
    found = {name: np.zeros(shape, np.int64) for name in _NUMBERS}
    found |= {name: sums[bucket.class_of_measure] for name, sums in class_sums(bucket, cells).items()}
    found |= {name: np.broadcast_to(sums, shape) for name, sums in turn_sums(bucket, cells).items()}
    for measure, leaks in enumerate(bucket.leaks):
        if leaks is not None:
            for name, added in leak_sums(leaks, bucket, cells).items():
                found[name][measure] += added
    return found


def _kept(sums: Sums, cut: str) -> Bools:
    """The rows that there are: all of them unsplit, else those where the measure could fire.

    The first measure stands in every cell, so that a cell's responses are known even where nothing could fire.
    """
    kept: Bools = (sums["turns"] > 0) | (sums["conversations"] > 0)
    kept[:1] = True
    return np.ones_like(kept) if cut == "all" else kept


def _table(bucket: Bucket, measures: tuple[Measure, ...], found: dict[str, _Rows], sums: Sequence[Sums]) -> pa.Table:
    """The rows of all cuts in the order of their names."""
    cuts, values = sorted(found), sorted({name for rows in found.values() for name in rows.names})
    cut = np.concatenate([np.full(len(rows.place), cuts.index(name)) for name, rows in found.items()])
    value = np.concatenate([_ranks(rows.names, values)[rows.value] for rows in found.values()])
    group, measure, place = (
        np.concatenate([getattr(rows, name) for rows in found.values()]) for name in ("group", "measure", "place")
    )
    rank = _ranks(keys := [(one.kind, one.name, one.version, one.tier) for one in measures], sorted(keys))
    order = np.argsort(((group * len(cuts) + cut) * len(values) + value) * len(keys) + rank[measure], kind="stable")
    columns = {"cut": names_column(cut[order], cuts), "cut_value": names_column(value[order], values)}
    columns |= {
        name: _named(group[order], of) for name, of in zip(GROUP, zip(*bucket.group_names, strict=True), strict=True)
    }
    columns |= {name: _named(measure[order], of) for name, of in zip(_MEASURE, zip(*keys, strict=True), strict=True)}
    for field in COUNT:
        if field.name not in columns:
            whole = np.concatenate([part[field.name].reshape(-1) for part in sums])[place[order]]
            decimal = pa.types.is_decimal(field.type)
            columns[field.name] = decimal_column(whole, field.type.scale) if decimal else pa.array(whole)
    return pa.Table.from_arrays([columns[name] for name in COUNT.names], schema=COUNT)


def _ranks(names: Sequence[object], ordered: Sequence[object]) -> Ints:
    """The place of each name among the ordered ones."""
    place = {name: index for index, name in enumerate(ordered)}
    return np.array([place[name] for name in names], np.int64)


def _named(index: Ints, names: Sequence[str]) -> pa.Array:
    """A dictionary column from names that may repeat."""
    distinct = sorted(set(names))
    return names_column(_ranks(names, distinct)[index], distinct)

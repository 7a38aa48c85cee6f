"""Published days of a store: turns that count, findings, counts, usage, rates and coverage, each in a file named by its day."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipelines import store
from pipelines.finish.coverage import Counts, coverage_table
from pipelines.finish.parts import coverage_of
from pipelines.finish.staged import one_chunk, with_positions
from pipelines.fold import fold_conversations, merge_counts, merge_usage
from pipelines.fold.columns import codes
from pipelines.history.affected import rows_per_day
from pipelines.history.parts import Keys64, Mask, Scan, union, uri_of
from pipelines.history.state import Day
from pipelines.history.turns import Turns, whole_conversations
from pipelines.outputs import DAY_TABLES
from pipelines.rates import rates, usage_shares
from pipelines.schema import DETECTION, TURN, Measure

ROWS_AT_ONCE = 1 << 19
"""Days are folded together up to so many rows, and a larger day in buckets of conversations: what bounds the memory."""
DAY_COVERAGE = "_days"
MEASURES_KEY = "leakrate.measures"
_coverages = msgspec.json.Decoder(Counts)


@dataclass(frozen=True)
class Folded:
    """Rows of some days, of one bucket of their conversations."""

    turns: pa.Table
    """TURN rows that count."""
    detections: pa.Table
    counts: pa.Table
    usage: pa.Table
    measures: tuple[Measure, ...]
    """What the bits of the turns stand for."""
    coverage: dict[str, Counts]
    """By day: (source, format, counter → number) of the turns that count."""


def fold_days(scan: Scan, days: Iterable[str]) -> Iterator[tuple[str, list[Folded]]]:
    """Each of the days with its rows, in buckets of conversations; a day without a row that counts comes with none."""
    rows = rows_per_day(scan)
    for group in _groups(sorted(days), rows):
        buckets = -(-sum(rows.get(day, 0) for day in group) // ROWS_AT_ONCE) or 1
        parts = [_fold(scan, group, bucket=bucket, buckets=buckets) for bucket in range(buckets)]
        for day in group:
            yield day, [part for part in (_of_day(part, day) for part in parts) if len(part.turns)]


def _groups(days: Sequence[str], rows: dict[str, int]) -> list[list[str]]:
    groups: list[list[str]] = []
    held = 0
    for day in days:
        held += rows.get(day, 0)
        if not groups or held > ROWS_AT_ONCE:
            groups.append([])
            held = rows.get(day, 0)
        groups[-1].append(day)
    return groups


def _fold(scan: Scan, days: Sequence[str], *, bucket: int, buckets: int) -> Folded:
    turns = whole_conversations(scan, _conversations(scan, days, bucket=bucket, buckets=buckets))
    counted = turns.counted
    folded = fold_conversations(one_chunk(counted.select(TURN.names)), turns.measures)
    return Folded(
        turns=_on(counted, days),
        detections=_detections(scan, _on(counted, days)),
        counts=_published(_on(folded.counts, days), scan.state.measures[scan.state.current]),
        usage=_on(folded.usage, days),
        measures=turns.measures,
        coverage={day: _coverage(turns, day) for day in days},
    )


def _conversations(scan: Scan, days: Sequence[str], *, bucket: int, buckets: int) -> Keys64:
    """Conversations with a turn on one of the days; of one bucket."""
    wanted = [code for code, day in enumerate(scan.days) if day in days]
    found = union(keys.conversation[np.isin(keys.day, wanted)] for keys in scan)
    return found if buckets == 1 else found[found % np.uint64(buckets) == bucket]


def _on(table: pa.Table, days: Sequence[str]) -> pa.Table:
    return table.filter(pa.array(_is_on(table, days)))


def _is_on(table: pa.Table, days: Sequence[str]) -> Mask:
    day, names = codes(table["day"])
    return np.isin(day, [code for code, name in enumerate(names) if name in days])


def _published(counts: pa.Table, measures: Sequence[Measure]) -> pa.Table:
    """The counts without rows of other measures (those of former times) in which nothing could fire."""
    now = {(measure.kind, measure.name, measure.version) for measure in measures}
    keys = zip(*(counts[name].to_pylist() for name in ("measure_kind", "measure", "measure_version")), strict=True)
    known = np.array([key in now for key in keys], np.bool_)
    return counts.filter(
        pc.or_(pa.array(known), pc.or_(pc.greater(counts["turns"], 0), pc.greater(counts["conversations"], 0)))
    )


def _coverage(turns: Turns, day: str) -> Counts:
    mine = _is_on(turns.rows, [day])
    rows, counts = turns.rows.filter(pa.array(mine)), turns.counts[mine]
    return coverage_of(rows.append_column("shard", rows["part"]), rows.filter(pa.array(counts)), counts)


def _detections(scan: Scan, turns: pa.Table) -> pa.Table:
    """Findings in these turns, in their order."""
    tables = [DETECTION.empty_table()]
    part_of, rows = turns["part"].to_numpy(), turns["row"].to_numpy()
    for number in np.unique(part_of):
        found = store.read_parquet(uri_of(scan.folder, "detections", int(number)))
        mine = np.isin(found["row"].to_numpy(), rows[part_of == number])
        base = scan.state.parts[int(number)].base
        tables.append(with_positions(found.filter(pa.array(mine)), base).select(DETECTION.names))
    found = pa.concat_tables(tables)
    names = ("source_uri", "source_pos", "choice", "turn_key")
    found = found.append_column("order", pa.array(np.arange(len(found))))
    order = pc.sort_indices(found.select([*names, "order"]), [(name, "ascending") for name in (*names, "order")])
    return found.take(order).select(DETECTION.names)


def _of_day(part: Folded, day: str) -> Folded:
    return Folded(
        turns=_on(part.turns, [day]),
        detections=_on(part.detections, [day]),
        counts=_on(part.counts, [day]),
        usage=_on(part.usage, [day]),
        measures=part.measures,
        coverage={day: part.coverage[day]},
    )


def write_day(
    scan: Scan, day: str, parts: Sequence[Folded], *, folded: float, precision: pa.Table | None
) -> Day | None:
    """Replace the files of one day; what the state says of it, None for a day on which nothing counts (its files are gone then)."""
    folder = scan.folder
    if not parts:
        for name in DAY_TABLES:
            _remove_day(folder, name, day)
        store.remove(_coverage_uri(folder, day))
        return None
    counts, usage = (
        one_chunk(merge_counts([part.counts for part in parts])),
        one_chunk(merge_usage([part.usage for part in parts])),
    )
    coverage = _added(parts, day)
    published = rates(counts, coverage=_whole_coverage(scan, coverage), precision=precision)
    _write(folder, "turns", day, [_with_measures(_canonical(part.turns, TURN), part.measures) for part in parts])
    _write(folder, "detections", day, [_canonical(part.detections, DETECTION) for part in parts])
    for name, table in (("counts", counts), ("usage", usage_shares(usage)), ("rates", published)):
        _write(folder, name, day, [table])
    store.write(_coverage_uri(folder, day), msgspec.json.encode(coverage))
    return Day(
        folded=folded,
        turns=sum(len(part.turns) for part in parts),
        responses=sum(int(pc.sum(part.turns["body_logged"].cast(pa.int64())).as_py() or 0) for part in parts),
        sources=len({uri for uri, _, _ in coverage}),
    )


def read_day_coverage(folder: str, day: str) -> Counts:
    """(source, format, counter → number) of the turns that count on a published day."""
    return _coverages.decode(store.read(_coverage_uri(folder, day)))


def _coverage_uri(folder: str, day: str) -> str:
    return store.join(folder, DAY_COVERAGE, f"{day}.json")


def _whole_coverage(scan: Scan, coverage: Counts) -> pa.Table:
    """COVERAGE of the day's turns and of all items in its files, whatever became of them."""
    files = sorted({uri for uri, _, _ in coverage})
    read = ((uri, name, counts) for uri in files for name, counts in scan.state.sources[uri].coverage)
    return coverage_table((), [tuple(read), coverage])


def _added(parts: Sequence[Folded], day: str) -> Counts:
    table: dict[tuple[str, str], dict[str, int]] = {}
    for part in parts:
        for uri, name, counts in part.coverage[day]:
            row = table.setdefault((uri, name), {})
            for counter, count in counts.items():
                row[counter] = row.get(counter, 0) + count
    return tuple((*source, dict(sorted(row.items()))) for source, row in sorted(table.items()))


def _canonical(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """The table with the names of each dictionary in order of their first row: equal rows give equal bytes."""
    columns = []
    for field in schema:
        column = table[field.name]
        if pa.types.is_dictionary(field.type):
            column = column.cast(field.type.value_type).combine_chunks().dictionary_encode()
        columns.append(column)
    return pa.Table.from_arrays(columns, schema=schema).combine_chunks()


def _with_measures(turns: pa.Table, measures: tuple[Measure, ...]) -> pa.Table:
    """The turns with the order of their bits in the file's own metadata, since other days may have another."""
    return turns.replace_schema_metadata({MEASURES_KEY: msgspec.json.encode(measures)})


def _write(folder: str, name: str, day: str, tables: Sequence[pa.Table]) -> None:
    files = [f"{day}.parquet"] if len(tables) == 1 else [f"{day}.{place:05d}.parquet" for place in range(len(tables))]
    for file, table in zip(files, tables, strict=True):
        store.write_parquet(store.join(folder, name, file), table)
    _remove_day(folder, name, day, besides=files)


def _remove_day(folder: str, name: str, day: str, besides: Sequence[str] = ()) -> None:
    for file in store.names(store.join(folder, name)):
        if file.split(".")[0] == day and file not in besides:
            store.remove(store.join(folder, name, file))

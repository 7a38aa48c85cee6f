"""COUNT and RATE of all buckets as files, some days at a time, so that a month of logs needs no more memory than a day."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from pipelines import store
from pipelines.finish.counts import counts_uri
from pipelines.finish.staged import one_chunk
from pipelines.fold import merge_counts, pool_days, with_whole_conversations
from pipelines.schema import COUNT, RATE

ROWS_AT_ONCE = 1 << 14
"""Days are taken together up to so many rows of the buckets' counts: 5 MB of them, and 10 MB of their rates."""
_POOLED_AT_ONCE = 1 << 15
Rate = Callable[[pa.Table], pa.Table]


@dataclass(frozen=True)
class Rated:
    """What was written, and what a summary needs of it."""

    counts: int
    rates: int
    """Rows."""
    unsplit: pa.Table
    """RATE of whole groups, by day."""
    pooled: pa.Table
    """RATE with all days together."""


def write_rated(work: str, folder: str, *, buckets: int, rate: Rate) -> Rated:
    """Write counts.parquet, rates.parquet and rates.csv into the folder; `rate` makes RATE of COUNT rows."""
    unsplit, pooled = [RATE.empty_table()], [COUNT.empty_table()]
    counted = rated = 0
    with (
        store.parquet_pieces(store.join(folder, "counts.parquet"), COUNT) as write_counts,
        store.parquet_pieces(store.join(folder, "rates.parquet"), RATE) as write_rates,
        store.csv_pieces(store.join(folder, "rates.csv"), RATE) as write_lines,
    ):
        for counts in _some_days(work, buckets):
            rates = rate(counts)
            write_counts(counts)
            write_rates(rates)
            write_lines(rates)
            counted, rated = counted + len(counts), rated + len(rates)
            unsplit.append(rates.filter(pc.equal(rates["cut"], "all")))
            of_all = with_whole_conversations(_under_all(counts)) if _one_day(counts) else pool_days(counts)
            pooled = _added(pooled, of_all)
    whole = pa.concat_tables(unsplit).combine_chunks()
    alone = rated > 0 and _one_day(whole)
    return Rated(counted, rated, whole, _under_all(rates) if alone else rate(merge_counts(pooled)))


def _some_days(work: str, buckets: int) -> Iterator[pa.Table]:
    """COUNT of all buckets, sorted; each table has whole days, and the days rise."""
    streams = [store.read_batches(counts_uri(work, "counts", bucket)) for bucket in range(buckets)]
    heads = [next(stream, None) for stream in streams]
    held: list[pa.Table] = []
    while days := [_day(head) for head in heads if head is not None]:
        for bucket, head in enumerate(heads):
            if head is not None and _day(head) == min(days):
                held.append(head)
                heads[bucket] = next(streams[bucket], None)
        if sum(map(len, held)) >= ROWS_AT_ONCE:
            yield _merged(held)
            held = []
    if held:
        yield _merged(held)


def _merged(tables: list[pa.Table]) -> pa.Table:
    return one_chunk(tables[0] if len(tables) == 1 else merge_counts(tables))


def _day(counts: pa.Table) -> str:
    return str(counts["day"][0].as_py())


def _one_day(table: pa.Table) -> bool:
    """Whether the rows, which are sorted by day, are all of one."""
    return len(table) > 0 and table["day"][0].as_py() == table["day"][-1].as_py()


def _under_all(table: pa.Table) -> pa.Table:
    """Rows of one day as those of all days."""
    days = pa.array(["all"] * len(table), pa.string())
    field = table.schema.field("day")
    return table.set_column(0, field, days.dictionary_encode() if pa.types.is_dictionary(field.type) else days)


def _added(pooled: list[pa.Table], counts: pa.Table) -> list[pa.Table]:
    """The counts beside those before, added up when they become many."""
    together = [*pooled, counts]
    return together if sum(map(len, together)) < _POOLED_AT_ONCE else [merge_counts(together)]

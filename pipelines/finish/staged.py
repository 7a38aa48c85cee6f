"""Unfinished rows of finished shards as one table, with the positions of their files and their own place (shard, row)."""

from collections.abc import Iterable

import numpy as np
import pyarrow as pa

from pipelines import store
from pipelines.job import Finished
from pipelines.shard import part_uri


def staged_turns(work: str, shards: Iterable[Finished], columns: list[str] | None = None) -> pa.Table:
    """TURN rows (with what the steps add to them) of the shards, plus `shard` (its number) and `row` (in that shard)."""
    tables = []
    for shard in shards:
        table = with_positions(store.read_stream(part_uri(work, "turns", shard.sid), columns), shard.base)
        table = table.append_column("shard", pa.array(np.full(len(table), shard.number, np.int64)))
        tables.append(table.append_column("row", pa.array(np.arange(len(table), dtype=np.int64))))
    return pa.concat_tables(tables)


def with_positions(table: pa.Table, base: int) -> pa.Table:
    """The table with the positions of the piece, if it has them, moved to those of its file."""
    index = table.schema.get_field_index("source_pos")
    if not base or index < 0:
        return table
    moved = table["source_pos"].to_numpy() + base
    return table.set_column(index, table.schema.field(index), pa.array(moved, pa.int64()))


def one_chunk(table: pa.Table) -> pa.Table:
    """The table with one dictionary per column, as it is written: equal rows give equal bytes."""
    return table.unify_dictionaries().combine_chunks()

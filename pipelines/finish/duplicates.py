"""Turns that do not count because another with the same turn key does: listed in `duplicates/`, and marked for the next step."""

import numpy as np
import pyarrow as pa

from pipelines import store
from pipelines.finish.ledger import read_ledger
from pipelines.finish.staged import staged_turns
from pipelines.fold import drop_duplicates
from pipelines.job import Step

_COLUMNS = ["turn_key", "answered", "body_logged", "content_state", "source_file", "source_pos", "choice"]
DROPPED = pa.schema([pa.field("shard", pa.int64()), pa.field("row", pa.int64())])


def dropped_uri(work: str, bucket: int) -> str:
    return store.join(work, "dropped", f"{bucket:05d}.arrow")


def find_duplicates(step: Step) -> int:
    """Write the duplicates among the turn keys of one bucket; how many there are."""
    ledger = read_ledger(step.work)
    kept_of: list[pa.Table] = []
    for shard in ledger.shards:
        turns = staged_turns(step.work, [shard], _COLUMNS)
        if ledger.key_buckets > 1:
            keys = turns["turn_key"].to_numpy()
            turns = turns.filter(pa.array(keys % np.uint64(ledger.key_buckets) == step.number))
        kept_of.append(turns)
    turns = pa.concat_tables(kept_of) if kept_of else _nothing()
    turns = turns.append_column("index", pa.array(np.arange(len(turns))))
    kept, duplicates = drop_duplicates(turns)
    away = np.ones(len(turns), np.bool_)
    away[kept["index"].to_numpy()] = False
    dropped = turns.filter(pa.array(away)).select(["shard", "row"]).cast(DROPPED)
    store.write_stream(dropped_uri(step.work, step.number), DROPPED, dropped.to_batches())
    store.write_parquet(store.join(step.work, "final", "duplicates", f"part-{step.number:05d}.parquet"), duplicates)
    return len(duplicates)


def _nothing() -> pa.Table:
    from pipelines.shard.columns import STAGED_TURN

    fields = [STAGED_TURN.field(name) for name in _COLUMNS]
    return pa.schema([*fields, *DROPPED]).empty_table()

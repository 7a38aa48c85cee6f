"""Turns that do not count because another with the same turn key does: listed in `duplicates/`, and marked for the next step."""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pipelines import store
from pipelines.finish.ledger import read_ledger
from pipelines.finish.staged import staged_turns
from pipelines.fold import drop_duplicates
from pipelines.job import Finished, Step
from pipelines.shard import part_uri

_COLUMNS = ["turn_key", "answered", "body_logged", "content_state", "source_file", "source_pos", "choice"]
DROPPED = pa.schema([pa.field("shard", pa.int64()), pa.field("row", pa.int64())])
_Keys = npt.NDArray[np.uint64]


def dropped_uri(work: str, bucket: int) -> str:
    return store.join(work, "dropped", f"{bucket:05d}.arrow")


def find_duplicates(step: Step) -> int:
    """Write the duplicates among the turn keys of one bucket; how many there are."""
    ledger = read_ledger(step.work)
    keys_of = [_keys(step.work, shard) for shard in ledger.shards]
    repeated = _repeated(keys[keys % np.uint64(ledger.key_buckets) == step.number] for keys in keys_of)
    tables = [_nothing()]
    if len(repeated):
        for shard, keys in zip(ledger.shards, keys_of, strict=True):
            again = np.isin(keys, repeated)
            if again.any():
                tables.append(staged_turns(step.work, [shard], _COLUMNS).filter(pa.array(again)))
    turns = pa.concat_tables(tables)
    turns = turns.append_column("index", pa.array(np.arange(len(turns))))
    kept, duplicates = drop_duplicates(turns)
    away = np.ones(len(turns), np.bool_)
    away[kept["index"].to_numpy()] = False
    dropped = turns.filter(pa.array(away)).select(DROPPED.names).cast(DROPPED)
    store.write_stream(dropped_uri(step.work, step.number), DROPPED, dropped.to_batches())
    store.write_parquet(store.join(step.work, "final", "duplicates", f"part-{step.number:05d}.parquet"), duplicates)
    return len(duplicates)


def _keys(work: str, shard: Finished) -> _Keys:
    return np.asarray(store.read_stream(part_uri(work, "turns", shard.sid), ["turn_key"])["turn_key"].to_numpy())


def _repeated(parts: Iterable[_Keys]) -> _Keys:
    """The keys that stand more than once."""
    keys = np.sort(np.concatenate([np.zeros(0, np.uint64), *parts]))
    return np.unique(keys[1:][keys[1:] == keys[:-1]])


def _nothing() -> pa.Table:
    from pipelines.shard.columns import STAGED_TURN

    fields = [STAGED_TURN.field(name) for name in _COLUMNS]
    return pa.schema([*fields, *DROPPED]).empty_table()

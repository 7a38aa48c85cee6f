"""Final parts of TURN, DETECTION and REJECT from a group of shards, and their turns scattered into buckets of conversations.

What is scattered are rows that name their kind by number; the kinds of a group, which are few, lie beside its rows once.
"""

from collections import Counter

import msgspec
import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pipelines import store
from pipelines.finish.chains import follow, links_uri
from pipelines.finish.duplicates import dropped_uri
from pipelines.finish.ledger import read_ledger
from pipelines.finish.staged import one_chunk, staged_turns, with_positions
from pipelines.fold import KIND, ROW, split
from pipelines.fold.columns import codes, combine
from pipelines.job import Finished, PartSummary, Step
from pipelines.schema import DETECTION, REJECT, TURN
from pipelines.shard import part_uri
from pipelines.shard.columns import STAGED_TURN

_COUNTED = ["source_file", "format", "coverage"]
_Mask = npt.NDArray[np.bool_]
_summaries = msgspec.json.Decoder(PartSummary)


def part_summary_uri(work: str, group: int) -> str:
    return store.join(work, "parts", f"{group:05d}.json")


def bucket_uri(work: str, bucket: int, group: int) -> str:
    return store.join(work, "buckets", f"{bucket:05d}", f"{group:05d}.arrow")


def kinds_uri(work: str, group: int) -> str:
    return store.join(work, "kinds", f"{group:05d}.arrow")


def read_part_summary(work: str, group: int) -> PartSummary:
    return _summaries.decode(store.read(part_summary_uri(work, group)))


def write_part(step: Step) -> PartSummary:
    """Write the parts of one group of shards; a turn that does not count is in none of them, nor is any finding in it."""
    ledger = read_ledger(step.work)
    shards = [ledger.shards[index] for index in ledger.groups[step.number]]
    turns = staged_turns(step.work, shards) if shards else _nothing()
    keep = _kept(step.work, ledger.key_buckets, turns)
    kept = turns if keep.all() else turns.filter(pa.array(keep))
    counted = one_chunk(follow(kept, store.read_stream(links_uri(step.work))))
    tables = {
        "turns": counted.select(TURN.names),
        "detections": _detections(step.work, shards, turns, keep),
        "rejects": _rejects(step.work, shards),
    }
    for name, table in tables.items():
        store.write_parquet(store.join(step.work, "final", name, f"part-{step.number:05d}.parquet"), table)
    _scatter(step, tables["turns"], ledger.conversation_buckets)
    summary = PartSummary(
        rows={name: len(table) for name, table in tables.items()},
        coverage=coverage_of(turns, counted, keep),
    )
    store.write(part_summary_uri(step.work, step.number), msgspec.json.encode(summary))
    return summary


def _nothing() -> pa.Table:
    return pa.schema([*STAGED_TURN, pa.field("shard", pa.int64()), pa.field("row", pa.int64())]).empty_table()


def _kept(work: str, buckets: int, turns: pa.Table) -> _Mask:
    """Which turns count."""
    keep = np.ones(len(turns), np.bool_)
    dropped = pa.concat_tables([store.read_stream(dropped_uri(work, bucket)) for bucket in range(buckets)])
    if len(dropped):
        shard, row = turns["shard"].to_numpy(), turns["row"].to_numpy()
        keep = ~np.isin((shard << 32) | row, (dropped["shard"].to_numpy() << 32) | dropped["row"].to_numpy())
    return keep


def _detections(work: str, shards: list[Finished], turns: pa.Table, keep: _Mask) -> pa.Table:
    tables = [DETECTION.empty_table()]
    shard_of = turns["shard"].to_numpy()
    for shard in shards:
        found = store.read_stream(part_uri(work, "detections", shard.sid))
        counts = keep[shard_of == shard.number][found["row"].to_numpy()]
        tables.append(with_positions(found.filter(pa.array(counts)).select(DETECTION.names), shard.base))
    return one_chunk(pa.concat_tables(tables))


def _rejects(work: str, shards: list[Finished]) -> pa.Table:
    parts = [with_positions(store.read_stream(part_uri(work, "rejects", shard.sid)), shard.base) for shard in shards]
    return one_chunk(pa.concat_tables([REJECT.empty_table(), *parts]))


def _scatter(step: Step, turns: pa.Table, buckets: int) -> None:
    rows, kinds = split(turns)
    store.write_stream(kinds_uri(step.work, step.number), KIND, kinds.to_batches())
    bucket_of = rows["conversation"].to_numpy() % np.uint64(buckets)
    ends = np.cumsum(np.bincount(bucket_of.astype(np.int64), minlength=buckets))
    rows = rows if buckets == 1 else rows.take(pa.array(np.argsort(bucket_of, kind="stable")))
    for bucket, (start, end) in enumerate(zip([0, *ends[:-1]], ends, strict=True)):
        part = rows.slice(start, end - start)
        store.write_stream(bucket_uri(step.work, bucket, step.number), ROW, part.to_batches())


def coverage_of(turns: pa.Table, counted: pa.Table, keep: _Mask) -> tuple[tuple[str, str, dict[str, int]], ...]:
    """Counters of the turns that count, and the items all of whose turns are duplicates, by source file and format."""
    found: dict[tuple[str, str], Counter[str]] = {}
    columns = [codes(counted[name]) for name in _COUNTED]
    first, code, count = combine([(column, len(names)) for column, names in columns], len(counted))
    for row, number in zip(first, np.bincount(code, minlength=count), strict=True):
        uri, name, counters = (names[column[row]] for column, names in columns)
        added = found.setdefault((uri, name), Counter())
        for counter in counters.split(","):
            added[counter] += int(number)
    if not keep.all():
        item = (turns["shard"].to_numpy() << 32) | turns["item"].to_numpy()
        lost = ~keep & ~np.isin(item, item[keep])
        files, formats = turns["source_file"].to_pylist(), turns["format"].to_pylist()
        _, first = np.unique(item[lost], return_index=True)
        for row in np.flatnonzero(lost)[first].tolist():
            found.setdefault((files[row], formats[row]), Counter())["duplicate_items"] += 1
    return tuple((*source, dict(sorted(count.items()))) for source, count in sorted(found.items()))

"""The ledger of a run's finished shards: where each file's positions begin, and how the later steps are cut."""

from collections.abc import Iterable

import msgspec

from pipelines import store
from pipelines.job import Finished, Ledger, Shard, ShardSummary

TURNS_PER_PART = 3 << 14
"""About 80 MB of Arrow while a part is made, so that this step needs no more memory than reading a shard."""
TURNS_PER_BUCKET = 3 << 16
"""About 60 MB while a bucket is folded, most of whose work does not grow with its turns."""
KEYS_PER_BUCKET = 1 << 19
_ledgers = msgspec.json.Decoder(Ledger)


def write_ledger(
    work: str, shards: Iterable[Shard], summaries: Iterable[ShardSummary], *, model: str | None = None
) -> Ledger:
    """The ledger, written into the work folder; the same for the same shards, whoever processed them and in whatever order."""
    by_sid = {summary.sid: summary for summary in summaries}
    finished: list[Finished] = []
    places: dict[str, int] = {}
    for number, shard in enumerate(shards):
        summary, last = by_sid[shard.sid], shard.pieces[-1]
        base = places.get(last.uri, 0) if last.start else 0
        places[last.uri] = base + summary.positions
        finished.append(Finished(shard.sid, number, base, summary.turns, summary.chained))
    turns = sum(shard.turns for shard in finished)
    ledger = Ledger(
        shards=tuple(finished),
        groups=tuple(_groups(finished)),
        key_buckets=-(-turns // KEYS_PER_BUCKET) or 1,
        conversation_buckets=-(-turns // TURNS_PER_BUCKET) or 1,
        model=model,
    )
    store.write(store.join(work, "ledger.json"), msgspec.json.encode(ledger))
    return ledger


def read_ledger(work: str) -> Ledger:
    return _ledgers.decode(store.read(store.join(work, "ledger.json")))


def _groups(shards: list[Finished]) -> list[tuple[int, ...]]:
    """Consecutive shards with about TURNS_PER_PART turns together; one empty group where there is no shard."""
    groups: list[list[int]] = [[]]
    held = 0
    for index, shard in enumerate(shards):
        if groups[-1] and held + shard.turns > TURNS_PER_PART:
            groups.append([])
            held = 0
        groups[-1].append(index)
        held += shard.turns
    return [tuple(group) for group in groups]

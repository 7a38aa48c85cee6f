"""COUNT and USAGE of one bucket of conversations, each seen whole."""

import pyarrow as pa

from pipelines import store
from pipelines.finish.ledger import read_ledger
from pipelines.finish.parts import bucket_uri
from pipelines.finish.staged import one_chunk
from pipelines.fold import fold_conversations
from pipelines.job import Step
from pipelines.schema import COUNT, TURN, USAGE
from pipelines.shard.suspects import measures


def counts_uri(work: str, table: str, bucket: int) -> str:
    return store.join(work, table, f"{bucket:05d}.arrow")


def fold_counts(step: Step) -> int:
    """Fold one bucket and write its counts; how many turns it had."""
    ledger = read_ledger(step.work)
    groups = range(len(ledger.groups))
    parts = [store.read_stream(bucket_uri(step.work, step.number, group)) for group in groups]
    turns = one_chunk(pa.concat_tables([TURN.empty_table(), *parts]))
    folded = fold_conversations(turns, measures(ledger.model))
    store.write_stream(counts_uri(step.work, "counts", step.number), COUNT, folded.counts.to_batches())
    store.write_stream(counts_uri(step.work, "usage", step.number), USAGE, folded.usage.to_batches())
    return len(turns)

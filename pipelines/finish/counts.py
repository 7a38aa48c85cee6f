"""COUNT and USAGE of one bucket of conversations, each seen whole."""

from pipelines import store
from pipelines.finish.ledger import read_ledger
from pipelines.finish.parts import bucket_uri, kinds_uri
from pipelines.fold import fold_kinds, join
from pipelines.job import Step
from pipelines.schema import COUNT, USAGE
from pipelines.shard.suspects import measures


def counts_uri(work: str, table: str, bucket: int) -> str:
    return store.join(work, table, f"{bucket:05d}.arrow")


def fold_counts(step: Step) -> int:
    """Fold one bucket and write its counts; how many turns it had."""
    ledger = read_ledger(step.work)
    parts = [
        (store.read_stream(bucket_uri(step.work, step.number, group)), store.read_stream(kinds_uri(step.work, group)))
        for group in range(len(ledger.groups))
    ]
    rows, kinds = join(parts)
    folded = fold_kinds(rows, kinds, measures(ledger.model))
    store.write_stream(counts_uri(step.work, "counts", step.number), COUNT, folded.counts.to_batches())
    store.write_stream(counts_uri(step.work, "usage", step.number), USAGE, folded.usage.to_batches())
    return len(rows)

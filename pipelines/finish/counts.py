"""COUNT, a batch a day, and USAGE of one bucket of conversations, each seen whole."""

from pipelines import store
from pipelines.finish.ledger import read_ledger
from pipelines.finish.parts import bucket_uri, kinds_uri
from pipelines.fold import count_days, join, usage_of
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
    counts = count_days(rows, kinds, measures(ledger.model)) if len(rows) else ()
    batches = (batch for day in counts for batch in day.to_batches())
    store.write_stream(counts_uri(step.work, "counts", step.number), COUNT, batches)
    usage = usage_of(rows, kinds)
    store.write_stream(counts_uri(step.work, "usage", step.number), USAGE, usage.to_batches())
    return len(rows)

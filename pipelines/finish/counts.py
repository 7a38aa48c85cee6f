"""COUNT, a batch a day, and USAGE of one bucket of conversations, each seen whole."""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pyarrow as pa

from pipelines import store
from pipelines.finish.ledger import read_ledger
from pipelines.finish.parts import bucket_uri, kinds_uri
from pipelines.fold import fold_kinds, join
from pipelines.fold.columns import codes
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
    store.write_stream(counts_uri(step.work, "counts", step.number), COUNT, _by_day(folded.counts))
    store.write_stream(counts_uri(step.work, "usage", step.number), USAGE, folded.usage.to_batches())
    return len(rows)


def _by_day(counts: pa.Table) -> Iterator[pa.RecordBatch]:
    """A batch for each day of counts, which are sorted by it."""
    day, _ = codes(counts["day"])
    starts = [0, *(np.flatnonzero(np.diff(day)) + 1).tolist(), len(day)]
    for start, end in pairwise(starts):
        yield from counts.slice(start, end - start).to_batches()

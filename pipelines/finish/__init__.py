"""From the shards' unfinished parts to an output: duplicates dropped, positions made whole, conversations folded, all put in place.

Each step is a map over small tasks, like the shards, so that every engine runs it: duplicates by buckets of turn keys, parts by groups
of shards, counts by buckets of conversations. With little data each step is one task.
"""

from pipelines.finish.commit import commit
from pipelines.finish.counts import fold_counts
from pipelines.finish.duplicates import find_duplicates
from pipelines.finish.ledger import write_ledger
from pipelines.finish.parts import write_part

__all__ = ["commit", "find_duplicates", "fold_counts", "write_ledger", "write_part"]

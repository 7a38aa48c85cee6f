"""Functions for worker processes that die on purpose; a spawned process can only run what it can import."""

import os

from pipelines import ingest
from pipelines.job import Journal, Options, Shard, ShardSummary
from pipelines.shard import process_shard

DEADLY = b"please die"


def dies_at(shard: Shard, journal: Journal, options: Options) -> ShardSummary:
    """process_shard in a process that ends at once when it decodes a line with the deadly words."""
    real = ingest.decode

    def deadly(raw: bytes | memoryview) -> object:
        if DEADLY in bytes(raw):
            os._exit(9)
        return real(raw)

    ingest.decode = deadly  # type: ignore[assignment]
    return process_shard(shard, options, journal)


def dies_twice(task: tuple[str, int], journal: Journal) -> int:
    """The number of attempts, counted in a file, of which the first two end their process."""
    path, number = task
    with open(path, "a+") as file:  # noqa: PTH123
        file.seek(0)
        attempts = len(file.read())
        file.write("x")
    if attempts < 2:
        os._exit(7)
    return attempts + number

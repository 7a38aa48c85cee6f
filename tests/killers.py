"""Functions for worker processes that die on purpose; a spawned process can only run what it can import."""

import os
import time

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


def dies_while_it_starts(shard: Shard, journal: Journal, options: Options, attempts: str) -> ShardSummary:
    """process_shard at the third attempt; at the first two the process ends before it."""
    if asked_before(attempts) < 2:
        os._exit(9)
    return process_shard(shard, options, journal)


def dies_twice(task: tuple[str, int], journal: Journal) -> int:
    """The number of attempts, counted in a file, of which the first two end their process."""
    path, number = task
    attempts = asked_before(path)
    if attempts < 2:
        os._exit(7)
    return attempts + number


def tells_and_dies(task: str, journal: Journal) -> int:
    """A task that says how far it is and waits, and whose process dies at its first attempt."""
    attempts = asked_before(task)
    journal.passed(50 if attempts else 70, 5)
    time.sleep(0.7)
    if not attempts:
        os._exit(7)
    return attempts


def asked_before(path: str) -> int:
    """How often it was asked before, counted in a file."""
    with open(path, "a+") as file:  # noqa: PTH123
        file.seek(0)
        attempts = len(file.read())
        file.write("x")
    return attempts

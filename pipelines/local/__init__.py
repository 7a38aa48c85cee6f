"""The engine of this machine: a pool of processes, started afresh (never forked), that survives whatever one record does to it.

Rules and pyarrow are imported where tasks run, so that the process that only hands them out starts its workers at once.
"""

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from pipelines.errors import DataError
from pipelines.job import Journal, Options, Reading, Seen, Shard, ShardSummary, Step
from pipelines.local.alone import NOTHING, Culprit, in_this_process

_log = logging.getLogger("leakrate")
if TYPE_CHECKING:
    from pipelines.finish.commit import Output

MOST_CULPRITS = 20
MOST_DEATHS = 60
MOST_STARTS = 5
"""Deaths before anything is begun: no log is to blame for those, so nothing is left out."""
_MOST_BEGINNINGS = 3
"""Deaths in a piece before its first item that is read in full, until the piece is given up."""
_WHOLE_PIECE = -1
FEWEST_STEPS = 12
"""Fewer steps are done here before new processes would have begun: one takes 0.1 s, a process starts in 0.6 s (measured 2026-11-30)."""


@dataclass(frozen=True)
class Local:
    """An engine of `workers` processes. With one, everything happens in this process: it starts at once and isolates nothing."""

    workers: int = 1

    def shards(self, shards: Sequence[Shard], options: Options, seen: Seen = lambda _: None) -> Iterable[ShardSummary]:
        run = partial(_shard, options=options)

        def tell(size: int, turns: int) -> None:
            seen(Reading(size, turns))

        largest_first = sorted(shards, key=lambda shard: -shard.size)
        if self.workers == 1 or len(shards) < 2:
            return in_this_process(run, shards, recover=spare, tell=tell)
        from pipelines.local.pool import in_processes

        return in_processes(run, largest_first, workers=self.workers, recover=spare, tell=tell)

    def steps(self, step: Callable[[Step], object], tasks: Sequence[Step]) -> None:
        if self.workers == 1 or len(tasks) < FEWEST_STEPS:
            for task in tasks:
                _step(step, task)
        else:
            from pipelines.local.pool import in_processes

            for _ in in_processes(partial(_step, step), tasks, workers=self.workers, recover=_again):
                pass


def run(
    inputs: Sequence[str], output: str, *, workers: int = 1, fresh: bool = False, **options: str | None
) -> "Output":
    """Judge logs and write an output folder, as `leakrate run` does; its tables are read with `pipelines.outputs`.

    `options`: deployments, mapping, labels, model, evidence, since, until, as the options of the command. Raises InputError or
    ConfigurationError before any work.
    """
    from pipelines import leak_rates, plan, store

    asked = Options(work=store.join(output, leak_rates.WORK), **options)  # type: ignore[arg-type]
    leak_rates.check_options(asked)
    found = plan.plan(inputs, asked)
    with store.exclusive(output):
        leak_rates.claim(output, fresh=fresh)
        return leak_rates.leak_rates(output, asked, plan=found, engine=Local(workers))


def _shard(shard: Shard, journal: Journal, options: Options) -> ShardSummary:
    from pipelines.local.without_pandas import first_array_without_pandas
    from pipelines.shard import process_shard

    first_array_without_pandas()
    return process_shard(shard, options, journal)


def _step(step: Callable[[Step], object], task: Step, journal: Journal | None = None) -> None:
    import pyarrow as pa

    from pipelines.local.without_pandas import first_array_without_pandas

    first_array_without_pandas()
    step(task)
    pa.default_memory_pool().release_unused()


def spare(shard: Shard, deaths: int, culprit: Culprit, cause: str) -> Shard:
    """The shard to try after a death: once more as it is, then without the item that was read last, in the end without its file.

    Raises DataError when its processes die again and again before they begin, or of too many items.
    """
    piece, place = culprit
    uri, unexplained = shard.pieces[max(piece, 0)].uri, deaths - len(shard.poison)
    if deaths > MOST_DEATHS or (culprit == NOTHING and unexplained >= MOST_STARTS):
        raise DataError(f"{uri}: {deaths} processes that read it died ({cause}), so it was not read")
    if culprit == NOTHING or (place == _WHOLE_PIECE and unexplained < _MOST_BEGINNINGS):
        _log.warning("%s: a worker died before its first row (%s); trying again", uri, cause)
        return shard
    if deaths == 1:
        _log.warning("%s, item %d: a worker died reading it (%s); trying again", uri, place, cause)
        return shard
    if place == _WHOLE_PIECE or len(shard.poison) >= MOST_CULPRITS or culprit in shard.poison:
        _log.error("%s: workers died reading it (%s); it is given up, and what it holds is missing", uri, cause)
        culprit = (piece, _WHOLE_PIECE)
    else:
        _log.error("%s, item %d: a worker died reading it (%s); it is left out", uri, place, cause)
    return msgspec.structs.replace(shard, poison=(*shard.poison, culprit))


def _again(task: Step, deaths: int, culprit: Culprit, cause: str) -> Step:
    if deaths > 2:
        raise DataError(f"step {task.number} of the counting ended {deaths} processes ({cause})")
    return task

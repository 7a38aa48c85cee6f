"""The engine for Spark: the same tasks as on this machine, one Spark task each, tried again by Spark when an executor dies.

    from pyspark.sql import SparkSession
    from pipelines.spark import SparkEngine
    engine = SparkEngine(SparkSession.builder.getOrCreate())

The package has to be installed in the Python of the executors (`PYSPARK_PYTHON`), and inputs and output have to lie where all of
them can reach them. A record that kills its process is not spared as in the local pool: Spark tries its task again and gives up.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from pyspark.sql import SparkSession

from pipelines.errors import ConfigurationError
from pipelines.job import Options, Seen, Shard, ShardSummary, Stage, Step
from pipelines.shard import finished, process_shard


@dataclass(frozen=True)
class SparkEngine:
    """An engine on a Spark session."""

    session: SparkSession

    def shards(self, shards: Sequence[Shard], options: Options, seen: Seen = lambda _: None) -> Iterable[ShardSummary]:
        """Summaries of all shards, once all are done. Raises ConfigurationError for a name that executors cannot resolve."""
        _check_names([options.work, *(piece.uri for shard in shards for piece in shard.pieces)])
        seen(Stage("reading on Spark"))
        run = partial(_shard, options=options)
        for sid in self._each(run, sorted(shards, key=lambda shard: -shard.size)):
            summary = finished(options.work, sid)
            assert summary is not None, "a task that ends well has left its summary"
            yield summary

    def steps(self, step: Callable[[Step], object], tasks: Sequence[Step]) -> None:
        self._each(partial(_step, step), tasks)

    def _each(self, run: Callable[..., str], tasks: Sequence[Shard] | Sequence[Step]) -> list[str]:
        if not tasks:
            return []
        result: list[str] = self.session.sparkContext.parallelize(tasks, len(tasks)).map(run).collect()
        return result


def _check_names(names: Iterable[str]) -> None:
    """An executor has a working folder of its own, where a relative name means nothing and would only make rejects."""
    for name in names:
        if "://" not in name and not name.startswith("/"):
            raise ConfigurationError(f"{name}: Spark needs absolute paths or URLs, for inputs and output alike")


def _shard(shard: Shard, options: Options) -> str:
    return process_shard(shard, options).sid


def _step(step: Callable[[Step], object], task: Step) -> str:
    step(task)
    return str(task.number)

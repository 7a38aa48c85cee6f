"""The main job on a Beam runner: FnApiRunner here, PrismRunner, Dataflow or Flink elsewhere; the tables are those of this machine."""

# mypy: disable-error-code="no-untyped-call"
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import apache_beam as beam
import grpc  # type: ignore[import-untyped]
from apache_beam.options.pipeline_options import PipelineOptions

from pipelines.beam.refused import check_runner
from pipelines.beam.transforms import each_task
from pipelines.errors import ConfigurationError, DataError, LeakrateError
from pipelines.job import Options, Seen, Shard, ShardSummary, Stage, Step
from pipelines.shard import finished, process_shard
from pipelines.visible import visible


@dataclass(frozen=True)
class BeamEngine:
    """An engine on the named runner; `arguments` are Beam's own options."""

    runner: str
    arguments: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_runner(self.runner)

    def shards(self, shards: Sequence[Shard], options: Options, seen: Seen = lambda _: None) -> Iterable[ShardSummary]:
        seen(Stage(f"reading on {self.runner}"))
        self._run(partial(_shard, options=options), sorted(shards, key=lambda shard: -shard.size))
        for shard in shards:
            summary = finished(options.work, shard.sid)
            assert summary is not None, "a runner that ends well has run every task"
            yield summary

    def steps(self, step: Callable[[Step], object], tasks: Sequence[Step]) -> None:
        self._run(partial(_step, step), tasks, failure=DataError)

    def _run(
        self, run: Callable[[Any], Any], tasks: Sequence[Any], *, failure: type[LeakrateError] = ConfigurationError
    ) -> None:
        """`failure`: what is raised when the runner does not start; afterwards there is work that is not complete."""
        if not tasks:
            return
        with _told(self.runner, "did not start", failure):
            options = PipelineOptions([f"--runner={self.runner}", *self.arguments], save_main_session=False)
            pipeline = beam.Pipeline(options=options)
        each_task(pipeline, run, tasks)
        if self.runner.rsplit(".", 1)[-1].lower() == "fnapirunner":
            pipeline.run().wait_until_finish()
            return
        with _told(self.runner, "did not start", failure):
            result = pipeline.run()
        with _told(self.runner, "did not end well; its own log says more", DataError):
            result.wait_until_finish()


@contextmanager
def _told(runner: str, what: str, failure: type[LeakrateError]) -> Iterator[None]:
    """A runner that cannot be had becomes one sentence; the text of tasks that failed may quote a log and is not in it."""
    try:
        yield
    except (OSError, RuntimeError, ValueError, ImportError, grpc.RpcError, grpc.FutureTimeoutError) as error:
        reason = (
            f": {type(error).__name__} {visible(' '.join(str(error).split()), 300)}".rstrip() if "start" in what else ""
        )
        raise failure(f"--runner {runner} {what}{reason}") from error


def _shard(shard: Shard, options: Options) -> str:
    return process_shard(shard, options).sid


def _step(step: Callable[[Step], object], task: Step) -> int:
    step(task)
    return task.number

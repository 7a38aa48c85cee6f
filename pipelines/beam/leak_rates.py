"""The main job on a Beam runner: FnApiRunner here, PrismRunner, Dataflow or Flink elsewhere; the tables are those of this machine."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import apache_beam as beam
from apache_beam.options.pipeline_options import PipelineOptions

from pipelines.beam.refused import check_runner
from pipelines.beam.transforms import each_task
from pipelines.job import Options, Seen, Shard, ShardSummary, Stage, Step
from pipelines.shard import finished, process_shard


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
        self._run(partial(_step, step), tasks)

    def _run(self, run: Callable[[Any], Any], tasks: Sequence[Any]) -> None:
        if not tasks:
            return
        options = PipelineOptions([f"--runner={self.runner}", *self.arguments], save_main_session=False)
        with beam.Pipeline(options=options) as pipeline:
            each_task(pipeline, run, tasks)


def _shard(shard: Shard, options: Options) -> str:
    return process_shard(shard, options).sid


def _step(step: Callable[[Step], object], task: Step) -> int:
    step(task)
    return task.number

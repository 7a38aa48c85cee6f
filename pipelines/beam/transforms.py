"""Tasks mapped by Beam: Create → Reshuffle → one task each. No record ever crosses a stage; what a task leaves lies in the store."""

from collections.abc import Callable, Sequence
from typing import Any

import apache_beam as beam


class EachTask(beam.PTransform):  # type: ignore[misc]
    """The results of a function over tasks, each task in a bundle that the runner may move to another worker and try again."""

    def __init__(self, run: Callable[[Any], Any], tasks: Sequence[Any]) -> None:
        super().__init__()
        self._run, self._tasks = run, tasks

    def expand(self, begin: beam.pvalue.PBegin) -> beam.PCollection:
        return (
            begin
            | "Tasks" >> beam.Create(list(self._tasks), reshuffle=False)
            | "Spread" >> beam.Reshuffle()
            | "Run" >> beam.Map(self._run)
        )

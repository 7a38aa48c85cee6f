"""Tasks mapped by Beam: Create → Reshuffle → one task each. No record ever crosses a stage; what a task leaves lies in the store."""

# mypy: disable-error-code="no-untyped-call"
from collections.abc import Callable, Sequence
from typing import Any

import apache_beam as beam


def each_task(pipeline: Any, run: Callable[[Any], Any], tasks: Sequence[Any]) -> Any:
    """The results of a function over tasks, each task in a bundle that the runner may move to another worker and try again."""
    return (
        pipeline
        | "Tasks" >> beam.Create(list(tasks), reshuffle=False)
        | "Spread" >> beam.Reshuffle()
        | "Run" >> beam.Map(run)
    )

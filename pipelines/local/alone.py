"""Tasks in this process: what each gives, or the class and place of the fault that ended it.

Faults of ours that one record brings out are survived, a crash of the process is not; for that there are the processes of `pool`.
"""

import traceback
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

from pipelines.errors import LeakrateError

Task = TypeVar("Task")
Result = TypeVar("Result")
Journal = Callable[[int, int], None]
Culprit = tuple[int, int]
Run = Callable[[Task, Journal], Result]
Recover = Callable[[Task, int, Culprit, str], Task]
"""From a task whose process died, how often it did, the last thing it was about to read, and what is known of the death, to the task
to try next."""

NOTHING: Culprit = (0, -1)


def attempt(run: Run[Task, Result], task: Task, journal: Journal) -> tuple[str, Any]:
    """("result", …), ("refused", error) for wrong configuration, or ("died", class and place) for a fault of ours."""
    try:
        return "result", run(task, journal)
    except LeakrateError as error:
        return "refused", error
    except Exception as error:  # noqa: BLE001  a fault that one record brings out must cost that record, not the night's run
        return "died", fault(error)


def fault(error: Exception) -> str:
    """Class and place of an exception; never its message, which may hold text of a log."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {Path(frame.filename).name}:{frame.lineno}"


def in_this_process(run: Run[Task, Result], tasks: Sequence[Task], *, recover: Recover[Task]) -> Iterator[Result]:
    """The same without processes: faults are survived, a crash of the process is not."""
    for task in tasks:
        deaths, cell = 0, [*NOTHING]

        def journal(piece: int, place: int, cell: list[int] = cell) -> None:
            cell[:] = piece, place

        while (answer := attempt(run, task, journal))[0] != "result":
            if answer[0] == "refused":
                raise answer[1]
            deaths += 1
            task = recover(task, deaths, (cell[0], cell[1]), answer[1])
        yield answer[1]

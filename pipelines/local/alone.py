"""Tasks in this process: what each gives, or the class and place of the fault that ended it.

Faults of ours that one record brings out are survived, a crash of the process is not; for that there are the processes of `pool`.
"""

import traceback
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

from pipelines.errors import LeakrateError
from pipelines.job import Journal

Task = TypeVar("Task")
Result = TypeVar("Result")
Culprit = tuple[int, int]
Run = Callable[[Task, Journal], Result]
Recover = Callable[[Task, int, Culprit, str], Task]
"""From a task whose process died, how often it did, the last thing it was about to read, and what is known of the death, to the task
to try next."""

Tell = Callable[[int, int], None]
"""Told bytes and turns that are read by now of tasks in work."""
NOTHING: Culprit = (-1, -1)
"""No piece of the task was begun."""


def unheard(size: int, turns: int) -> None:
    """Nobody wants to know."""


class CellJournal:
    """A journal in four cells: piece and place of the item that is read next, bytes and turns behind it."""

    def __init__(self, cells: Any, tell: Tell = unheard) -> None:
        self._cells, self._tell = cells, tell

    def __call__(self, piece: int, place: int) -> None:
        self._cells[0], self._cells[1] = piece, place

    def passed(self, size: int, turns: int) -> None:
        self._cells[2], self._cells[3] = size, turns
        self._tell(size, turns)


def attempt(run: Run[Task, Result], task: Task, journal: Journal) -> tuple[str, Any]:
    """("result", …), ("refused", error) for wrong configuration and for a store that takes no file, or ("died", class and place) for a
    fault of ours. A file that cannot be read is neither: that is a reject of the task."""
    try:
        return "result", run(task, journal)
    except (LeakrateError, OSError) as error:
        return "refused", error
    except Exception as error:  # noqa: BLE001  a fault that one record brings out must cost that record, not the night's run
        return "died", fault(error)


def fault(error: Exception) -> str:
    """Class and place of an exception; never its message, which may hold text of a log."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {Path(frame.filename).name}:{frame.lineno}"


def in_this_process(
    run: Run[Task, Result], tasks: Sequence[Task], *, recover: Recover[Task], tell: Tell = unheard
) -> Iterator[Result]:
    """Results in order; `tell` is told of the bytes and turns of the task in work."""
    for task in tasks:
        deaths, cells = 0, _cells()
        while (answer := attempt(run, task, CellJournal(cells, tell)))[0] != "result":
            if answer[0] == "refused":
                raise answer[1]
            deaths += 1
            task = recover(task, deaths, (cells[0], cells[1]), answer[1])
            cells = _cells()
        yield answer[1]


def _cells() -> list[int]:
    return [*NOTHING, 0, 0]

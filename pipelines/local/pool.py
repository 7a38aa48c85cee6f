"""Tasks over a pool of processes that may die: each death is known by its task, which is tried again, changed or given up.

`concurrent.futures` forgets its queue when a worker is killed; here every worker holds one task at a time, so nothing else is lost.
"""

import gc
import multiprocessing
import signal
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import Any, Generic

from pipelines.local.alone import NOTHING, CellJournal, Culprit, Recover, Result, Run, Task, Tell, attempt, unheard

STUCK_SECONDS = 300
"""A worker whose journal has not moved for so long is killed and its task counts as one that died."""
_LOOK_SECONDS = 0.2
_spawn = multiprocessing.get_context("spawn")


@dataclass
class _Worker(Generic[Task]):
    process: Any
    connection: Connection
    cells: Any
    index: int = -1
    seen: tuple[int, ...] = ()
    moved: float = field(default_factory=time.monotonic)

    def culprit(self) -> Culprit:
        return self.cells[0], self.cells[1]


def in_processes(
    run: Run[Task, Result], tasks: Sequence[Task], *, workers: int, recover: Recover[Task], tell: Tell = unheard
) -> Iterator[Result]:
    """Results as they come; `tell` is told of the bytes and turns of all tasks in work, together.

    An exception of a LeakrateError kind ends everything; any other death is one of its task.
    """
    waiting, current, deaths = deque(range(len(tasks))), list(tasks), [0] * len(tasks)
    pool = [_start(run) for _ in range(min(workers, len(tasks)))]
    done = 0
    try:
        while done < len(tasks):
            for worker in pool:
                if worker.index < 0 and waiting:
                    _give(worker, waiting.popleft(), current)
            for place, index, answer in _answers(pool):
                if answer[0] == "result":
                    done += 1
                    yield answer[1]
                elif answer[0] == "refused":
                    raise answer[1]
                else:
                    deaths[index] += 1
                    current[index] = recover(current[index], deaths[index], pool[place].culprit(), answer[1])
                    waiting.appendleft(index)
                    _stop(pool[place])
                    pool[place] = _start(run)
            _wait(pool)
            tell(*_passed(pool))
    finally:
        for worker in pool:
            _stop(worker)


def _start(run: Run[Task, Result]) -> _Worker[Task]:
    ours, theirs = _spawn.Pipe()
    cells = _spawn.RawArray("q", 4)
    process = _spawn.Process(target=_serve, args=(run, theirs, cells, gc.get_threshold()), daemon=True)
    process.start()
    theirs.close()
    return _Worker(process, ours, cells)


def _give(worker: _Worker[Task], index: int, tasks: Sequence[Task]) -> None:
    worker.index, worker.moved = index, time.monotonic()
    worker.cells[:] = (*NOTHING, 0, 0)
    try:
        worker.connection.send(tasks[index])
    except OSError:
        worker.process.kill()


def _answers(pool: Sequence[_Worker[Task]]) -> Iterator[tuple[int, int, tuple[str, Any]]]:
    """Place in the pool, task and answer of each worker that has one; it is idle from then on."""
    for place, worker in enumerate(pool):
        if worker.index >= 0 and (answer := _answer(worker)):
            index, worker.index = worker.index, -1
            yield place, index, answer


def _answer(worker: _Worker[Task]) -> tuple[str, Any] | None:
    """What a worker says, None while it is silent; its death is an answer too."""
    try:
        if worker.connection.poll():
            answer: tuple[str, Any] = worker.connection.recv()
            return answer
    except (EOFError, OSError):
        return "died", "killed"
    if (now := tuple(worker.cells)) != worker.seen:
        worker.seen, worker.moved = now, time.monotonic()
    stuck = time.monotonic() - worker.moved > STUCK_SECONDS
    return ("died", "stuck") if stuck else None if worker.process.is_alive() else ("died", "killed")


def _passed(pool: Sequence[_Worker[Task]]) -> tuple[int, int]:
    """Bytes and turns that the tasks in work have behind them; those of a worker that died count anew when its task does."""
    busy = [worker.cells for worker in pool if worker.index >= 0]
    return sum(cells[2] for cells in busy), sum(cells[3] for cells in busy)


def _wait(pool: Sequence[_Worker[Task]]) -> None:
    busy = [worker for worker in pool if worker.index >= 0]
    if busy:
        wait(
            [*(worker.connection for worker in busy), *(worker.process.sentinel for worker in busy)],
            timeout=_LOOK_SECONDS,
        )


def _stop(worker: _Worker[Task]) -> None:
    worker.process.kill()
    worker.process.join()
    worker.connection.close()


def _serve(run: Run[Any, Any], connection: Connection, cells: Any, collect: tuple[int, int, int]) -> None:
    """A worker: tasks in, results out, until the other side is gone. It looks for garbage as seldom as the process that started it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.set_threshold(*collect)
    journal = CellJournal(cells)
    with suppress(EOFError, ConnectionError):
        while True:
            connection.send(attempt(run, connection.recv(), journal))

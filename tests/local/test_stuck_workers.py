"""A worker that does nothing for too long counts as dead, so that no item can hold up a run for ever; one that is left alone ends."""

import gc
import multiprocessing
from types import SimpleNamespace

import pytest

from pipelines.job import Journal
from pipelines.local import pool


def test_a_worker_that_does_not_move_for_five_minutes_is_taken_for_dead_and_a_slow_one_is_not() -> None:
    ours, theirs = multiprocessing.Pipe()
    alive = SimpleNamespace(is_alive=lambda: True)
    worker = pool._Worker(alive, ours, [0, 3, 70, 5], index=0, seen=(0, 3, 70, 5))
    worker.moved -= 299
    assert pool._answer(worker) is None
    worker.moved -= 2
    assert pool._answer(worker) == ("died", "stuck")
    worker.cells[1] = 4
    assert pool._answer(worker) is None, "it has begun another item since"
    assert pool._answer(worker) is None, "and has five minutes for that one"
    worker.moved -= 301
    theirs.send(("result", 12))
    assert pool._answer(worker) == ("result", 12), "an answer that is there counts"


def test_a_worker_ends_in_silence_when_nobody_waits_for_its_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = multiprocessing.Pipe()
    begun: list[str] = []

    def run(task: str, journal: Journal) -> None:
        begun.append(task)
        ours.close()

    monkeypatch.setattr(pool.signal, "signal", lambda *_: None)
    ours.send("a task")
    pool._serve(run, theirs, multiprocessing.RawArray("q", 4), gc.get_threshold())
    assert begun == ["a task"]

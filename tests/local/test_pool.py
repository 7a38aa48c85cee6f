"""The pool survives processes that die, and gives up a task when it is told to."""

from functools import partial
from pathlib import Path

import msgspec
import pytest

from pipelines.errors import ConfigurationError, DataError
from pipelines.job import Journal, Options, Piece, Shard
from pipelines.local import MOST_CULPRITS, MOST_DEATHS, MOST_STARTS, Local, run, spare
from pipelines.local.alone import NOTHING, CellJournal, attempt, fault, in_this_process
from pipelines.local.pool import in_processes
from pipelines.plan import plan
from tests import gateway_rows, killers

SHARD = Shard("sid", 0, (Piece("a.jsonl", "lines", "pair"), Piece("b.jsonl", "lines", "pair")))


def test_a_task_is_tried_again_after_its_process_died(tmp_path: Path) -> None:
    causes: list[tuple[int, str]] = []

    def again(task: tuple[str, int], deaths: int, culprit: tuple[int, int], cause: str) -> tuple[str, int]:
        causes.append((deaths, cause))
        return task

    tasks = [(str(tmp_path / name), 10) for name in ("a", "b")]
    assert sorted(in_processes(killers.dies_twice, tasks, workers=2, recover=again)) == [12, 12]
    assert sorted(causes) == [(1, "killed"), (1, "killed"), (2, "killed"), (2, "killed")]


def test_workers_say_how_far_they_are_and_a_death_loses_no_count(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []

    def tell(size: int, turns: int) -> None:
        told.append((size, turns))

    def again(task: str, deaths: int, culprit: tuple[int, int], cause: str) -> str:
        told.append((0, -deaths))
        return task

    tasks = [str(tmp_path / "a")]
    assert list(in_processes(killers.tells_and_dies, tasks, workers=1, recover=again, tell=tell)) == [1]
    steps = [one for place, one in enumerate(told) if one != told[place - 1]]
    assert [one for one in steps if one != (0, 0)] == [(70, 5), (0, -1), (50, 5)]


def test_wrong_configuration_ends_everything() -> None:
    def refuses(task: int, journal: Journal) -> int:
        raise ConfigurationError("two deployments match")

    with pytest.raises(ConfigurationError, match="two deployments"):
        list(in_this_process(refuses, [1], recover=lambda task, deaths, culprit, cause: task))


def test_a_store_that_takes_no_file_ends_everything_at_once(tmp_path: Path) -> None:
    log = gateway_rows.write_log(tmp_path / "logs", "log.jsonl", [gateway_rows.payload(0, gateway_rows.LEAKING)])
    options = Options(work=str(tmp_path / "out" / "work"))
    (tmp_path / "out" / "work").mkdir(parents=True)
    (tmp_path / "out" / "work" / "turns").write_text("a file where the folder should be")
    engine = Local(1)
    with pytest.raises(OSError, match="turns"):
        list(engine.shards(plan([str(log)], options).shards, options))


def test_a_fault_is_named_by_class_and_place_and_never_by_its_message() -> None:
    def fails(task: int, journal: Journal) -> int:
        raise ValueError("text of a log")

    kind, cause = attempt(fails, 1, CellJournal([0] * 4))
    assert kind == "died"
    assert cause.startswith("ValueError in test_pool.py:")
    assert "text" not in fault(ValueError("text of a log")) if ValueError().__traceback__ else True


def test_a_shard_is_spared_step_by_step() -> None:
    once = spare(SHARD, 1, (1, 5), "killed")
    assert once == SHARD
    twice = spare(once, 2, (1, 5), "killed")
    assert twice.poison == ((1, 5),)
    assert spare(twice, 3, (1, 5), "killed").poison == ((1, 5), (1, -1)), "not the item: the whole file"
    many = twice
    for number in range(MOST_CULPRITS + 1):
        many = spare(many, 3 + number, (1, 100 + number), "killed")
    assert many.poison[-1] == (1, -1)
    with pytest.raises(DataError):
        spare(many, MOST_DEATHS + 1, (1, 1), "killed")


def test_deaths_before_anything_is_begun_leave_nothing_out(caplog: pytest.LogCaptureFixture) -> None:
    for deaths in range(1, MOST_STARTS):
        assert spare(SHARD, deaths, NOTHING, "killed") == SHARD
    assert set(caplog.messages) == {"a.jsonl: a worker died before its first row (killed); trying again"}
    with pytest.raises(DataError, match=f"a.jsonl: {MOST_STARTS} processes that read it died"):
        spare(SHARD, MOST_STARTS, NOTHING, "killed")
    poisoned = msgspec.structs.replace(SHARD, poison=tuple((0, place) for place in range(10)))
    assert spare(poisoned, 12, NOTHING, "killed") == poisoned, "items that were left out are no reason to give up"


def test_a_piece_is_given_up_when_its_beginning_kills_again_and_again(caplog: pytest.LogCaptureFixture) -> None:
    assert spare(SHARD, 1, (1, -1), "killed") == SHARD
    assert spare(SHARD, 2, (1, -1), "killed") == SHARD
    assert spare(SHARD, 3, (1, -1), "killed").poison == ((1, -1),)
    assert [(record.levelname, record.message) for record in caplog.records[-2:]] == [
        ("WARNING", "b.jsonl: a worker died before its first row (killed); trying again"),
        ("ERROR", "b.jsonl: workers died reading it (killed); it is given up, and what it holds is missing"),
    ]


def test_workers_that_die_while_they_start_lose_nothing(tmp_path: Path) -> None:
    made = [gateway_rows.pair(n, gateway_rows.CLEAN) for n in range(30)]
    path = gateway_rows.write_log(tmp_path, "log.jsonl", made)
    options = Options(work=str(tmp_path / "out" / "work"))
    dying = partial(killers.dies_while_it_starts, options=options, attempts=str(tmp_path / "attempts"))
    (summary,) = in_processes(dying, plan([str(path)], options).shards, workers=1, recover=spare)
    assert (summary.items, summary.turns, summary.rejects) == (30, 30, 0)


def test_what_a_task_was_reading_is_not_held_against_its_next_attempt() -> None:
    told: list[tuple[int, int]] = []

    def fails(task: int, journal: Journal) -> int:
        if not told:
            journal(3, 7)
        if len(told) < 2:
            raise ValueError
        return 1

    def again(task: int, deaths: int, culprit: tuple[int, int], cause: str) -> int:
        told.append(culprit)
        return task

    assert list(in_this_process(fails, [1], recover=again)) == [1]
    assert told == [(3, 7), NOTHING]


def test_a_notebook_gets_tables(tmp_path: Path) -> None:
    path = gateway_rows.write_log(tmp_path, "log.jsonl", [gateway_rows.pair(n, gateway_rows.LEAKING) for n in range(3)])
    output = run([str(path)], str(tmp_path / "out"), workers=1)
    leaked = output.rates.to_pandas().query("measure == 'reasoning_leak' and cut == 'all'")
    assert leaked["leaked_turns"].tolist() == [3]
    assert output.coverage["records"].to_pylist() == [3]

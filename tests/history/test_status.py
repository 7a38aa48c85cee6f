"""Status of days by hand: complete once read after their end, partial before or with too many rejects, missing between others."""

import gzip
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pipelines import store
from pipelines.baseline import Window, load_runs
from pipelines.errors import DataError, InputError
from pipelines.history.status import status
from pipelines.outputs import load_turns
from tests.history.nights import Killed, killed_at, run, write_pairs

NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)


def _day(number: int) -> datetime:
    return NOON + timedelta(days=number - 1)


def _log(folder: Path, day: int, *, broken: int = 0) -> Path:
    path = folder / f"{day:02d}.jsonl"
    write_pairs(path, [(f"{day}-{number}", _day(day), {"answer": "12"}) for number in range(4)])
    path.write_text(path.read_text() + "{not json\n" * broken)
    return path


def _kinds(folder: Path, now: datetime) -> dict[str, tuple[str, str]]:
    return {day.day[-2:]: (day.status, day.reason) for day in status(str(folder), now=now.timestamp()).days}


def test_days_of_a_store(tmp_path: Path) -> None:
    store = tmp_path / "store"
    run(store, _log(tmp_path, 1), _log(tmp_path, 2), started=_day(3).timestamp())
    run(store, _log(tmp_path, 4), started=_day(4).timestamp())
    run(store, _log(tmp_path, 5, broken=1), started=_day(6).timestamp(), max_reject_rate=0.1)
    expected = {
        "01": ("complete", ""),
        "02": ("complete", ""),
        "03": ("missing", "no turn"),
        "04": ("partial", "last read before the day was over"),
        "05": ("partial", "1 of 5 items of its files were rejected"),
    }
    assert _kinds(store, _day(7)) == expected
    assert not status(str(store), now=_day(7).timestamp()).complete
    run(store, tmp_path / "04.jsonl", tmp_path / "05.jsonl", started=_day(7).timestamp(), max_reject_rate=0.3)
    assert _kinds(store, _day(7)) == expected | {"04": ("complete", ""), "05": ("complete", "")}


def test_a_day_that_goes_on_spoils_nothing(tmp_path: Path) -> None:
    run(tmp_path / "store", _log(tmp_path, 1), _log(tmp_path, 2), started=_day(2).timestamp())
    found = status(str(tmp_path / "store"), now=_day(2).timestamp())
    assert [(day.status, day.over, day.turns) for day in found.days] == [("complete", True, 4), ("partial", False, 4)]
    assert found.complete
    assert not status(str(tmp_path / "store"), now=_day(3).timestamp()).complete


def test_a_later_run_over_other_files_does_not_cover_a_day(tmp_path: Path) -> None:
    run(tmp_path / "store", _log(tmp_path, 1), started=_day(1).timestamp())
    run(tmp_path / "store", _log(tmp_path, 2), started=_day(3).timestamp(), lookback=5)
    assert [kind for kind, _ in _kinds(tmp_path / "store", _day(3)).values()] == ["partial", "complete"]


def test_a_killed_run_is_seen_and_made_good(tmp_path: Path) -> None:
    logs, store = [_log(tmp_path, 1), _log(tmp_path, 2)], tmp_path / "store"
    run(store, logs[0], started=_day(2).timestamp())
    with killed_at(1, "/counts/"), pytest.raises(Killed):
        run(store, *logs, started=_day(3).timestamp())
    killed = status(str(store), now=_day(3).timestamp())
    assert killed.unfinished
    assert not killed.complete
    assert killed.days[0].reason == "a run was to publish it and did not end"
    run(store, *logs, started=_day(3).timestamp())
    assert status(str(store), now=_day(3).timestamp()).complete


def test_rows_outside_the_window_wait(tmp_path: Path) -> None:
    logs, store = [_log(tmp_path, day) for day in (1, 2, 3)], tmp_path / "store"
    run(store, *logs, started=_day(5).timestamp(), since="2026-11-02")
    assert list(_kinds(store, _day(5))) == ["02", "03"]
    run(store, *logs, started=_day(5).timestamp(), until="2026-11-01")
    assert {kind for kind, _ in _kinds(store, _day(5)).values()} == {"complete"}
    late = tmp_path / "late.jsonl"
    write_pairs(late, [("late", _day(1), {"answer": "12"})])
    run(store, late, started=_day(5).timestamp(), since="2026-11-02")
    assert _kinds(store, _day(5))["01"] == ("partial", "rows wait outside --since and --until")


def test_turns_without_a_time_and_files_without_turns(tmp_path: Path) -> None:
    write_pairs(tmp_path / "a.jsonl", [("a", None, {"answer": "12"}), ("b", _day(1), {"answer": "12"})])
    (tmp_path / "empty.jsonl").write_text("")
    run(tmp_path / "store", tmp_path / "a.jsonl", tmp_path / "empty.jsonl", started=_day(2).timestamp())
    found = status(str(tmp_path / "store"), now=_day(2).timestamp())
    assert (found.undated_turns, found.files_without_turns, len(found.days)) == (1, 1, 1)


def _cut(path: Path, day: int) -> Path:
    """A compressed log of which the end is missing."""
    write_pairs(path, [(f"{day}-{n}", _day(day), {"answer": f"{n * 7919} {n * n}"}) for n in range(3000)])
    whole = gzip.compress(path.read_bytes())
    path.write_bytes(whole[: len(whole) // 2])
    return path


def test_the_days_of_a_file_that_is_cut_are_partial_and_no_gate_takes_them(tmp_path: Path) -> None:
    folder, cut = tmp_path / "store", _cut(tmp_path / "02.gz", 2)
    run(folder, _log(tmp_path, 1), _log(tmp_path, 2), cut, _log(tmp_path, 3), started=_day(4).timestamp())
    reason = "1 of its 2 files was not read to the end"
    assert _kinds(folder, _day(4)) == {"01": ("complete", ""), "02": ("partial", reason), "03": ("complete", "")}
    with pytest.raises(DataError, match=r"02\.gz could not be read to the end"):
        load_runs([str(folder)])
    with pytest.raises(DataError, match=r"02\.gz could not be read to the end"):
        load_runs([str(folder)], Window("2026-11-02", "2026-11-03"))
    assert load_runs([str(folder)], Window("2026-11-03", None))[0].days == ("2026-11-03",)
    write_pairs(cut, [("2-7", _day(2), {"answer": "12"})])
    run(folder, cut, started=_day(4).timestamp())
    assert _kinds(folder, _day(4))["02"] == ("complete", "")


def test_a_file_of_which_nothing_could_be_read_spoils_every_day_while_it_lies_there(tmp_path: Path) -> None:
    folder, log = tmp_path / "store", _log(tmp_path, 1)
    (tmp_path / "bad.gz").write_bytes(b"\x1f\x8b" + b"garbage" * 9)
    run(folder, log, tmp_path / "bad.gz", started=_day(2).timestamp())
    found = status(str(folder), now=_day(2).timestamp())
    assert (found.incomplete_files, found.complete, found.days[0].status) == (1, False, "complete")
    with pytest.raises(DataError, match=r"bad\.gz could not be read to the end"):
        load_runs([str(folder)], Window("2026-11-01", "2026-11-01", 0.5))
    run(folder, log, started=_day(3).timestamp())
    found = status(str(folder), now=_day(3).timestamp())
    assert (found.incomplete_files, found.complete) == (0, True)
    assert len(load_runs([str(folder)], Window(maximum_reject_rate=0.5))) == 1


def test_a_file_that_could_not_be_opened_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, logs = tmp_path / "store", tmp_path / "logs"
    logs.mkdir()
    for day in (1, 9):
        _log(logs, day)
    opened = store.files._open

    def refusing(system: object, path: str, ahead: int) -> object:
        if path.endswith("01.jsonl"):
            raise PermissionError(13, "Permission denied")
        return opened(system, path, ahead)

    with monkeypatch.context() as patch:
        patch.setattr(store.files, "_open", refusing)
        run(folder, tmp_path / "logs", started=_day(10).timestamp())
    assert status(str(folder), now=_day(10).timestamp()).incomplete_files == 1
    again = run(folder, logs, started=_day(10).timestamp(), lookback=0)
    assert "2026-11-01" in again.days
    assert status(str(folder), now=_day(10).timestamp()).incomplete_files == 0


@pytest.mark.parametrize("year", [2031, 9999])
def test_a_clock_in_the_future_moves_nothing(tmp_path: Path, year: int) -> None:
    """Five days, and one row among them with another year: read as if it were not there, published, and named."""
    folder, ahead = tmp_path / "store", tmp_path / "03.jsonl"
    logs = [_log(tmp_path, day) for day in (1, 2, 4, 5)]
    write_pairs(ahead, [("3", _day(3), {"answer": "12"}), ("later", _day(3).replace(year=year), {"answer": "12"})])
    run(folder, *logs, ahead, started=_day(6).timestamp())
    found = status(str(folder), now=_day(6).timestamp())
    assert [day.day for day in found.days] == [f"2026-11-0{day}" for day in (1, 2, 3, 4, 5)]
    assert (found.future_turns, found.complete) == (1, True)
    assert f"{year}-11-03" in load_turns(str(folder))["day"].to_pylist()
    again = run(folder, *logs, ahead, started=_day(6).timestamp(), lookback=1)
    assert again.days == ("2026-11-04", "2026-11-05")


def test_tomorrow_is_no_future(tmp_path: Path) -> None:
    """Where the day begins earlier than in UTC, or a clock is a little ahead."""
    run(tmp_path / "store", _log(tmp_path, 1), _log(tmp_path, 2), started=_day(1).timestamp())
    found = status(str(tmp_path / "store"), now=_day(1).timestamp())
    assert ([day.day for day in found.days], found.future_turns) == (["2026-11-01", "2026-11-02"], 0)
    run(tmp_path / "other", _log(tmp_path, 1), _log(tmp_path, 3), started=_day(1).timestamp())
    assert status(str(tmp_path / "other"), now=_day(1).timestamp()).future_turns == 4
    run(tmp_path / "other", _log(tmp_path, 4), started=_day(3).timestamp())
    assert [day.day for day in status(str(tmp_path / "other"), now=_day(4).timestamp()).days][-2:] == [
        "2026-11-03",
        "2026-11-04",
    ]


def test_a_clock_that_was_never_set_makes_no_thousands_of_missing_days(tmp_path: Path) -> None:
    log = tmp_path / "a.jsonl"
    write_pairs(log, [("0", datetime(1970, 1, 2, tzinfo=UTC), {"answer": "12"}), ("1", _day(1), {"answer": "12"})])
    run(tmp_path / "store", log, started=_day(2).timestamp())
    found = status(str(tmp_path / "store"), now=_day(2).timestamp())
    assert ([day.day for day in found.days], found.ancient_turns, found.complete) == (["2026-11-01"], 1, True)


def test_what_is_no_store(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such store"):
        status(str(tmp_path / "nothing"), now=0.0)
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(DataError, match="not a store"):
        status(str(tmp_path), now=0.0)
    (tmp_path / "state.json").write_text("[]")
    with pytest.raises(DataError, match="not the state of a store"):
        status(str(tmp_path), now=0.0)

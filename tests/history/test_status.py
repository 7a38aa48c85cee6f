"""Status of days by hand: complete once read after their end, partial before or with too many rejects, missing between others."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pipelines.errors import DataError, InputError
from pipelines.history.status import status
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


def test_what_is_no_store(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such store"):
        status(str(tmp_path / "nothing"), now=0.0)
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(DataError, match="not a store"):
        status(str(tmp_path), now=0.0)
    (tmp_path / "state.json").write_text("[]")
    with pytest.raises(DataError, match="not the state of a store"):
        status(str(tmp_path), now=0.0)

"""Files that were read before: which ones a run with other options reads again, and what it leaves of a day's former files."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pipelines.history import Updated, days
from pipelines.history.status import status
from pipelines.job import Options
from pipelines.outputs import load_rates
from pipelines.rules import RULES
from tests.history.nights import differences, published, run, write_pairs

FIRST = datetime(2026, 11, 1, 12, tzinfo=UTC)
LEAK = "<think>\nThe barn is full.\n</think>\n\nNo room until May."


def _day(number: int) -> datetime:
    return FIRST + timedelta(days=number - 1)


def _log(folder: Path, day: int) -> Path:
    path = folder / f"{day:02d}.jsonl"
    write_pairs(
        path,
        [(f"{day}-{number}", _day(day), {"answer": LEAK, "conversation": f"{day}-{number}"}) for number in range(4)],
    )
    return path


def _without_turns(folder: Path, name: str) -> Path:
    path = folder / name
    path.write_text("\n\n")
    return path


def _deployed(folder: Path, version: str) -> Options:
    """Options under which every file would be read in another way."""
    path = folder / f"{version}.toml"
    path.write_text(f'[[deployment]]\nmatch = {{gateway = "pair"}}\nmodel_version = "{version}"\n')
    return Options(work="", deployments=str(path))


def _read(updated: Updated) -> list[str]:
    return sorted(Path(decision.uri).name for decision in updated.plan.decisions)


def test_a_file_without_turns_is_read_again_only_while_it_was_read_within_the_lookback(tmp_path: Path) -> None:
    logs = [_log(tmp_path, 1), _without_turns(tmp_path, "old.jsonl")]
    run(tmp_path / "store", *logs, started=_day(1).timestamp(), lookback=1)
    logs += [_log(tmp_path, 8), _without_turns(tmp_path, "new.jsonl")]
    run(tmp_path / "store", *logs, started=_day(8).timestamp(), lookback=1)
    again = run(
        tmp_path / "store", *logs, started=_day(9).timestamp(), lookback=1, options=_deployed(tmp_path, "0.33.0")
    )
    assert _read(again) == ["08.jsonl", "new.jsonl"]


def test_other_labels_read_no_log_again_and_are_the_precision_of_the_lookback(tmp_path: Path) -> None:
    log, labels = _log(tmp_path, 1), tmp_path / "labels.jsonl"
    assert _read(run(tmp_path / "store", log)) == ["01.jsonl"]
    rule = next(rule for rule in RULES if rule.id == "reasoning-block-in-content")
    for correct in (30, 40):
        found = {"rule_id": rule.id, "rule_version": rule.version}
        verdicts = [{**found, "correct": number < correct} for number in range(50)]
        labels.write_text("".join(json.dumps(verdict) + "\n" for verdict in verdicts))
        assert _read(run(tmp_path / "store", log, options=Options(work="", labels=str(labels)))) == []
        [row] = [
            row
            for row in load_rates(str(tmp_path / "store")).to_pylist()
            if (row["cut"], row["measure"]) == ("all", rule.id)
        ]
        assert row["precision"] == correct / 50


def test_a_day_leaves_none_of_the_files_that_it_had_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = _log(tmp_path, 1)
    monkeypatch.setattr(days, "ROWS_AT_ONCE", 1)
    run(tmp_path / "store", log)
    assert len(list((tmp_path / "store" / "turns").iterdir())) > 1, "the day needs several files"
    monkeypatch.undo()
    run(tmp_path / "store", log)
    run(tmp_path / "once", log)
    assert [path.name for path in (tmp_path / "store" / "turns").iterdir()] == ["2026-11-01.parquet"]
    assert not differences(published(tmp_path / "store"), published(tmp_path / "once"))


def test_a_day_that_goes_on_is_said_to_do_so_and_not_to_be_read_too_early(tmp_path: Path) -> None:
    run(tmp_path / "store", _log(tmp_path, 1), started=_day(1).timestamp())
    reasons = [status(str(tmp_path / "store"), now=moment.timestamp()).days[0].reason for moment in (_day(1), _day(2))]
    assert reasons == ["the day is not over", "last read before the day was over"]

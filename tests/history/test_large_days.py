"""Days that are folded in buckets of conversations, and parts of many batches, count as small ones do."""

import sys
from pathlib import Path

import pytest

from pipelines import shard
from pipelines.fold import merge_counts
from pipelines.history import affected, days, parts
from pipelines.outputs import load_counts, load_coverage, load_detections, load_turns
from tests.history.month_of_logs import files_of_month
from tests.history.nights import differences, published, run

NIGHTS = 2


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    folder = tmp_path / "logs"
    folder.mkdir()
    for name, (night, content) in files_of_month(seed=3).items():
        if night <= NIGHTS:
            (folder / name).write_bytes(content)
    return folder


@pytest.mark.slow
def test_bounds_of_memory_change_no_number(tmp_path: Path, logs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usual, bounded = tmp_path / "usual", tmp_path / "bounded"
    run(usual, logs)
    monkeypatch.setattr(shard, "ROWS_PER_BATCH", 7)
    monkeypatch.setattr(days, "ROWS_AT_ONCE", 10)
    monkeypatch.setattr(parts, "HELD_ROWS", 0)
    monkeypatch.setattr(affected, "CONVERSATIONS_AT_ONCE", 3)
    for path in sorted(logs.iterdir()):
        run(bounded, path)
    assert len(list((bounded / "turns").iterdir())) > 2 * len(list((usual / "turns").iterdir()))
    assert merge_counts([load_counts(str(bounded))]) == merge_counts([load_counts(str(usual))])
    assert load_coverage(str(bounded)) == load_coverage(str(usual))
    for load in (load_turns, load_detections):
        assert sorted(load(str(bounded))["turn_key"].to_pylist()) == sorted(load(str(usual))["turn_key"].to_pylist())
    whole = {name for name in published(usual) if not name.startswith(("turns/", "detections/"))}
    assert not whole & set(differences(published(bounded), published(usual)))
    monkeypatch.undo()
    run(bounded, *sorted(logs.iterdir()), lookback=sys.maxsize)
    assert not differences(published(bounded), published(usual))

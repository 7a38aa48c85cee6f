"""Thirty nights of a store, with all that goes wrong in a month, publish what one run over everything publishes, byte for byte."""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from pipelines import leak_rates, plan
from pipelines.fold import merge_counts
from pipelines.job import Options
from pipelines.local import Local
from pipelines.outputs import load_counts, load_coverage, load_detections, load_rates, load_turns
from tests.history.month_of_logs import DAYS, SILENT_DAY, day_name, files_of_month
from tests.history.nights import AFTERWARDS, Killed, differences, killed_at, published, run

pytestmark = pytest.mark.slow

KEPT_NIGHTS = 4
MISSED_NIGHT = 17
DOUBLE_NIGHT = 9
KILLED_NIGHT = 21
GROWING = "gateway-25.jsonl"


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Path]:
    """(logs, store of thirty nights, store of one run): files vanish after a few nights, and lie there again for the one run."""
    root = tmp_path_factory.mktemp("month")
    logs, nightly, once = root / "logs", root / "nightly", root / "once"
    logs.mkdir()
    files = files_of_month(seed=1)
    for night in range(1, DAYS + 1):
        _arrange(logs, files, night)
        if night == MISSED_NIGHT or not any(logs.iterdir()):
            continue
        if night == KILLED_NIGHT:
            with killed_at(2, "/counts/"), pytest.raises(Killed):
                run(nightly, logs, started=AFTERWARDS + night)
            continue
        for _ in range(2 if night == DOUBLE_NIGHT else 1):
            run(nightly, logs, started=AFTERWARDS + night)
    for name, (_, content) in files.items():
        (logs / name).write_bytes(content)
    run(once, logs, started=AFTERWARDS + DAYS)
    return logs, nightly, once


def _arrange(logs: Path, files: dict[str, tuple[int, bytes]], night: int) -> None:
    """Put the night's files there, one of them with half its lines at first, and take old ones away."""
    for name, (first, content) in files.items():
        if first == night:
            lines = content.splitlines(keepends=True)
            (logs / name).write_bytes(b"".join(lines[: len(lines) // 2]) if name == GROWING else content)
        elif first == night - 1 and name == GROWING:
            (logs / name).write_bytes(content)
        elif first == night - KEPT_NIGHTS:
            (logs / name).unlink(missing_ok=True)


def test_nights_publish_what_one_run_publishes(folders: tuple[Path, Path, Path]) -> None:
    _, nightly, once = folders
    expected = published(once)
    assert not differences(published(nightly), expected)
    assert len([name for name in expected if name.startswith("rates/")]) == DAYS - 1 + len(["unknown"])


def test_the_store_counts_what_an_output_counts(folders: tuple[Path, Path, Path], tmp_path: Path) -> None:
    logs, _, once = folders
    output = str(tmp_path / "out")
    options = Options(work=f"{output}/_work")
    leak_rates.claim(output, fresh=False)
    leak_rates.leak_rates(output, options, plan=plan.plan([str(logs)], options), engine=Local(1))
    assert merge_counts([load_counts(str(once))]) == merge_counts([load_counts(output)])
    assert load_coverage(str(once)) == load_coverage(output)
    keys = [(name, "ascending") for name in load_rates(output).column_names[:13]]
    assert load_rates(str(once)).sort_by(keys) == load_rates(output).sort_by(keys)
    assert _places(load_detections(str(once))) == _places(load_detections(output))


def _places(detections: pa.Table) -> list[tuple[object, ...]]:
    names = ("source_uri", "source_pos", "choice", "day", "rule_id", "start")
    return sorted(zip(*(detections[name].to_pylist() for name in names), strict=True))


def test_each_turn_counts_once_and_none_is_lost(folders: tuple[Path, Path, Path]) -> None:
    logs, nightly, _ = folders
    turns = load_turns(str(nightly))
    lines = [line for path in logs.iterdir() for line in path.read_bytes().splitlines()]
    sent = {json.loads(line)["id"] for line in lines if line.endswith(b"}")}
    assert len(turns) == len(sent) == len(pc.unique(turns["turn_key"]))
    days = set(turns["day"].to_pylist())
    assert day_name(SILENT_DAY) not in days
    assert {day_name(MISSED_NIGHT), day_name(KILLED_NIGHT), day_name(DAYS)} <= days


def test_the_month_has_what_makes_it_hard(folders: tuple[Path, Path, Path]) -> None:
    """Conversations on several days, duplicates in several files, chains of responses that begin in a later file than they go on."""
    _, nightly, _ = folders
    turns = load_turns(str(nightly))
    days = turns.group_by("conversation").aggregate([("day", "count_distinct")])
    assert pc.sum(pc.greater(days["day_count_distinct"], 1)).as_py() > 50
    coverage = load_coverage(str(nightly))
    assert pc.sum(coverage["duplicate"]).as_py() > 20
    assert pc.sum(coverage["rejected"]).as_py() > 5
    chained = turns.filter(pc.equal(turns["conversation_source"].cast(pa.string()), "response_chain"))
    assert len(chained) > 50
    files = chained.group_by("conversation").aggregate([("source_file", "count_distinct")])
    assert pc.max(files["source_file_count_distinct"]).as_py() > 1

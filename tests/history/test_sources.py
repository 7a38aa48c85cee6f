"""Which files a run of a store reads: what is new or has changed, and what depends on it; each file under one name."""

import json
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, datetime, timedelta
from pathlib import Path
from shutil import copy

import fsspec
import pytest

from pipelines.history import Updated
from pipelines.history.status import status
from pipelines.job import Options, Seen, Stage
from pipelines.outputs import load_coverage, load_rates, load_turns
from pipelines.plan import Plan
from tests.history.nights import AFTERWARDS, differences, published, run, write_pairs
from tests.sample_files import SAMPLES

FIRST = datetime(2026, 11, 1, 9, tzinfo=UTC)
LEAK = "<think>\nThe barn is full.\n</think>\n\nNo room until May."

MAPPING = """
name = "own"
title = "Own log"
gateway = "own"
recognise = ["key", "body"]
shows = ["content"]

[fields]
source_id = "key"
time = "{time}"
response = "body"
"""


def _log(folder: Path, day: int) -> Path:
    path = folder / f"{day:02d}.jsonl"
    write_pairs(path, [(f"call-{day}", FIRST + timedelta(days=day - 1), {"answer": LEAK})])
    return path


def _read(updated: Updated) -> list[str]:
    return sorted(Path(decision.uri).name for decision in updated.plan.decisions)


def test_what_lies_unchanged_is_not_read_again(tmp_path: Path) -> None:
    store = tmp_path / "store"
    assert _read(run(store, _log(tmp_path, 1), _log(tmp_path, 2))) == ["01.jsonl", "02.jsonl"]
    assert _read(run(store, tmp_path, started=AFTERWARDS + 1)) == []
    write_pairs(tmp_path / "02.jsonl", [(f"other-{number}", FIRST, {"answer": "Yes."}) for number in range(3)])
    assert _read(run(store, tmp_path, started=AFTERWARDS + 2)) == ["02.jsonl"]
    assert sorted(load_turns(str(store))["day"].to_pylist()) == ["2026-11-01"] * 4


def test_a_run_tells_what_it_does_when_all_is_read(tmp_path: Path) -> None:
    told: list[str] = []

    def progress(_: Plan) -> AbstractContextManager[Seen]:
        return nullcontext(lambda seen: told.append(seen.name) if isinstance(seen, Stage) else None)

    run(tmp_path / "store", _log(tmp_path, 1), _log(tmp_path, 2), progress=progress)
    assert told[-2:] == ["looking for days that changed", "publishing 2 days"]


def test_a_day_of_duplicates_is_covered(tmp_path: Path) -> None:
    turns = [(f"call-{number}", FIRST, {"answer": LEAK, "conversation": number}) for number in range(40)]
    for name in ("a", "b"):
        write_pairs(tmp_path / f"{name}.jsonl", turns)
    run(tmp_path / "store", tmp_path)
    coverage = load_coverage(str(tmp_path / "store")).to_pylist()
    assert [(row["items"], row["accepted"], row["duplicate"]) for row in coverage] == [(40, 40, 0), (40, 0, 40)]
    rates = load_rates(str(tmp_path / "store")).to_pylist()
    [leak] = [row for row in rates if row["cut"] == "all" and row["measure"] == "reasoning_leak_rate"]
    assert (leak["leaked_turns"], leak["turns"], leak["reason"]) == (40, 40, None)


def test_a_file_has_one_name_from_wherever_it_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    _log(tmp_path, 1)
    run("store", "01.jsonl")
    for name in ("./01.jsonl", "*.jsonl", str(tmp_path / "01.jsonl"), f"file://{tmp_path}/01.jsonl", "."):
        assert _read(run("store", name)) == []
    assert len(load_turns("store")) == 1


def test_a_store_and_its_logs_in_memory() -> None:
    files = fsspec.filesystem("memory")
    rows = [{"id": str(day), "time": f"2026-11-0{day}T09:00:00Z", "response": _response()} for day in (1, 2, 3)]
    for row in rows:
        files.pipe_file(f"/logs/{row['id']}.jsonl", json.dumps(row).encode())
        run("memory://store", "memory://logs")
    assert [len(load_turns("memory://store", day, day)) for day in ("2026-11-01", "2026-11-02", "2026-11-03")] == [
        1,
        1,
        1,
    ]
    files.rm("/logs", recursive=True)
    files.rm("/store", recursive=True)


def _response() -> dict[str, object]:
    return {"object": "chat.completion", "choices": [{"index": 0, "message": {"role": "assistant", "content": LEAK}}]}


def test_new_deployments_count_for_the_days_of_the_lookback(tmp_path: Path) -> None:
    logs = [_log(tmp_path, day) for day in range(1, 6)]
    deployments = tmp_path / "deployments.toml"
    options = Options(work="", deployments=str(deployments))
    for version, expected in (("0.32.0", ["01", "02", "03", "04", "05"]), ("0.33.0", ["04", "05"])):
        deployments.write_text(f'[[deployment]]\nmatch = {{gateway = "pair"}}\nmodel_version = "{version}"\n')
        updated = run(tmp_path / "store", *logs, options=options, lookback=1)
        assert _read(updated) == [f"{day}.jsonl" for day in expected]
    rates = load_rates(str(tmp_path / "store")).to_pylist()
    versions = {row["day"][-2:]: row["model_version"] for row in rates}
    assert versions == {"01": "0.32.0", "02": "0.32.0", "03": "0.32.0", "04": "0.33.0", "05": "0.33.0"}


def test_older_days_of_a_file_that_is_read_again_keep_what_was_published(tmp_path: Path) -> None:
    """A file with rows of old and new days: the old ones stay as they are until a turn comes, here one of the second day."""
    folder, deployments = tmp_path / "store", tmp_path / "deployments.toml"
    logs = [_log(tmp_path, day) for day in range(1, 6)]
    mixed = tmp_path / "mixed.jsonl"
    write_pairs(mixed, [(f"m{day}", FIRST + timedelta(days=day), {"answer": LEAK}) for day in range(5)])
    deployments.write_text('[[deployment]]\nmatch = {gateway = "pair"}\nmodel_version = "1"\n')
    options = Options(work="", deployments=str(deployments))
    run(folder, *logs, mixed, options=options, lookback=1)
    before = published(folder)
    deployments.write_text('[[deployment]]\nmatch = {gateway = "pair"}\nmodel_version = "2"\n')
    updated = run(folder, *logs, mixed, options=options, lookback=1)
    assert _read(updated) == ["04.jsonl", "05.jsonl", "mixed.jsonl"]
    assert updated.days == ("2026-11-04", "2026-11-05")
    assert {name[-18:-8] for name in differences(before, published(folder)) if "2026" in name} == set(updated.days)
    assert status(str(folder), now=AFTERWARDS).complete
    assert run(folder, *logs, mixed, options=options, lookback=1).days == updated.days
    write_pairs(
        tmp_path / "late.jsonl", [("late", FIRST + timedelta(days=1), {"answer": LEAK, "conversation": "late"})]
    )
    late = run(folder, *logs, mixed, tmp_path / "late.jsonl", options=options, lookback=1)
    assert late.days == ("2026-11-02", *updated.days)
    versions = {(row["day"][-2:], row["model_version"]) for row in load_turns(str(folder)).to_pylist()}
    assert versions == {("01", "1"), ("02", "1"), ("02", "2"), ("03", "1"), ("04", "2"), ("05", "2")}


def test_turns_that_another_reading_moves_to_an_older_day_are_published_there(tmp_path: Path) -> None:
    """The file lies unchanged, and a mapping now takes the time from another field."""
    folder, mapping = tmp_path / "store", tmp_path / "own.toml"
    days = ((1, 3), (2, 4), (9, 9), (10, 10))
    rows = [
        {
            "key": f"{one}",
            "one": f"2026-11-{one:02d}T09:00:00Z",
            "two": f"2026-11-{two:02d}T09:00:00Z",
            "body": _response(),
        }
        for one, two in days
    ]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    options = Options(work="", mapping=str(mapping))
    for name, expected in (("one", ["01", "02", "09", "10"]), ("two", ["03", "04", "09", "10"])):
        mapping.write_text(MAPPING.format(time=name))
        run(folder, tmp_path / "a.jsonl", options=options, lookback=1)
        assert sorted(day[-2:] for day in load_turns(str(folder))["day"].to_pylist()) == expected


def _same_as_one_run(tmp_path: Path, nights: Sequence[Path]) -> None:
    """Each night one more file lies in the folder."""
    logs = tmp_path / "logs"
    logs.mkdir()
    for path in nights:
        copy(path, logs / path.name)
        run(tmp_path / "nightly", logs)
    run(tmp_path / "once", logs)
    assert not differences(published(tmp_path / "nightly"), published(tmp_path / "once"))


@pytest.mark.parametrize("names", [("input.jsonl", "output.jsonl"), ("output.jsonl", "input.jsonl")])
def test_partners_in_files_of_different_nights_meet(tmp_path: Path, names: tuple[str, str]) -> None:
    _same_as_one_run(tmp_path, [SAMPLES / "batch" / name for name in names])
    coverage = load_coverage(str(tmp_path / "nightly"))
    assert sum(coverage["tools_known"].to_pylist()) == sum(coverage["records"].to_pylist()) > 0


@pytest.mark.parametrize("names", [("a.jsonl", "server.log"), ("server.log", "a.jsonl")])
def test_a_log_that_completes_another_does_so_on_a_later_night(tmp_path: Path, names: tuple[str, str]) -> None:
    row = {
        "id": "a1",
        "time": "2026-11-01T09:00:00Z",
        "response": {"id": "chatcmpl-a1", "model": "Qwen/Qwen3-8B", **_response()},
    }
    (tmp_path / "a.jsonl").write_text(json.dumps(row) + "\n")
    engine = f"INFO 11-01 08:45:04 [request_logger.py:120] Generated response chatcmpl-a1 (streaming complete): output: {LEAK!r}, "
    (tmp_path / "server.log").write_text(engine + "finish_reason: streaming_complete\n")
    _same_as_one_run(tmp_path, [tmp_path / name for name in names])
    coverage = load_coverage(str(tmp_path / "nightly"))
    assert sum(coverage["raw_text"].to_pylist()) == 1


@pytest.mark.slow
def test_samples_of_all_sources_one_a_night(tmp_path: Path) -> None:
    """Chains, spans, batches, streams and engine logs, whatever file comes first."""
    files = sorted(path for path in SAMPLES.rglob("*") if path.is_file() and path.suffix in (".jsonl", ".txt"))
    _same_as_one_run(tmp_path, files[::7])

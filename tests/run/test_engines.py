"""Every engine writes the same bytes, also after a kill in the middle and a second start."""

import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import msgspec
import pytest

from pipelines import plan as planning
from pipelines.beam.refused import check_runner
from pipelines.errors import ConfigurationError
from pipelines.job import Options, ShardSummary
from pipelines.local import Local, spare
from pipelines.local.pool import in_processes
from tests import gateway_rows, killers
from tests.runs import ROOT, files, rows, run, totals

SMALL_SHARDS = """
import sys
from pipelines import plan
plan.SHARD_BYTES = 40_000
from pipelines.cli import main
if __name__ == "__main__":
    sys.argv = ["leakrate", *{arguments}]
    main()
"""


@pytest.fixture
def logs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two files of one gateway with repeated calls and conversations that lie in both, cut into many shards."""
    monkeypatch.setattr(planning, "SHARD_BYTES", 40_000)
    folder = tmp_path / "logs"
    made = [
        gateway_rows.payload(n, gateway_rows.LEAKING if n % 17 == 0 else gateway_rows.CLEAN, session=f"s{n % 40}")
        for n in range(300)
    ]
    gateway_rows.write_log(folder, "one.jsonl", made[:200])
    gateway_rows.write_log(folder, "two.jsonl", made[150:])
    gateway_rows.write_log(folder, "three.jsonl", [gateway_rows.pair(n) for n in range(20)])
    return folder


def test_two_processes_write_what_one_does(logs: Path, tmp_path: Path) -> None:
    run([logs], tmp_path / "one", engine=Local(1))
    run([logs], tmp_path / "two", engine=Local(2))
    assert files(tmp_path / "one") == files(tmp_path / "two")
    assert totals(tmp_path / "one")["duplicate"] == 50
    assert len(rows(tmp_path / "one", "turns")) == 320


def test_all_samples_in_small_shards_give_the_same_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    samples = ROOT / "data" / "samples"
    run([samples], tmp_path / "whole")
    monkeypatch.setattr(planning, "SHARD_BYTES", 10_000)
    run([samples], tmp_path / "cut")
    assert rows(tmp_path / "cut", "counts") == rows(tmp_path / "whole", "counts")
    assert rows(tmp_path / "cut", "coverage") == rows(tmp_path / "whole", "coverage")


@pytest.mark.slow
def test_beam_writes_what_this_machine_does(logs: Path, tmp_path: Path) -> None:
    from pipelines.beam.leak_rates import BeamEngine

    run([logs], tmp_path / "one", engine=Local(1))
    run([logs], tmp_path / "beam", engine=BeamEngine("FnApiRunner"))
    assert files(tmp_path / "one") == files(tmp_path / "beam")


@pytest.mark.parametrize(
    "runner", ["DirectRunner", "directrunner", "DaskRunner", "apache_beam.runners.dask.DaskRunner"]
)
def test_runners_that_lose_data_or_hang_are_refused(runner: str) -> None:
    with pytest.raises(ConfigurationError, match="refused"):
        check_runner(runner)


@pytest.mark.parametrize("runner", ["Foo", "", "Direct"])
def test_a_runner_that_nobody_knows_is_told_before_any_work(runner: str) -> None:
    with pytest.raises(ConfigurationError, match="no such runner; allowed: FnApiRunner"):
        check_runner(runner)


@pytest.mark.parametrize("runner", ["FnApiRunner", "fnapirunner", "PrismRunner", "my.package.OwnRunner"])
def test_other_runners_are_allowed(runner: str) -> None:
    check_runner(runner)


@pytest.mark.slow
def test_a_killed_run_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = [gateway_rows.payload(n, gateway_rows.LEAKING if n % 3 else None, session=f"s{n % 50}") for n in range(3000)]
    path = gateway_rows.write_log(tmp_path, "log.jsonl", made)
    cut = SMALL_SHARDS.format(arguments=["run", str(path), "--output", str(tmp_path / "killed"), "--quiet"])
    process = subprocess.Popen(
        [sys.executable, "-c", cut], env={**os.environ, "PYTHONPATH": str(ROOT)}, start_new_session=True
    )
    done = tmp_path / "killed" / "_work" / "shards"
    while process.poll() is None and (not done.is_dir() or len(list(done.glob("*.json"))) < 3):
        time.sleep(0.005)
    assert process.poll() is None, "the run was over before it could be killed"
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    before = {path: path.stat().st_mtime_ns for path in done.glob("*.json")}
    assert not (tmp_path / "killed" / "manifest.json").exists()
    monkeypatch.setattr(planning, "SHARD_BYTES", 40_000)
    again: list[object] = []
    run([path], tmp_path / "killed", seen=again.append)
    run([path], tmp_path / "whole")
    assert 3 <= len(before) < sum(isinstance(told, ShardSummary) for told in again)
    assert files(tmp_path / "killed") == files(tmp_path / "whole")


def test_a_record_that_kills_its_process_is_rejected_and_nothing_else_is_lost(tmp_path: Path) -> None:
    made = [gateway_rows.pair(n, "please die" if n == 33 else gateway_rows.CLEAN) for n in range(60)]
    path = gateway_rows.write_log(tmp_path, "log.jsonl", made)
    options = Options(work=str(tmp_path / "out" / "work"))
    shards = planning.plan([str(path)], options).shards
    summaries = list(in_processes(partial(killers.dies_at, options=options), shards, workers=1, recover=spare))
    ((_, _, counts),) = summaries[0].coverage
    assert (counts["items"], counts["accepted"], counts["rejected.killed_worker"]) == (60, 59, 1)


def test_a_fault_of_ours_costs_one_record_in_one_process_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from pipelines.shard import sink

    real = sink.turn_key

    def faulty(call_id: str | None, choice: int, place: str) -> int:
        if call_id == "pair-7":
            raise RecursionError("secret text of the log")
        return real(call_id, choice, place)

    monkeypatch.setattr(sink, "turn_key", faulty)
    path = gateway_rows.write_log(tmp_path, "log.jsonl", [gateway_rows.pair(n) for n in range(20)])
    run([path], tmp_path / "out")
    (reject,) = rows(tmp_path / "out", "rejects")
    assert (reject["source_pos"], reject["code"]) == (7, "killed_worker")
    assert totals(tmp_path / "out")["accepted"] == 19
    assert b"secret" not in msgspec.json.encode(reject)

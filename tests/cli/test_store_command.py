"""`leakrate run --store` and `leakrate status` from the command line: what is printed, exit codes, refusals before any work."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from prometheus_client.openmetrics.parser import text_string_to_metric_families

from pipelines.cli import group
from pipelines.errors import ConfigurationError
from tests.history.nights import write_pairs

MOMENT = datetime(2026, 11, 1, 9, tzinfo=UTC)
LEAK = "<think>\nLet me add.\n</think>\n\n12"


@pytest.fixture
def log(tmp_path: Path) -> str:
    write_pairs(tmp_path / "a.jsonl", [("a", MOMENT, {"answer": LEAK}), ("b", MOMENT, {"answer": "12"})])
    return str(tmp_path / "a.jsonl")


def call(*arguments: str) -> Result:
    return CliRunner().invoke(group, arguments, standalone_mode=False, catch_exceptions=False)


def test_run_and_status(tmp_path: Path, log: str) -> None:
    folder, metrics = str(tmp_path / "store"), tmp_path / "collector" / "leakrate.prom"
    done = call(
        "run",
        log,
        "--store",
        folder,
        "--partition",
        "day",
        "--lookback",
        "2",
        "--workers",
        "1",
        "--metrics",
        str(metrics),
    )
    assert done.return_value == 0
    assert "boundary_token" in done.stdout
    assert "Days folded anew: 2026-11-01" in done.stdout
    families = {family.name: family for family in text_string_to_metric_families(metrics.read_text())}
    leaked = {sample.labels["measure"]: sample.value for sample in families["leakrate_leaked_turns"].samples}
    assert leaked["reasoning_leak_rate"] == 1
    assert (tmp_path / "store" / "metrics.prom").read_bytes() == metrics.read_bytes()
    assert (tmp_path / "store" / "report.html").stat().st_size > 1000
    shown = call("status", folder)
    assert shown.return_value == 0
    assert "2026-11-01  complete" in shown.stdout
    said = json.loads(call("status", folder, "--json").stdout)
    assert said["complete"] is True
    assert [(day["day"], day["turns"]) for day in said["days"]] == [("2026-11-01", 2)]


def test_turns_in_the_future_are_named_and_the_page_shows_the_days_of_now(tmp_path: Path, log: str) -> None:
    write_pairs(tmp_path / "b.jsonl", [("c", MOMENT.replace(year=9999), {"answer": LEAK})])
    folder = str(tmp_path / "store")
    done = call("run", log, str(tmp_path / "b.jsonl"), "--store", folder, "--workers", "1")
    assert done.return_value == 0
    assert "1 turn is dated in the future" in done.stdout
    assert "9999-11" not in (tmp_path / "store" / "report.html").read_text()
    shown = call("status", folder)
    assert shown.return_value == 0
    assert "1 turn is dated in the future" in shown.stdout
    assert "1 day: 1 complete" in shown.stdout
    assert (tmp_path / "store" / "counts" / "9999-11-01.parquet").exists()


def test_status_of_a_day_with_rejects_is_not_complete(tmp_path: Path, log: str) -> None:
    Path(log).write_text(Path(log).read_text() + "{not json\n")
    folder = str(tmp_path / "store")
    done = call("run", log, "--store", folder, "--workers", "1", "--quiet")
    assert done.return_value == 3
    assert (tmp_path / "store" / "manifest.json").exists()
    shown = call("status", folder)
    assert shown.return_value == 3
    assert "1 of 3 items of its files were rejected" in shown.stdout


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--store", "{tmp}/s", "--output", "{tmp}/o"], "give one of them"),
        ([], "give one of them"),
        (["--output", "{tmp}/o", "--lookback", "1"], "--lookback: only with --store"),
        (["--store", "{tmp}"], "holds what leakrate did not write"),
        (["--store", "{tmp}/s", "--since", "2026-13-01"], "--since 2026-13-01: no such day"),
        (["--store", "{tmp}/s", "--format", "nope"], "--format nope: no such format"),
    ],
)
def test_wrong_use_is_refused(tmp_path: Path, log: str, arguments: list[str], sentence: str) -> None:
    with pytest.raises(ConfigurationError, match=sentence):
        call("run", log, *(argument.format(tmp=tmp_path) for argument in arguments))
    assert not (tmp_path / "s" / "state.json").exists()


def test_a_store_is_no_output_and_an_output_is_no_store(tmp_path: Path, log: str) -> None:
    folder, output = str(tmp_path / "store"), str(tmp_path / "out")
    assert call("run", log, "--store", folder, "--workers", "1", "--quiet").return_value == 0
    assert call("run", log, "--output", output, "--workers", "1", "--quiet").return_value == 0
    with pytest.raises(ConfigurationError, match="is a store"):
        call("run", log, "--output", folder)
    with pytest.raises(ConfigurationError, match="output of a single run"):
        call("run", log, "--store", output)


def test_gate_and_report_read_a_store(tmp_path: Path, log: str) -> None:
    folder = str(tmp_path / "store")
    call("run", log, "--store", folder, "--workers", "1", "--quiet")
    baseline = str(tmp_path / "baseline.parquet")
    call("baseline", "accept", folder, "--as", baseline)
    assert call("gate", folder, "--baseline", baseline, "--quiet").return_value == 4
    assert call("report", folder, "--output", str(tmp_path / "page.html")).return_value == 0
    assert (tmp_path / "page.html").exists()


def test_a_name_that_is_used_for_other_turns_is_told(tmp_path: Path, log: str) -> None:
    folder = str(tmp_path / "store")
    call("run", log, "--store", folder, "--workers", "1", "--quiet")
    write_pairs(Path(log), [(name, MOMENT, {"answer": "12"}) for name in ("a", "b", "c")])
    assert "need dates" not in call("run", log, "--store", folder, "--workers", "1").stderr
    write_pairs(Path(log), [("x", MOMENT, {"answer": "12"})])
    assert "1 files hold none of the turns" in call("run", log, "--store", folder, "--workers", "1").stderr

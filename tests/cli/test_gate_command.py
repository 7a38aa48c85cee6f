"""`leakrate baseline accept` and `leakrate gate` from the outside: files in, files and exit codes out, one sentence on each refusal."""

import contextlib
import io
import json
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch
from xml.etree import ElementTree

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipelines.cli import main
from pipelines.schema import COVERAGE, VERDICT
from tests.count_tables import measures

POLICY = 'measures = ["reasoning_leak"]\n'


@dataclass(frozen=True)
class Finished:
    returncode: int
    stdout: str
    stderr: str


def leakrate(*arguments: object) -> Finished:
    """The command as a shell would run it, in this process."""
    out, err = io.StringIO(), io.StringIO()
    with (
        patch.object(sys, "argv", ["leakrate", *map(str, arguments)]),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        pytest.raises(SystemExit) as end,
    ):
        main()
    code = end.value.code
    assert isinstance(code, int)
    return Finished(code, out.getvalue(), err.getvalue())


def output(
    folder: Path,
    leaks: int,
    conversations: int,
    *,
    version: str = "1",
    rejected: int = 0,
    failed: int = 0,
    **columns: object,
) -> Path:
    """An output folder as `leakrate run` leaves it, as far as the gate reads it."""
    folder.mkdir()
    counts = measures((conversations,), (leaks,), measure_version=version, **columns)
    pq.write_table(counts, folder / "counts.parquet")
    row = dict.fromkeys(COVERAGE.names, 0) | {"source_uri": "a", "format": "pair"}
    row |= {"items": 100, "rejected": rejected, "detail": [("rejected.rule.some-rule", failed)]}
    pq.write_table(pa.Table.from_pylist([row], COVERAGE), folder / "coverage.parquet")
    names = ("reasoning_leak", "boundary_token", "raw_tool_call", "structured_invalid")
    manifest = {
        "leakrate": "0.1.0",
        "inputs": {"digest": f"{folder.name}-{leaks}-{conversations}"},
        "model": None,
        "days": ["2026-11-30"],
        "rules": {"some-rule": 1},
        "measures": [["symptom", name, version, "rule"] for name in names],
    }
    (folder / "manifest.json").write_text(json.dumps(manifest))
    return folder


@pytest.fixture
def baseline(tmp_path: Path) -> Path:
    accepted = leakrate(
        "baseline", "accept", output(tmp_path / "accepted", 100, 10_000), "--as", tmp_path / "base.parquet"
    )
    assert accepted.returncode == 0, accepted.stderr
    assert "1 run, 2026-11-30" in accepted.stdout
    return tmp_path / "base.parquet"


@pytest.mark.parametrize(
    ("leaks", "conversations", "code", "word"),
    [(100, 10_000, 0, "pass"), (1000, 10_000, 1, "fail"), (2, 200, 4, "not enough data")],
)
def test_exit_codes(tmp_path: Path, baseline: Path, leaks: int, conversations: int, code: int, word: str) -> None:
    found = leakrate("gate", output(tmp_path / "candidate", leaks, conversations), "--baseline", baseline)
    assert found.returncode == code, found.stdout + found.stderr
    assert found.stdout.splitlines()[-1].startswith(word)
    assert "policy: ratio_margin = 2.0" in found.stdout
    if code == 4:
        assert "more conversations are needed" in found.stdout


def test_an_output_folder_is_a_baseline_too(tmp_path: Path) -> None:
    one = output(tmp_path / "one", 100, 10_000)
    assert leakrate("gate", output(tmp_path / "two", 101, 10_000), "--baseline", one, "--quiet").returncode == 0


def test_everything_is_written(tmp_path: Path, baseline: Path) -> None:
    (tmp_path / "policy.toml").write_text(POLICY)
    files = {name: tmp_path / "reports" / name for name in ("junit", "markdown", "json", "parquet")}
    options = [part for name, file in files.items() for part in (f"--{name}", file)]
    candidate = output(tmp_path / "candidate", 1000, 10_000)
    found = leakrate(
        "gate", candidate, "--baseline", baseline, "--policy", tmp_path / "policy.toml", "--quiet", *options
    )
    assert (found.returncode, found.stdout) == (1, "")
    assert ElementTree.parse(files["junit"]).getroot().find("testsuite/testcase/failure") is not None
    assert files["markdown"].read_text().startswith("## ❌ leakrate gate: fail")
    value = json.loads(files["json"].read_text())
    assert (value["verdict"], value["policy"]["measures"]) == ("fail", ["reasoning_leak"])
    assert pq.read_table(files["parquet"]).schema.equals(VERDICT)


def test_order_and_repetition_of_inputs_change_nothing(tmp_path: Path) -> None:
    runs = [output(tmp_path / f"run{day}", 30 + day, 3000, day=f"2026-11-{day}") for day in (10, 11, 12)]
    reports, bases = [], []
    for number, order in enumerate((runs, runs[::-1], [*runs, runs[0], runs[0]])):
        base, report = tmp_path / f"{number}.parquet", tmp_path / f"{number}.json"
        assert leakrate("baseline", "accept", *order, "--as", base).returncode == 0
        assert leakrate("gate", *order, "--baseline", base, "--json", report).returncode == 0
        bases.append(base.read_bytes())
        reports.append(report.read_bytes())
    assert len(set(bases)) == len(set(reports)) == 1


def test_a_copy_of_a_run_counts_once(tmp_path: Path, baseline: Path) -> None:
    one = output(tmp_path / "one", 30, 3000)
    shutil.copytree(one, tmp_path / "copy")
    alone, both = tmp_path / "alone.json", tmp_path / "both.json"
    leakrate("gate", one, "--baseline", baseline, "--json", alone)
    leakrate("gate", one, tmp_path / "copy", "--baseline", baseline, "--json", both)
    assert alone.read_bytes() == both.read_bytes()


def refusal(found: Finished, code: int, *words: str) -> None:
    assert found.returncode == code, found.stdout + found.stderr
    assert "Traceback" not in found.stderr
    (line,) = found.stderr.strip().splitlines()
    for word in words:
        assert word in line, line


def test_a_missing_candidate_or_baseline(tmp_path: Path, baseline: Path) -> None:
    candidate = output(tmp_path / "candidate", 100, 10_000)
    refusal(leakrate("gate", tmp_path / "nothing", "--baseline", baseline), 2, "nothing", "does not exist")
    refusal(leakrate("gate", candidate, "--baseline", tmp_path / "no.parquet"), 2, "no.parquet", "baseline accept")
    refusal(leakrate("baseline", "accept", tmp_path / "nothing", "--as", tmp_path / "b"), 2, "does not exist")
    refusal(leakrate("gate", candidate, "--baseline", baseline, "--policy", tmp_path / "no.toml"), 2, "no.toml")


def test_a_wrong_policy(tmp_path: Path, baseline: Path) -> None:
    (tmp_path / "policy.toml").write_text("margin = 2")
    candidate = output(tmp_path / "candidate", 100, 10_000)
    found = leakrate("gate", candidate, "--baseline", baseline, "--policy", tmp_path / "policy.toml")
    refusal(found, 2, "policy.toml", "unknown key 'margin'", "ratio_margin")


@pytest.mark.parametrize("missing", ["manifest.json", "counts.parquet", "coverage.parquet"])
def test_an_unfinished_run(tmp_path: Path, baseline: Path, missing: str) -> None:
    candidate = output(tmp_path / "candidate", 100, 10_000)
    (candidate / missing).unlink()
    refusal(leakrate("gate", candidate, "--baseline", baseline), 3, "candidate", missing)
    refusal(leakrate("baseline", "accept", candidate, "--as", tmp_path / "b"), 3, missing)
    assert not (tmp_path / "b").exists()


@pytest.mark.parametrize(
    ("name", "content"),
    [("manifest.json", b"{}"), ("manifest.json", b"\xff{"), ("counts.parquet", b"no"), ("coverage.parquet", b"")],
)
def test_a_damaged_run(tmp_path: Path, baseline: Path, name: str, content: bytes) -> None:
    candidate = output(tmp_path / "candidate", 100, 10_000)
    (candidate / name).write_bytes(content)
    refusal(leakrate("gate", candidate, "--baseline", baseline), 3, "candidate")


def test_a_file_that_is_no_baseline(tmp_path: Path) -> None:
    candidate = output(tmp_path / "candidate", 100, 10_000)
    pq.write_table(pa.table({"a": [1]}), tmp_path / "other.parquet")
    (tmp_path / "text").write_text("no parquet")
    refusal(leakrate("gate", candidate, "--baseline", tmp_path / "other.parquet"), 3, "not a baseline")
    refusal(leakrate("gate", candidate, "--baseline", tmp_path / "text"), 3, "text")


def test_other_rule_versions(tmp_path: Path, baseline: Path) -> None:
    newer = output(tmp_path / "newer", 100, 10_000, version="2")
    refusal(leakrate("gate", newer, "--baseline", baseline), 3, "reasoning_leak", "different versions")
    found = leakrate("baseline", "accept", newer, tmp_path / "accepted", "--as", tmp_path / "b")
    refusal(found, 3, "different versions", "accepted and newer")


@pytest.mark.parametrize("columns", [{"rejected": 6}, {"failed": 6}], ids=["items", "rules"])
def test_too_many_rejects(tmp_path: Path, baseline: Path, columns: dict[str, int]) -> None:
    candidate = output(tmp_path / "candidate", 100, 10_000, **columns)
    refusal(leakrate("gate", candidate, "--baseline", baseline), 3, "6 of 100 items", "5%")
    allowed = leakrate("gate", candidate, "--baseline", baseline, "--max-reject-rate", "0.1")
    assert allowed.returncode == 0


def as_store(folder: Path, days: dict[str, tuple[int, int]]) -> Path:
    """A store that grows by the day, as far as the gate reads it."""
    output(folder, 0, 0)
    (folder / "counts.parquet").unlink()
    (folder / "state.json").write_text("{}")
    (folder / "counts").mkdir()
    for day, (leaks, conversations) in days.items():
        pq.write_table(measures((conversations,), (leaks,), day=day), folder / "counts" / f"{day}.parquet")
    return folder


def test_days_of_a_store_can_be_gated(tmp_path: Path) -> None:
    days = {"2026-11-10": (50, 5000), "2026-11-11": (50, 5000), "2026-11-12": (500, 5000)}
    grown = as_store(tmp_path / "store", days)
    accepted = leakrate("baseline", "accept", grown, "--until", "2026-11-11", "--as", tmp_path / "base")
    assert "2 days from 2026-11-10 to 2026-11-11" in accepted.stdout
    gate = ("gate", grown, "--baseline", tmp_path / "base", "--quiet")
    assert leakrate(*gate, "--since", "2026-11-10", "--until", "2026-11-11").returncode == 0
    assert leakrate(*gate, "--since", "2026-11-12").returncode == 1
    empty = leakrate(*gate[:-1], "--since", "2026-12-24")
    assert (empty.returncode, "the candidate has no turn" in empty.stdout) == (4, True)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--since", "2026-11-31"), "--since 2026-11-31"),
        (("--until", "20261130"), "YYYY-MM-DD"),
        (("--since", "2026-11-30", "--until", "2026-11-29"), "lies behind"),
    ],
)
def test_a_wrong_window(tmp_path: Path, baseline: Path, options: tuple[str, ...], says: str) -> None:
    refusal(leakrate("gate", tmp_path / "accepted", "--baseline", baseline, *options), 2, says)


def pair_log(file: Path, *, conversations: int, turns: int, leaks: int) -> Path:
    """Conversations of equal length whose requests repeat their history; each `leaks`-th turn shows its thoughts."""
    lines = []
    for conversation in range(conversations):
        messages: list[dict[str, str]] = []
        for turn in range(turns):
            messages.append({"role": "user", "content": f"And then, step {turn}?"})
            number = conversation * turns + turn
            content = "Let me count the stones.\n</think>\n\nFour stones." if number % leaks == 0 else "Four stones."
            choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": content}}
            row = {
                "id": f"{file.stem}-{number}",
                "time": f"2026-11-30T10:{turn:02}:00Z",
                "request": {"model": "qwen3-32b", "messages": list(messages)},
                "response": {"object": "chat.completion", "model": "qwen3-32b", "choices": [choice]},
                "metadata": {"conversation": f"{file.stem}-{conversation}", "model": "Qwen/Qwen3-32B"},
            }
            lines.append(json.dumps(row))
            messages.append({"role": "assistant", "content": "Four stones."})
    file.write_text("\n".join(lines))
    return file


@pytest.mark.slow
def test_from_logs_to_verdicts(tmp_path: Path) -> None:
    """Two turns against eight at equal chances pass, and ten times as many leaks fail."""
    logs = {
        "long": pair_log(tmp_path / "long.jsonl", conversations=500, turns=8, leaks=37),
        "short": pair_log(tmp_path / "short.jsonl", conversations=1500, turns=2, leaks=37),
        "leaky": pair_log(tmp_path / "leaky.jsonl", conversations=500, turns=2, leaks=4),
    }
    for name, log in logs.items():
        assert leakrate("run", log, "--output", tmp_path / name, "--workers", 1, "--quiet").returncode == 0
    assert leakrate("baseline", "accept", tmp_path / "long", "--as", tmp_path / "base").returncode == 0
    same = leakrate("gate", tmp_path / "short", "--baseline", tmp_path / "base")
    assert same.returncode == 0, same.stdout
    worse = leakrate("gate", tmp_path / "leaky", "--baseline", tmp_path / "base")
    assert worse.returncode == 1, worse.stdout
    assert "rose" in worse.stdout

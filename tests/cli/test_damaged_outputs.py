"""Small files that are damaged end a command in one sentence and its exit code, never in a traceback."""

import gzip
import json
from pathlib import Path

import pytest

from pipelines import outputs
from pipelines.cli.report_of_outputs import report_input
from pipelines.errors import ConfigurationError, DataError, InputError, LeakrateError
from pipelines.gate import read_policy
from pipelines.job import Options
from pipelines.leak_rates import check_options
from tests import gateway_rows
from tests.runs import run


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("finished")
    run([gateway_rows.write_log(folder, "log.jsonl", [gateway_rows.payload(1)])], folder / "out")
    return folder / "out"


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        *((name, "cut") for name in ("manifest.json", "counts.parquet", "coverage.parquet", "detections")),
        *((name, "empty") for name in ("manifest.json", "counts.parquet", "coverage.parquet", "detections")),
        *((name, "gone") for name in ("manifest.json", "counts.parquet", "coverage.parquet")),
    ],
)
def test_a_result_that_is_damaged_is_not_shown(finished: Path, tmp_path: Path, name: str, damage: str) -> None:
    for file in finished.rglob("*"):
        if file.is_file():
            copy = tmp_path / file.relative_to(finished)
            copy.parent.mkdir(exist_ok=True)
            copy.write_bytes(file.read_bytes())
    damaged = next((tmp_path / name).iterdir()) if name == "detections" else tmp_path / name
    if damage == "gone":
        damaged.rename(tmp_path / "elsewhere")
    else:
        damaged.write_bytes(damaged.read_bytes()[:-20] if damage == "cut" else b"")
    with pytest.raises(DataError, match=name):
        report_input([str(tmp_path)])


@pytest.mark.parametrize("manifest", [b"5", b"[]", b'{"inputs": 5}', b"{" * 50_000, b'{"a":' * 50_000])
def test_a_manifest_of_another_shape_is_not_read(tmp_path: Path, manifest: bytes) -> None:
    (tmp_path / "manifest.json").write_bytes(manifest)
    with pytest.raises(DataError, match=r"manifest\.json"):
        outputs.load_manifest(str(tmp_path))


@pytest.mark.parametrize(
    "verdict",
    [
        b"",
        b"5",
        b"[" * 50_000,
        b'{"rows": []}',
        b'{"verdict": "fail"}',
        b'{"verdict": "fail", "rows": 5}',
        b'{"verdict": "fail", "rows": [5]}',
        b'{"verdict": "fail", "rows": [{"model": "m"}]}',
    ],
)
def test_a_file_that_is_no_verdict_is_refused(finished: Path, tmp_path: Path, verdict: bytes) -> None:
    (tmp_path / "gate.json").write_bytes(verdict)
    with pytest.raises(ConfigurationError, match=r"^--gate .*gate\.json: "):
        report_input([str(finished)], gate=str(tmp_path / "gate.json"))


@pytest.mark.parametrize("option", ["labels", "deployments"])
def test_a_file_of_options_that_was_cut_is_refused(tmp_path: Path, option: str) -> None:
    (tmp_path / "cut.gz").write_bytes(gzip.compress(b"# nothing\n" * 9)[:-9])
    with pytest.raises(InputError, match=r"cut\.gz: this gzip file is damaged"):
        check_options(Options(work="", **{option: str(tmp_path / "cut.gz")}))


@pytest.mark.parametrize("suffix", ["toml", "csv"])
def test_deployments_that_no_reader_takes_are_refused(tmp_path: Path, suffix: str) -> None:
    file = tmp_path / f"deployments.{suffix}"
    file.write_text("a = " + "[" * 50_000 if suffix == "toml" else "match_model,engine\n" + "x" * 200_000)
    with pytest.raises(LeakrateError, match=f"deployments.{suffix}: "):
        check_options(Options(work="", deployments=str(file)))


def test_a_policy_that_no_reader_takes_is_refused() -> None:
    with pytest.raises(ConfigurationError, match=r"^policy\.toml is not valid TOML"):
        read_policy("measures = " + "[" * 50_000, "policy.toml")


def test_what_the_gate_writes_is_taken(finished: Path, tmp_path: Path) -> None:
    row = {"model": "m", "measure": "preamble", "verdict": "pass", "reason": "none", "more": 1}
    (tmp_path / "gate.json").write_text(json.dumps({"verdict": "pass", "rows": [row]}))
    assert report_input([str(finished)], gate=str(tmp_path / "gate.json")).gate == {"verdict": "pass", "rows": [row]}

"""One run over a folder of mixed sources counts each file as its answer says, and each call once."""

import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from tests.sample_files import SAMPLES

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "tests" / "golden" / "sources"
ANSWERS = {
    str(answer["source"]): answer for answer in (tomllib.loads(path.read_text()) for path in FOLDER.glob("*.toml"))
}
LENT = ("sglang", "vllm", "envoy_access_log")
SECOND_EXPORTER = "otlp/litellm_openinference.jsonl"
"""Its calls stand in the file of the first exporter too."""
SAME_OBJECT = "mapped/bifrost_api.jsonl"
"""Its first row is the call of the object in Bifrost's storage."""


@pytest.fixture(scope="module")
def coverage(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    output = tmp_path_factory.mktemp("mixed") / "out"
    folders = [str(SAMPLES / name) for name in ("otlp", "langfuse", "kong", "mapped", "engines")]
    command = [sys.executable, "-m", "pipelines", "run", *folders, "--output", str(output), "--workers", "1", "--quiet"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    rows = pq.read_table(output / "coverage.parquet").to_pylist()
    return {row["source_uri"].partition("data/samples/")[2]: row for row in rows}


def test_every_file_is_in_the_coverage(coverage: dict[str, dict[str, Any]]) -> None:
    assert coverage.keys() == ANSWERS.keys()


@pytest.mark.parametrize("source", sorted(ANSWERS))
def test_counts_of_a_file(coverage: dict[str, dict[str, Any]], source: str) -> None:
    row, answer = coverage[source], ANSWERS[source]
    calls, skipped = len(answer["record"]), dict(answer.get("skipped", {}))
    twice = {SECOND_EXPORTER: 9, SAME_OBJECT: 1}.get(source, 0) + skipped.pop("duplicate", 0)
    lent = calls if answer["format"] in LENT else 0
    assert row["format"] == answer["format"]
    assert row["items"] == answer["items"]
    assert (row["rejected"], row["blank"]) == (0, 0)
    assert row["duplicate"] == twice
    assert row["skipped"] == sum(skipped.values()) + lent
    assert row["accepted"] == answer["items"] - row["duplicate"] - row["skipped"]
    assert row["records"] == calls - lent - {SECOND_EXPORTER: 9, SAME_OBJECT: 1}.get(source, 0)

"""Spark writes what this machine does: in one JVM, and with executors in processes of their own."""

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from pipelines.local import Local
from tests.runs import ROOT, files, run

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("pyspark") is None, reason="needs pyspark: pip install -e '.[spark]'"),
    pytest.mark.skipif(shutil.which("java") is None, reason="needs Java 17, which Spark runs on"),
]
CODE = """
import sys
from pyspark.sql import SparkSession
from pipelines import plan
from pipelines.errors import LeakrateError
from pipelines.spark import SparkEngine
from tests import runs

master, output, size, *inputs = sys.argv[1:]
plan.SHARD_BYTES = int(size)
builder = SparkSession.builder.master(master).config("spark.ui.enabled", "false")
session = builder.config("spark.executor.memory", "512m").getOrCreate()
try:
    runs.run(inputs, output, engine=SparkEngine(session))
except LeakrateError as error:
    print(error)
finally:
    session.stop()
"""


def on_spark(master: str, output: str, *inputs: str, size: int = 64 << 20) -> subprocess.CompletedProcess[str]:
    own = {"PYTHONPATH": str(ROOT), "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    command = [sys.executable, "-c", CODE, master, output, str(size), *inputs]
    return subprocess.run(
        command, capture_output=True, text=True, check=True, env={**os.environ, **own}, timeout=600, cwd=ROOT
    )


@pytest.mark.parametrize("master", ["local[2]", "local-cluster[2,1,512]"])
def test_spark_writes_what_this_machine_does(master: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipelines.plan.SHARD_BYTES", 100_000)
    samples = str(ROOT / "data" / "samples")
    run([samples], tmp_path / "one", engine=Local(1))
    on_spark(master, str(tmp_path / "spark"), samples, size=100_000)
    assert files(tmp_path / "one") == files(tmp_path / "spark")


def test_names_that_executors_cannot_resolve_are_refused(tmp_path: Path) -> None:
    told = on_spark("local[1]", str(tmp_path / "out"), "data/samples").stdout
    assert "Spark needs absolute paths or URLs" in told
    assert not (tmp_path / "out" / "manifest.json").exists()

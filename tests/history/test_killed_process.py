"""A process that is killed by the kernel, anywhere, leaves a store that the next run makes whole."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.history.month_of_logs import files_of_month
from tests.history.nights import differences, published

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_runs_that_are_killed(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    for name, (night, content) in files_of_month(seed=2, conversations=4).items():
        if night <= 6:
            (logs / name).write_bytes(content)

    def command(folder: str) -> list[str]:
        options = ["--store", str(tmp_path / folder), "--workers", "2", "--quiet"]
        return [sys.executable, "-m", "pipelines", "run", str(logs), *options]

    started = time.monotonic()
    subprocess.run(command("once"), check=True, cwd=ROOT, timeout=300)
    whole = time.monotonic() - started
    for share in (0.5, 0.7, 0.8, 0.9):
        process = subprocess.Popen(command("killed"), cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(whole * share)
        process.kill()
        process.wait()
    subprocess.run(command("killed"), check=True, cwd=ROOT, timeout=300)
    assert not differences(published(tmp_path / "killed"), published(tmp_path / "once"))

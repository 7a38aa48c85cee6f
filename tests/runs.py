"""Runs of the main job for tests, in this process and as a command, and what came out of them."""

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from pipelines import leak_rates, store
from pipelines.finish.commit import Output
from pipelines.job import Options, Seen
from pipelines.leak_rates import Engine
from pipelines.local import Local
from pipelines.plan import plan

ROOT = Path(__file__).parent.parent


def run(
    inputs: Sequence[str | Path],
    output: Path | str,
    *,
    engine: Engine | None = None,
    seen: Seen = lambda _: None,
    log_format: str = "auto",
    **options: Any,
) -> Output:
    """One run in this process; the output is new or of an earlier run."""
    asked = Options(work=store.join(str(output), leak_rates.WORK), **options)
    leak_rates.check_options(asked)
    leak_rates.claim(str(output), fresh=False)
    found = plan([str(path) for path in inputs], asked, format=log_format)
    return leak_rates.leak_rates(str(output), asked, plan=found, engine=engine or Local(1), seen=seen)


def command(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-m", "pipelines", "run", *map(str, arguments)]


def finished(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """`leakrate run` as its own process."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        command(*arguments), capture_output=True, text=True, check=False, env=environment, timeout=300
    )


def on_terminal(*arguments: str, columns: int) -> str:
    """What a command of leakrate prints on a terminal of that width, without its colours."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "FORCE_COLOR": "1", "COLUMNS": str(columns), "TERM": "xterm"}
    asked = [sys.executable, "-m", "pipelines", *arguments]
    told = subprocess.run(asked, capture_output=True, text=True, check=True, env=environment, timeout=300)
    return re.sub(r"\x1b\[[0-9;]*m", "", told.stdout)


def table(output: Path | str, name: str) -> pa.Table:
    """A dataset or a file of an output."""
    path = Path(output) / name
    parts = sorted(path.iterdir()) if path.is_dir() else [path.with_suffix(".parquet")]
    return pa.concat_tables([pq.read_table(part) for part in parts]).unify_dictionaries()


def rows(output: Path | str, name: str) -> list[dict[str, Any]]:
    return [dict(row) for row in table(output, name).to_pylist()]


def files(output: Path | str) -> dict[str, bytes]:
    """Every file of an output by name; the report is left to its own tests."""
    root = Path(output)
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and path.suffix != ".html"
    }


def totals(output: Path | str) -> dict[str, int]:
    """Coverage added up over files."""
    found: dict[str, int] = {}
    for row in rows(output, "coverage"):
        for name, value in row.items():
            if isinstance(value, int):
                found[name] = found.get(name, 0) + value
    return found

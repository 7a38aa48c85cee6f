"""What a run has loaded when its first shard begins: nothing that only later steps, other engines or URLs need."""

import subprocess
import sys
from pathlib import Path

from tests import gateway_rows

ROOT = Path(__file__).parent.parent.parent
LATER = {
    "asyncio",
    "fsspec",
    "jinja2",
    "multiprocessing",
    "pandas",
    "pipelines.finish",
    "pipelines.history",
    "pipelines.report",
    "prometheus_client",
    "pyarrow.compute",
    "pyarrow.parquet",
    "rich",
    "scipy",
}
CODE = """
import sys
from pipelines.cli import main
from pipelines.local import Local

real = Local.shards

def told(*arguments, **more):
    print(*sys.modules)
    raise KeyboardInterrupt

def shards(*arguments, **more):
    from pipelines import shard
    shard.process_shard = told
    return real(*arguments, **more)

Local.shards = shards
main()
"""


def test_the_first_shard_begins_before_anything_else_is_loaded(tmp_path: Path) -> None:
    log = gateway_rows.write_log(tmp_path, "log.jsonl", [gateway_rows.pair(1, gateway_rows.CLEAN)])
    arguments = ["run", str(log), "--output", str(tmp_path / "out"), "--workers", "1"]
    done = subprocess.run([sys.executable, "-c", CODE, *arguments], capture_output=True, text=True, cwd=ROOT)
    loaded = set(done.stdout.split())
    assert {"pipelines.shard", "pyarrow"} <= loaded, done.stderr
    assert not loaded & LATER

"""Inputs and output on S3, of a server of moto's: the tables are those of this machine, a second run goes on, a store grows."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.runs import ROOT

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("s3fs") is None, reason="needs s3fs: pip install -e '.[s3]'"),
    pytest.mark.skipif(
        find_spec("moto") is None, reason="needs a server of S3: pip install 'moto[s3]' flask flask-cors"
    ),
]
TABLES = ("counts.parquet", "rates.parquet", "usage.parquet")
FILL = "import sys, s3fs; files = s3fs.S3FileSystem(); files.mkdir('logs'); files.put(sys.argv[1], 'logs/in/', recursive=True)"
FETCH = "import sys, s3fs; s3fs.S3FileSystem().get(sys.argv[1], sys.argv[2], recursive=True)"


@pytest.fixture(scope="module")
def environment() -> Iterator[dict[str, str]]:
    """The environment of commands that use the server, which runs as long as the module's tests."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    own = {"AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "x", "AWS_DEFAULT_REGION": "us-east-1"}
    own |= {"AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "moto.server", "-p", str(port)]
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, **own}
    ) as server:
        try:
            for _ in range(300):
                with socket.socket() as asking:
                    if asking.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.1)
            told([sys.executable, "-c", FILL, f"{ROOT}/data/samples/"], {**os.environ, **own})
            yield {**os.environ, **own}
        finally:
            server.terminate()


def told(command: list[str], environment: dict[str, str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=ROOT, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def leakrate(environment: dict[str, str], *arguments: str) -> str:
    return told([sys.executable, "-m", "pipelines", *arguments], environment)


@pytest.mark.parametrize("workers", ["1", "2"])
def test_tables_from_s3_are_those_of_this_machine(environment: dict[str, str], workers: str, tmp_path: Path) -> None:
    leakrate(environment, "run", "data/samples", "--output", str(tmp_path / "here"), "--quiet")
    output = f"s3://logs/out{workers}"
    for _ in range(2):
        leakrate(environment, "run", "s3://logs/in", "--output", output, "--workers", workers, "--quiet")
    told([sys.executable, "-c", FETCH, output, str(tmp_path / "there")], environment)
    for name in TABLES:
        assert (tmp_path / "there" / name).read_bytes() == (tmp_path / "here" / name).read_bytes(), name
    assert sorted(path.name for path in (tmp_path / "there").iterdir()) == sorted(
        path.name for path in (tmp_path / "here").iterdir()
    )


def test_a_store_on_s3_grows(environment: dict[str, str]) -> None:
    for _ in range(2):
        leakrate(environment, "run", "s3://logs/in/litellm", "--store", "s3://logs/store", "--quiet")
    assert "2026-11-30" in leakrate(environment, "status", "s3://logs/store")


def test_a_missing_key_is_one_sentence(environment: dict[str, str]) -> None:
    command = [sys.executable, "-m", "pipelines", "run", "s3://logs/nothing", "--output", "s3://logs/none"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=ROOT, timeout=300)
    assert (done.returncode, done.stderr) == (2, "leakrate: s3://logs/nothing: no such file, or nothing in it\n")

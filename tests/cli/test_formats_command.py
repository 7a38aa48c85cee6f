"""`leakrate formats`: the list, and what is understood of a file, without showing its texts unasked."""

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest

from pipelines.formats import FORMATS
from tests.sample_files import SAMPLES

ROOT = Path(__file__).parents[2]
SECRET = "the harbour master's secret"
HOSTILE = "\x1b[2J\x07 wipe \u202eecho"


def formats(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pipelines", "formats", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=ROOT)


def row(content: str) -> dict[str, object]:
    message = {"role": "assistant", "content": content, "reasoning": content}
    return {"id": "p1", "response": {"id": "c", "choices": [{"index": 0, "finish_reason": "stop", "message": message}]}}


def test_every_format_is_listed() -> None:
    done = formats()
    assert done.returncode == 0
    for one in FORMATS:
        assert f"{one.name} " in done.stdout
    assert [entry["name"] for entry in json.loads(formats("--json").stdout)] == [one.name for one in FORMATS]


@pytest.mark.parametrize(
    ("name", "format_name", "said"),
    [
        ("kong/ai_log.jsonl", "kong", "6 read"),
        ("otlp/litellm_v1.jsonl", "otlp", "9 read, 3 skipped (duplicate)"),
        ("mapped/databricks.parquet", "databricks_inference_table", "5 read, 1 skipped (failed)"),
        ("mapped/bedrock.json.gz", "bedrock_invocation", "6 read"),
        ("engines/vllm.log", "vllm", "3 read, 1 skipped (not_a_call), 1 skipped (stream_delta)"),
        ("sse/several.txt", "sse", "read"),
    ],
)
def test_check_says_what_was_understood(name: str, format_name: str, said: str) -> None:
    done = formats("check", SAMPLES / name)
    assert done.returncode == 0, done.stderr
    assert f"read as {format_name}" in done.stdout
    assert said in done.stdout


def test_check_names_what_is_missing_and_what_follows() -> None:
    done = formats("check", SAMPLES / "mapped" / "apisix.jsonl")
    missing = done.stdout.partition("Not shown by these rows:")[2]
    assert "  tool_calls: tool_args_invalid is not judged\n" in missing
    assert "  engine: no rate by engine, unless a deployment file names it\n" in missing
    assert "  content:" not in missing


def test_texts_are_shown_only_when_asked_for(tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_text(json.dumps(row(SECRET)) + "\n")
    assert SECRET not in formats("check", tmp_path / "log.jsonl").stdout
    assert SECRET in formats("check", tmp_path / "log.jsonl", "--show-text").stdout


def test_a_log_cannot_steer_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_text(json.dumps(row(HOSTILE) | {"metadata": {"engine": HOSTILE}}) + "\n")
    shown = formats("check", tmp_path / "log.jsonl", "--show-text").stdout
    assert "wipe" in shown
    assert not set(shown) & set("\x1b\x07\u202e")


def test_rows_limits_what_is_looked_at(tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_text("".join(json.dumps(row("Four.") | {"id": f"p{n}"}) + "\n" for n in range(9)))
    assert "\n3 read\n" in formats("check", tmp_path / "log.jsonl", "--rows", 3).stdout


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "empty; no format knows its rows"),
        (b"no log at all\n", "no format knows its rows"),
        (b'{"id": 1}\n', "no format knows its rows"),
        (b'{"id": "x", "response": 7}\n', "no format knows its rows"),
        (gzip.compress(b'{"id": "x"}\n')[:-9], "damaged (EOFError); what stands before the damage tells no format"),
    ],
)
def test_nothing_to_read_is_exit_code_three(tmp_path: Path, content: bytes, said: str) -> None:
    (tmp_path / "file").write_bytes(content)
    done = formats("check", tmp_path / "file")
    assert done.returncode == 3
    assert said in done.stdout
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("check", "nowhere.jsonl"), "nowhere.jsonl"),
        (("check", "README.md", "--format", "odd"), "allowed: auto, "),
        (
            ("check", "README.md", "--mapping", "tests/golden/wrong_mappings/unknown_dim.toml"),
            "key 'dims.team' is unknown",
        ),
        (("check", "README.md", "--mapping", "nowhere.toml"), "nowhere.toml"),
        (("check", "README.md", "--rows", "0"), "--rows"),
    ],
)
def test_wrong_use_is_exit_code_two(arguments: tuple[str, ...], sentence: str) -> None:
    done = formats(*arguments)
    assert done.returncode == 2
    assert sentence in done.stderr

"""What a run prints at its end: file names made visible, and no "no leak" where nothing was judged."""

from pathlib import Path

import pytest

from pipelines.cli import run_summary
from tests.gateway_rows import CLEAN, LEAKING, lines, pair
from tests.runs import finished


def test_nothing_judged_is_not_called_clean(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_bytes(b"\n")
    told = finished(tmp_path / "empty.jsonl", "--output", tmp_path / "out")
    assert told.returncode == 0
    assert "No turn could be judged." in told.stdout and "No leak" not in told.stdout


def test_no_item_is_told(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_bytes(b"")
    told = finished(tmp_path / "empty.jsonl", "--output", tmp_path / "out")
    assert "No item was read" in told.stdout and "No leak" not in told.stdout


def test_no_leak_is_said_when_turns_were_judged(tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_bytes(lines([pair(1, CLEAN)]))
    assert "No leak was found." in finished(tmp_path / "log.jsonl", "--output", tmp_path / "out").stdout


def test_names_of_files_cannot_write_to_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "a\n\x1b[31m\u202e.jsonl").write_bytes(lines([pair(1, LEAKING)]))
    told = finished(tmp_path, "--output", tmp_path / "out")
    assert "a\\u000a\\u001b[31m\\u202e.jsonl: pair (lines)" in told.stdout
    assert "\x1b" not in told.stdout + told.stderr


def rate(
    model: str, leaked: int, *, low: float | None, high: float | None, template: str = "unknown"
) -> dict[str, object]:
    named = {"model": model, "engine": "vllm", "engine_version": "0.33.0", "template_version": template}
    return named | {
        "measure": "reasoning_leak",
        "leaked_turns": leaked,
        "turns": 4000,
        "rate": leaked / 4000,
        "low": low,
        "high": high,
    }


@pytest.mark.parametrize(
    "rates",
    [
        (rate("qwen3-32b", 1234, low=0.2, high=0.4), rate("a-longer-name", 2, low=None, high=0.01)),
        (rate("m", 1, low=None, high=None),),
        (rate("日本語のモデル", 5, low=0.001, high=0.002), rate("m", 7, low=0.1, high=0.2)),
        (rate("x" * 60, 5, low=0.001, high=0.002, template="y" * 60), rate("m", 7, low=0.1, high=0.2)),
    ],
    ids=["two", "one", "wide characters", "wrapped"],
)
def test_the_table_in_a_pipe_is_that_of_a_terminal(
    rates: tuple[dict[str, object], ...], capsys: pytest.CaptureFixture[str]
) -> None:
    run_summary._print_rates(rates)
    piped = capsys.readouterr().out
    run_summary._print_rich(rates)
    drawn = capsys.readouterr().out
    assert [line.rstrip() for line in piped.splitlines()] == [line.rstrip() for line in drawn.splitlines()]
    assert "reasoning_leak" in piped

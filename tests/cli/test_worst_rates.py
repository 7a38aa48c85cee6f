"""The worst rates of a run come first: those that are bad for certain, then those of which only a bound or nothing is known."""

from pathlib import Path

import pytest
from scipy import stats

from pipelines.cli.run_summary import MOST_RATES, print_text, summarise
from pipelines.finish.commit import Output
from pipelines.job import Options
from pipelines.plan import plan
from tests.gateway_rows import CLEAN, LEAKING, pair, write_log
from tests.runs import run

MODELS = {
    # model: conversations of one turn, how many leak
    "org/rarely": (100, 1),
    "org/tiny": (3, 3),
    "org/often": (40, 20),
    "org/seldom": (100, 5),
    "org/never": (20, 0),
}


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[Output, Path]:
    folder, rows = tmp_path_factory.mktemp("rates"), []
    for model, (conversations, leaking) in MODELS.items():
        for number in range(conversations):
            row = pair(len(rows), LEAKING if number < leaking else CLEAN)
            row["response"] |= {"model": model}  # type: ignore[operator]
            rows.append(row)
    log = write_log(folder, "log.jsonl", rows)
    return run([log], folder / "out"), log


def bound() -> float:
    """95 % bound of one leak in a hundred conversations; the design effect is 100 / 99, and Student's t stands for the normal."""
    size = 99 * (stats.norm.ppf(0.975) / stats.t.ppf(0.975, 99)) ** 2
    return float(stats.beta.ppf(0.95, 0.01 * size + 1, 0.99 * size))


def test_what_is_bad_for_certain_comes_first(finished: tuple[Output, Path]) -> None:
    output, log = finished
    summary = summarise(output, plan([str(log)], Options(work="")))
    leaks = [row for row in summary.rates if row["measure"] == "reasoning_leak"]
    assert [(row["model"], row["leaked_turns"]) for row in leaks] == [
        ("org/often", 20),
        ("org/seldom", 5),
        ("org/tiny", 3),
        ("org/rarely", 1),
    ]
    lows = [row["low"] for row in leaks]
    assert lows[0] > lows[1] > 0 and lows[2:] == [None, None]
    assert len(summary.rates) <= MOST_RATES


def test_the_interval_is_told_as_far_as_it_is_known(
    finished: tuple[Output, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    output, log = finished
    print_text(summarise(output, plan([str(log)], Options(work=""))))
    told = {
        line.split()[0]: line
        for line in capsys.readouterr().out.splitlines()
        if line.startswith("org/") and "reasoning_leak " in line
    }
    assert list(told) == ["org/often", "org/seldom", "org/tiny", "org/rarely"]
    assert f" at most {bound():.1%} " in told["org/rarely"] and "1 of 100" in told["org/rarely"]
    assert " too few conversations " in told["org/tiny"] and "3 of 3" in told["org/tiny"]
    assert "% to " in told["org/often"] and "50.00%" in told["org/often"]

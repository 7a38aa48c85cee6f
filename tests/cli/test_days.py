"""A day is written YYYY-MM-DD for every command that takes one; tables hold days as text, so another way of writing would miss rows."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from pipelines.cli import group
from pipelines.errors import ConfigurationError
from pipelines.outputs import load_rates

COMMANDS = (
    ("run", "{log}", "--output", "{tmp}/out"),
    ("run", "{log}", "--store", "{tmp}/store"),
    ("report", "{tmp}/out"),
    ("gate", "{tmp}/out", "--baseline", "{tmp}/out"),
    ("baseline", "accept", "{tmp}/out", "--as", "{tmp}/baseline.parquet"),
)
NO_DAYS = (
    "20261121",
    "2026-W47-6",
    "2026-W47",
    "2026-11",
    "2026-11-31",
    "2026-11-21T00:00:00",
    " 2026-11-21",
    "today",
    "",
)


@pytest.mark.parametrize("option", ["--since", "--until"])
@pytest.mark.parametrize("day", NO_DAYS)
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(command[:3]))
def test_what_is_no_day_is_refused(tmp_path: Path, command: tuple[str, ...], day: str, option: str) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text("{}\n")
    arguments = [*(part.format(log=log, tmp=tmp_path) for part in command), option, day]
    with pytest.raises(ConfigurationError) as refused:
        CliRunner().invoke(group, arguments, standalone_mode=False, catch_exceptions=False)
    assert str(refused.value) == f"{option} {day}: no such day; allowed: YYYY-MM-DD"
    written = {path.name for path in tmp_path.rglob("*") if path.is_file() and not path.name.endswith(".lock")}
    assert written == {"log.jsonl"}, "nothing is done before"


def test_tables_are_not_read_by_what_is_no_day(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="YYYY-MM-DD"):
        load_rates(str(tmp_path), since="20261121")

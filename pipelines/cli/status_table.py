"""The days of a store as a table for people."""

import sys
from collections import Counter
from datetime import UTC, datetime

from rich.console import Console
from rich.table import Table

from pipelines.history.status import Status

_WIDTH = 120
_STYLES = {"complete": "", "partial": "yellow", "missing": "red"}


def print_table(status: Status) -> None:
    """Print the table, then one line each on what is more to know."""
    console = Console(width=None if sys.stdout.isatty() else _WIDTH, highlight=False)
    table = Table(box=None)
    for name in ("day", "status", "turns", "responses", "sources"):
        table.add_column(name, justify="left" if name in ("day", "status") else "right")
    table.add_column("last folded (UTC)")
    table.add_column("why")
    for day in status.days:
        numbers = (f"{number:,}" for number in (day.turns, day.responses, day.sources))
        folded = "" if day.folded is None else _time(day.folded)
        table.add_row(day.day, day.status, *numbers, folded, day.reason, style=_STYLES[day.status])
    console.print(table)
    days = "1 day" if len(status.days) == 1 else f"{len(status.days)} days"
    count: Counter[str] = Counter(day.status for day in status.days)
    words = ", ".join(f"{count[kind]} {kind}" for kind in _STYLES)
    console.print(f"\n{days}: {words}. Last run: {_time(status.started) if status.started else 'none'}.")
    if status.undated_turns:
        console.print(f"{status.undated_turns:,} turns have no time, so they belong to no day.")
    if status.future_turns:
        console.print(in_the_future(status.future_turns))
    if status.ancient_turns:
        console.print(
            f"{status.ancient_turns:,} turns are dated before 2020; published by that day, and left out of the days above."
        )
    if status.files_without_turns:
        console.print(f"{status.files_without_turns:,} files have no turn; coverage.parquet says why.")
    if status.incomplete_files:
        console.print(f"{status.incomplete_files:,} files could not be read, so turns of any day may be missing.")
    if status.unfinished:
        console.print("A run is at work or was killed; the same command goes on with it.")


def in_the_future(turns: int) -> str:
    """One line on turns whose clock was ahead."""
    are = "1 turn is" if turns == 1 else f"{turns:,} turns are"
    return f"{are} dated in the future; published by that day, and left out of the lookback, the report and the days above."


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M")

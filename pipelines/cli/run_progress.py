"""Progress of a run: a bar with bytes, records and time left on a terminal, plain lines elsewhere, nothing when asked to be quiet."""

import os
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from pipelines.cli.progress_line import Standing, plain_line
from pipelines.job import Reading, Seen, ShardSummary, Stage
from pipelines.plan import Plan

_BETWEEN_LINES, _LONGEST_SILENCE = 10, 60
"""Seconds: a plain line comes when so long after the last a per cent more is read, or after the longer time in any case."""
_SPEED_OVER = 15
"""Seconds over which the speed is taken that foretells the end."""
_BETWEEN_SAMPLES = 0.2
_NARROW = 60
"""Columns of a terminal below which there is room for the numbers only."""


@contextmanager
def reporter(plan: Plan, *, quiet: bool) -> Iterator[Seen]:
    """A function that is told how far the run is."""
    total = sum(shard.size for shard in (*plan.scatter, *plan.shards))
    if quiet:
        yield lambda _: None
    elif sys.stderr.isatty() and os.environ.get("TERM") != "dumb":
        with _drawn(total) as seen:
            yield seen
    else:
        yield Course(total, lines(lambda line: click.echo(line, err=True)))


class Course:
    """Adds up what is told of a run, and shows it. What a killed worker had read does not turn the course back."""

    def __init__(self, total: int, show: Callable[[Standing, float], None]) -> None:
        self._total, self._show = total, show
        self._done, self._inside, self._furthest = (0, 0), (0, 0), (0, 0)
        self._left: float | None = None
        self._samples: deque[tuple[float, int]] = deque()

    def __call__(self, told: ShardSummary | Reading | Stage) -> None:
        now = time.monotonic()
        if isinstance(told, ShardSummary):
            self._done = self._done[0] + told.size, self._done[1] + told.turns
            self._inside = max(0, self._inside[0] - told.size), max(0, self._inside[1] - told.turns)
        elif isinstance(told, Reading):
            self._inside = told.size, told.turns
        size, records = (done + inside for done, inside in zip(self._done, self._inside, strict=True))
        self._furthest = min(self._total, max(self._furthest[0], size)), max(self._furthest[1], records)
        if isinstance(told, Reading) and told.size:
            self._left = self._seconds_left(now)
        stage = told.name if isinstance(told, Stage) else None
        self._show(Standing(self._furthest[0], self._total, self._furthest[1], self._left, stage), now)

    def _seconds_left(self, now: float) -> float | None:
        samples, size = self._samples, self._furthest[0]
        if not samples or now - samples[-1][0] >= _BETWEEN_SAMPLES:
            samples.append((now, size))
        while len(samples) > 2 and now - samples[0][0] > _SPEED_OVER:
            samples.popleft()
        seconds, passed = now - samples[0][0], size - samples[0][1]
        return None if seconds < 1 or passed <= 0 else seconds * (self._total - size) / passed


def lines(echo: Callable[[str], object]) -> Callable[[Standing, float], None]:
    """Shows a line now and then: at most some hundred of them, however long the run."""
    told, percent = time.monotonic(), 0

    def show(standing: Standing, now: float) -> None:
        nonlocal told, percent
        reached = 100 * standing.size // (standing.total or 1)
        if now - told >= (_BETWEEN_LINES if reached > percent or standing.stage else _LONGEST_SILENCE):
            told, percent = now, reached
            echo(plain_line(standing))

    return show


@contextmanager
def _drawn(total: int) -> Iterator[Seen]:
    """A bar that is taken away in the end; what is logged meanwhile stands above it."""
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, ProgressColumn, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns: list[str | ProgressColumn] = [TextColumn("{task.description}"), "{task.percentage:.0f}%"]
    if console.width >= _NARROW:
        columns += [BarColumn(bar_width=None), DownloadColumn()]
    columns += [TextColumn("{task.fields[records]:,} records"), TimeRemainingColumn(compact=True)]
    with Progress(*columns, console=console, transient=True, expand=console.width >= _NARROW) as progress:
        task = progress.add_task("reading", total=total or None, records=0)

        def show(standing: Standing, now: float) -> None:
            doing = standing.stage or "reading"
            progress.update(task, completed=standing.size, records=standing.records, description=doing)

        yield Course(total, show)

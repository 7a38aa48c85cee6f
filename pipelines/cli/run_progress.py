"""Progress of a run: a bar with bytes, records and time left on a terminal, plain lines elsewhere, nothing when asked to be quiet."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from pipelines.job import ShardSummary
from pipelines.plan import Plan

_EVERY_SECONDS = 10
Seen = Callable[[ShardSummary], None]


@contextmanager
def reporter(plan: Plan, *, quiet: bool) -> Iterator[Seen]:
    """A function that is told of each finished shard."""
    total = sum(shard.size for shard in (*plan.scatter, *plan.shards))
    if quiet:
        yield lambda _: None
    elif sys.stderr.isatty():
        with _bar(total) as seen:
            yield seen
    else:
        yield _lines(total)


@contextmanager
def _bar(total: int) -> Iterator[Seen]:
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

    columns = (
        TextColumn("reading"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TextColumn("{task.fields[records]:,} records"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("reading", total=total, records=0)
        records = 0

        def seen(summary: ShardSummary) -> None:
            nonlocal records
            records += summary.turns
            progress.update(task, advance=summary.size, records=records)

        yield seen


def _lines(total: int) -> Seen:
    done = records = 0
    told = time.monotonic()

    def seen(summary: ShardSummary) -> None:
        nonlocal done, records, told
        done, records = done + summary.size, records + summary.turns
        if time.monotonic() - told > _EVERY_SECONDS:
            told = time.monotonic()
            click.echo(f"read {done / 1e6:,.0f} of {total / 1e6:,.0f} MB, {records:,} records", err=True)

    return seen

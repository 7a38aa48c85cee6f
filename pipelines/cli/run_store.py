"""`leakrate run --store`: the run of a store, as the command line asks for it, and what it prints."""

import time
from collections.abc import Mapping
from typing import Any

import click

from pipelines import leak_rates, store
from pipelines.cli import run_summary
from pipelines.cli.metrics_of_outputs import write_metrics
from pipelines.cli.report_of_outputs import ALL_DAYS, write_report
from pipelines.cli.run_progress import reporter
from pipelines.cli.status_table import in_the_future
from pipelines.finish.commit import Output
from pipelines.history import Asked, Updated, update
from pipelines.history.choose import lookback_of
from pipelines.history.newest import newest_complete
from pipelines.history.status import turns_ahead
from pipelines.job import Options
from pipelines.schema import UNKNOWN

_OPTIONS = ("deployments", "mapping", "labels", "model", "evidence", "since", "until")
REPORT_DAYS = 35
"""The page of a store shows the newest days; `leakrate report` shows any."""


def run_store(paths: list[str], asked: Mapping[str, Any], *, engine: leak_rates.Engine) -> int:
    """Bring the store up to date and print what is new; the exit code."""
    folder = asked["store"]
    options = Options(work="", **{name: asked[name] for name in _OPTIONS})
    request = Asked(
        inputs=tuple(paths),
        started=time.time(),
        log_format=asked["log_format"],
        lookback=2 if asked["lookback"] is None else asked["lookback"],
        **{name: asked[name] for name in ("since", "until", "max_reject_rate", "fresh")},
    )
    quiet = asked["quiet"] or asked["as_json"]
    with store.exclusive(folder):
        updated = update(folder, options, request, engine=engine, progress=lambda plan: reporter(plan, quiet=quiet))
        _write_pages(updated, asked["metrics"], most=request.lookback + 1)
    return _print(updated, asked)


def _write_pages(updated: Updated, metrics: str | None, *, most: int) -> None:
    folder, days, now = updated.folder, updated.state.days, time.time()
    newest = newest_complete(folder, updated.state, most=most, now=now)
    write_metrics(folder, metrics, newest.rates, newest.coverage, days=newest.days, finished=now)
    shown = lookback_of(days, REPORT_DAYS - 1, started=updated.state.started)
    every = not shown[0] or all(shown[0] <= day <= shown[1] for day in days if day != UNKNOWN)
    window = ALL_DAYS if every else shown
    write_report([folder], store.join(folder, "report.html"), window=window)


def _print(updated: Updated, asked: Mapping[str, Any]) -> int:
    output = Output(updated.folder, updated.coverage, updated.pooled, updated.pooled, {})
    summary = run_summary.summarise(output, updated.plan)
    if asked["as_json"]:
        run_summary.print_json(summary)
    elif not asked["quiet"]:
        run_summary.print_text(summary)
        click.echo(f"Days folded anew: {', '.join(updated.days) or 'none'}")
        if ahead := turns_ahead(updated.state):
            click.echo(in_the_future(ahead))
    if updated.other_contents and not asked["quiet"]:
        click.echo(
            f"{len(updated.other_contents)} files hold none of the turns that they held before, and those are gone from the store "
            f"({updated.other_contents[0]}); logs that rotate need dates in their names",
            err=True,
        )
    return run_summary.exit_code(summary, asked["max_reject_rate"])

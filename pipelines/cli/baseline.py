"""`leakrate baseline`: accept finished runs as what later runs are compared with."""

import click

from pipelines.cli.reject_rate import max_reject_rate


@click.group(name="baseline", no_args_is_help=True)
def command() -> None:
    """Keep the counts of accepted runs, for `leakrate gate --baseline`."""


@command.command(name="accept")
@click.argument("outputs", nargs=-1, required=True, metavar="OUT...")
@click.option(
    "--as", "file", required=True, metavar="FILE", help="Where the baseline goes (a path or URL); replaced whole."
)
@click.option("--since", metavar="DAY", help="First day that is taken, YYYY-MM-DD, inclusive.")
@click.option("--until", metavar="DAY", help="Last day that is taken, inclusive.")
@max_reject_rate
def accept(
    outputs: tuple[str, ...], file: str, *, since: str | None, until: str | None, max_reject_rate: float
) -> None:
    """Accept the runs in the output folders or stores OUT... as one baseline.

    Several runs of the same deployment say how much it varies by itself. Exit codes: 0 written; 2 a run does not exist; 3 a run is
    unfinished or unreadable, or the runs were judged by different versions of a rule.
    """
    from pipelines import baseline
    from pipelines.cli.writable import check_writable

    check_writable({"--as": file})
    runs = baseline.load_runs(outputs, baseline.window(since, until, max_reject_rate))
    baseline.accept(runs, file)
    days = sorted({day for run in runs for day in run.days})
    click.echo(f"{file}: {len(runs)} run{'s' if len(runs) != 1 else ''}, {_period(days)}")
    for run in runs:
        click.echo(f"  {run.digest}  {run.name}  leakrate {run.manifest['leakrate']}, {len(run.versions)} measures")


def _period(days: list[str]) -> str:
    if not days:
        return "no day known"
    return days[0] if len(days) == 1 else f"{len(days)} days from {days[0]} to {days[-1]}"

"""leakrate report: write the report of one or several outputs."""

import click


@click.command()
@click.argument("outputs", nargs=-1, required=True, metavar="OUT...")
@click.option("--output", "page", help="File or URL of the page.  [default: OUT/report.html, for one OUT]")
@click.option("--gate", help="Verdict of the gate, as `leakrate gate --json` wrote it.")
@click.option("--since", help="First day, YYYY-MM-DD, inclusive.")
@click.option("--until", help="Last day, YYYY-MM-DD, inclusive.")
def command(outputs: tuple[str, ...], page: str | None, gate: str | None, **window: str | None) -> int:
    """Write one page about the outputs OUT... (folders of `leakrate run`, or a store); several days show their trend.

    Exit codes: 0 written; 2 wrong use, 3 an output that is not complete.
    """
    from pipelines.cli.report_of_outputs import write_report
    from pipelines.cli.writable import check_writable
    from pipelines.errors import ConfigurationError
    from pipelines.job import Options
    from pipelines.leak_rates import check_options
    from pipelines.store import join

    check_options(Options(work="", since=window["since"], until=window["until"]))
    if page is None:
        if len(outputs) > 1:
            raise ConfigurationError("--output: name the file of the page when there are several outputs")
        page = join(outputs[0], "report.html")
    else:
        check_writable({"--output": page})
    write_report(outputs, page, gate=gate, window=(window["since"], window["until"]))
    click.echo(f"Written to {page}")
    return 0

"""leakrate report: write the report of one or several outputs."""

import click


@click.command()
@click.argument("outputs", nargs=-1, required=True, metavar="OUT...")
@click.option("--output", "page", help="File or URL of the page.  [default: OUT/report.html, for one OUT]")
@click.option("--gate", help="Verdict of the gate, as `leakrate gate --json` wrote it.")
def command(outputs: tuple[str, ...], page: str | None, gate: str | None) -> int:
    """Write one page about the outputs OUT... (folders of `leakrate run`, or a store); several days show their trend.

    Exit codes: 0 written; 2 wrong use, 3 an output that is not complete.
    """
    from pipelines.cli.report_of_outputs import write_report
    from pipelines.errors import ConfigurationError
    from pipelines.store import join

    if page is None:
        if len(outputs) > 1:
            raise ConfigurationError("--output: name the file of the page when there are several outputs")
        page = join(outputs[0], "report.html")
    write_report(outputs, page, gate=gate)
    click.echo(f"Written to {page}")
    return 0

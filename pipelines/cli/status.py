"""leakrate status: which days of a store are complete, partial or missing."""

import click


@click.command()
@click.argument("store", metavar="STORE")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(store: str, as_json: bool) -> int:
    """Show the days of a store that `leakrate run --store` keeps.

    complete: read to the end after the day was over, with no more rejects than the run allowed. partial: read before that, or a file
    is damaged, or rows wait to be published. missing: no turn, between the first and the last day that have some.

    Exit codes: 0 every day that is over is complete; 2 no such store; 3 a day that is over is partial or missing, or a run did not end.
    """
    import time

    from pipelines.history.status import status

    found = status(store, now=time.time())
    if as_json:
        import json
        from dataclasses import asdict

        click.echo(json.dumps({"complete": found.complete, **asdict(found)}, indent=1))
    else:
        from pipelines.cli.status_table import print_table

        print_table(found)
    return 0 if found.complete else 3

"""`leakrate catalogue`: compares the generated parts of the READMEs with the code, or writes them."""

import sys
from pathlib import Path

import click


@click.command(name="catalogue")
@click.option("--write", is_flag=True, help="Write the generated parts; without it they are only compared.")
@click.option("--check", is_flag=True, help="Compare only (the default); ends with 1 when a part is stale.")
def command(write: bool, check: bool) -> None:
    """Compare the generated parts of the READMEs under pipelines/ with the code, or write them."""
    import pipelines
    from pipelines import store
    from pipelines.catalogue import parts, refreshed

    if write and check:
        raise click.UsageError("--write and --check exclude each other")
    folder = Path(pipelines.__file__).parent
    stale = []
    for part in parts():
        path = str(folder / part.page)
        before = store.read(path).decode()
        after = refreshed(before, part)
        if after != before:
            stale.append(part)
            if write:
                store.write(path, after.encode())
    for part in stale:
        click.echo(f"{'wrote' if write else 'stale'}: pipelines/{part.page}, part {part.name}")
    if not stale:
        click.echo("every generated part is up to date")
    sys.exit(1 if stale and not write else 0)

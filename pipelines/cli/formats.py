"""`leakrate formats`: the log formats and what each can show; `leakrate formats check` says what is understood of a file."""

from __future__ import annotations

import click

from pipelines.cli.formats_check import check

WIDTH_WITHOUT_TERMINAL = 200


@click.group(name="formats", invoke_without_command=True)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
@click.pass_context
def command(context: click.Context, as_json: bool) -> None:
    """List the log formats, in the order in which they are tried on a file."""
    if context.invoked_subcommand is not None:
        return
    from pipelines.formats import FORMATS

    if as_json:
        import msgspec

        listed = [{"name": one.name, "title": one.title, "shows": one.shows, "sources": one.sources} for one in FORMATS]
        click.echo(msgspec.json.format(msgspec.json.encode(listed), indent=2).decode())
        return
    _print_all()


def _print_all() -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from pipelines.formats import FORMATS

    table = Table("name", "what it is", "can show", box=None, header_style="bold", pad_edge=False)
    table.columns[0].no_wrap = True
    for one in FORMATS:
        table.add_row(Text(one.name), Text(one.title), Text(", ".join(one.shows) or "-"))
    console = Console()
    if not console.is_terminal:
        console = Console(width=WIDTH_WITHOUT_TERMINAL)
    console.print(table)
    click.echo(f"\n{len(FORMATS)} formats; `leakrate formats check FILE` says what is understood of a file")


command.add_command(check)

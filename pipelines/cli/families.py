"""`leakrate families`: all model families, or what one model id resolves to and what is known of its family."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from pipelines.families import Family

LABEL_WIDTH = 17
WIDEST_TEXT = 110
WIDTH_WITHOUT_TERMINAL = 200


@click.command(name="families")
@click.argument("name", metavar="[MODEL-NAME]", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
def command(name: str | None, as_json: bool) -> None:
    """List the model families, or say what MODEL-NAME resolves to: markers, parsers, thinking, history.

    MODEL-NAME is a model id, alias or path as a gateway logs it, or a family's own name. As in a run, a provider's
    prefix (`mistral/…`) says nothing of the model.
    """
    from pipelines.families import FAMILIES, resolve, strip_provider

    if name is None:
        _print_json(FAMILIES) if as_json else _print_all()
        return
    family = resolve(strip_provider(name))
    if as_json:
        _print_json({"id": name, "family": family})
    elif family is None:
        _print_unknown(name)
    else:
        _print_one(name, family)


def _print_json(value: object) -> None:
    import msgspec

    click.echo(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())


def _print_all() -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from pipelines.families import FAMILIES
    from pipelines.families.describe import COLUMNS, row

    table = Table(*COLUMNS, box=None, header_style="bold", pad_edge=False)
    table.columns[0].no_wrap = True
    for family in FAMILIES:
        table.add_row(*(Text(cell, overflow="fold") for cell in row(family)))
    console = Console()
    if not console.is_terminal:
        console = Console(width=WIDTH_WITHOUT_TERMINAL)
    console.print(table)
    click.echo(f"\n{len(FAMILIES)} families in order of matching; `leakrate families MODEL-NAME` says more about one")


def _print_one(name: str, family: Family) -> None:
    import shutil
    import textwrap

    from pipelines.families.describe import facts
    from pipelines.visible import visible

    width = min(WIDEST_TEXT, max(40, shutil.get_terminal_size((WIDEST_TEXT, 24)).columns - LABEL_WIDTH))
    click.echo(f"{visible(name)} is of the family {click.style(family.name, bold=True)}\n")
    for label, text in facts(family):
        lines = [line for part in text.splitlines() for line in textwrap.wrap(part, width, break_on_hyphens=False)]
        for number, line in enumerate(lines):
            head = "" if number else label
            click.echo(click.style(head.ljust(LABEL_WIDTH), bold=True) + line)


def _print_unknown(name: str) -> None:
    from pipelines.families import FAMILIES
    from pipelines.visible import visible

    click.echo(f"{visible(name)} names no known family.")
    click.echo(
        "Its answers are judged with the markers of all families, at lower confidence. If you know the model, put"
    )
    click.echo('`model = "…"` or `family = "…"` into the deployment file.')
    near = [family.name for family in FAMILIES if len(name) > 2 and name.lower() in family.name]
    if near:
        click.echo(f"Families with that word in their name: {', '.join(near)}")

"""`leakrate formats check`: what is understood of the first rows of a file, field by field, and what is missing."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from pipelines.formats.format import Format, Item, Outcome, Partner
    from pipelines.formats.understood import Line
    from pipelines.job import Piece
    from pipelines.plan import Decision
    from pipelines.schema import Record

WIDTH_WITHOUT_TERMINAL = 160


@click.command(name="check")
@click.argument("file", metavar="FILE")
@click.option("--mapping", help="Your own field mapping (TOML) for logs that no format knows.")
@click.option(
    "--format", "format_name", default="auto", show_default=True, help="Format of the file; auto: by its shape."
)
@click.option("--rows", default=20, show_default=True, type=click.IntRange(min=1), help="Rows to look at.")
@click.option("--show-text", is_flag=True, help="Show the first characters of answers; else only their length.")
def check(file: str, mapping: str | None, format_name: str, rows: int, show_text: bool) -> None:
    """Show for the first rows of FILE what was understood, field by field, and what is missing.

    Exit codes: 0 at least one turn was read; 2 wrong use or a wrong mapping; 3 nothing could be read.
    """
    from pipelines.formats import FORMATS
    from pipelines.job import Options
    from pipelines.plan import own_mapping, plan

    options = Options(work="", mapping=mapping)
    own = own_mapping(options)
    planned = plan([file], options, format=format_name)
    decision, piece = planned.decisions[0], (planned.scatter or planned.shards)[0].pieces[0]
    known = (*((own,) if own else ()), *FORMATS)
    found = next((one for one in known if one.name == decision.format), None)
    items = _items(piece, rows)
    if found is None:
        _say_unknown(decision, own, items)
    outcomes = _outcomes(found, items, piece.uri) if found else []
    if found:
        _say(decision, found, outcomes, show_text=show_text)
    raise SystemExit(0 if any(hasattr(outcome, "content_state") for outcome in outcomes) else 3)


def _outcomes(found: Format, items: list[Item], uri: str) -> list[Outcome]:
    """What the first rows yield; rows that belong together are read together."""
    from pipelines.formats.format import Partner, Place, Rejected

    outcomes: list[Outcome] = []
    groups: dict[str, list[Partner]] = {}
    for number, item in enumerate(items):
        if isinstance(item, Rejected):
            outcomes.append(item)
            continue
        for order, inner in enumerate(found.explode(item) if found.explode else [item]):
            place = Place(uri, number)
            if found.join_key is None:
                outcomes.extend((found.lend or found.parse)(inner, place))
            else:
                key = found.join_key(inner) or f"\0{number} {order}"
                groups.setdefault(key, []).append(Partner(inner, place))
    for partners in groups.values():
        outcomes.extend((found.lend or found.parse)(tuple(partners), partners[0].place))
    return outcomes


def _items(piece: Piece, rows: int) -> list[Item]:
    """The first items of a file; where it is damaged, what stands before the damage and a reject."""
    from pipelines import store
    from pipelines.formats.format import Rejected
    from pipelines.shard.reading import decoded_items

    items: list[Item] = []
    if piece.framing == "empty":
        return items
    try:
        with store.opened(piece.uri, piece.codec) as file:
            for item in islice((item for item in decoded_items(piece, file) if item is not None), rows):
                items.append(item)
    except store.DAMAGE as error:
        items.append(Rejected("damaged_file", type(error).__name__))
    return items


def _say_unknown(decision: Decision, own: Format | None, items: list[Item]) -> None:
    from pipelines.formats.format import Rejected

    if items and isinstance(items[-1], Rejected) and items[-1].code == "damaged_file":
        click.echo(f"{decision.uri}: damaged ({items[-1].message}); what stands before the damage tells no format")
        return
    tried = f"neither {own.name} of the mapping nor any format of leakrate" if own else "no format"
    click.echo(f"{decision.uri}: {decision.framing}; {tried} knows its rows")
    click.echo(
        "`leakrate formats` lists the formats; a mapping file can describe others, see pipelines/formats/mappings/README.md"
    )


def _say(decision: Decision, found: Format, outcomes: list[Outcome], *, show_text: bool) -> None:
    from pipelines.formats.understood import understood
    from pipelines.schema import Record

    records = [outcome for outcome in outcomes if isinstance(outcome, Record)]
    click.echo(f"{decision.uri}: {decision.framing}, read as {found.name} ({found.title})")
    click.echo(_counts(outcomes))
    lines = understood(records, show_text=show_text)
    if found.lend is not None:
        click.echo("These rows are no turns: they complete the rows of other logs that have the same request id.")
        lines = [line for line in lines if line.known]
    if not records:
        return
    _print_table(lines, records)
    missing = [line for line in lines if line.known == 0 and line.missing]
    if missing:
        click.echo("\nNot shown by these rows:")
        for line in missing:
            click.echo(f"  {line.field}: {line.missing}")


def _counts(outcomes: list[Outcome]) -> str:
    from pipelines.formats.format import Rejected, Skipped

    turns = sum(hasattr(outcome, "content_state") for outcome in outcomes)
    others = Counter(
        f"skipped ({outcome.reason})"
        if isinstance(outcome, Skipped)
        else f"rejected ({outcome.code}: {outcome.message})"
        for outcome in outcomes
        if isinstance(outcome, Skipped | Rejected)
    )
    return ", ".join([f"{turns} read", *(f"{count} {what}" for what, count in sorted(others.items()))])


def _print_table(lines: list[Line], records: list[Record]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    shown = records[: len(lines[0].values)] if lines else []
    places = [f"row {record.source_pos}" for record in shown]
    table = Table("field", "known in", *places, box=None, header_style="bold", pad_edge=False)
    for line in lines:
        table.add_row(line.field, f"{line.known} of {len(records)}", *(Text(value) for value in line.values))
    console = Console()
    if not console.is_terminal:
        console = Console(width=WIDTH_WITHOUT_TERMINAL)
    click.echo()
    console.print(table)

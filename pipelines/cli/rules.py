"""`leakrate rules`: all rules, or what one rule catches, misses and advises, with the misses and false alarms on file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pipelines.errors import ConfigurationError

if TYPE_CHECKING:
    from pipelines.rules.rule import Rule

WIDTH_WITHOUT_TERMINAL = 200
NARROW = 130
SHOWN_WHEN_NARROW = ("rule", "symptom", "what it finds")
LABEL_WIDTH = 16


@click.command(name="rules")
@click.argument("rule_id", metavar="[ID]", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
@click.option(
    "--data",
    "folder",
    default="data",
    show_default=True,
    help="Folder with clean/ and missed/, for the evidence on file.",
)
def command(rule_id: str | None, as_json: bool, folder: str) -> None:
    """List the rules, or say of the rule ID what it catches, why that matters, what it misses, when it is wrong, which layer is the likely
    cause, what to do and how to verify it."""
    from pipelines.cli.rules_evidence import excuses, misses
    from pipelines.rules import RULES

    chosen = [rule for rule in RULES if rule_id in (None, rule.id)]
    if not chosen:
        raise ConfigurationError(_no_such_rule(str(rule_id), [rule.id for rule in RULES]))
    if as_json:
        _print_json([_described(rule, folder) for rule in chosen])
    elif rule_id is None:
        _print_all(chosen)
    else:
        _print_one(chosen[0], misses(folder, rule_id), excuses(folder, rule_id))


def _no_such_rule(asked: str, known: list[str]) -> str:
    """The rules whose names hold or resemble what was asked; all of them where none does."""
    from difflib import get_close_matches

    near = [name for name in known if asked.lower() in name] if asked else []
    near = near or get_close_matches(asked.lower(), known, n=5)
    if near:
        return f"no rule is called {asked!r}; near it: {', '.join(near)}; `leakrate rules` lists all"
    return f"no rule is called {asked!r}; allowed: {', '.join(known)}"


def _described(rule: Rule, folder: str) -> dict[str, object]:
    from pipelines.cli.rules_evidence import excuses, misses
    from pipelines.rules.describe import examples, sections, summary

    fields = ("id", "version", "status", "tier", "symptom", "channel", "repair", "layers", "action", "verify")
    return {
        **{name: getattr(rule, name) for name in fields},
        "summary": summary(rule),
        "sections": sections(rule),
        "examples": examples(rule),
        "known_misses": misses(folder, rule.id),
        "known_false_alarms": excuses(folder, rule.id),
    }


def _print_json(value: object) -> None:
    import msgspec

    click.echo(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())


def _print_all(rules: list[Rule]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from pipelines.rules.describe import COLUMNS, row

    console = Console()
    if not console.is_terminal:
        console = Console(width=WIDTH_WITHOUT_TERMINAL)
    shown = COLUMNS if console.width >= NARROW else SHOWN_WHEN_NARROW
    table = Table(*shown, box=None, header_style="bold", pad_edge=False)
    table.columns[0].no_wrap = True
    for rule in rules:
        cells = dict(zip(COLUMNS, row(rule), strict=True))
        table.add_row(*(Text(cells[name]) for name in shown))
    console.print(table)
    click.echo(f"\n{len(rules)} rules; `leakrate rules ID` says more about one")


def _print_one(rule: Rule, known_misses: list[str], known_false_alarms: list[str]) -> None:
    from pipelines.rules.describe import examples, sections, summary

    click.echo(f"{rule.id}  version {rule.version}, {rule.status}, tier {rule.tier}\n{summary(rule)}\n")
    _print_lines("symptom", [f"{rule.symptom} in the {rule.channel}, repair: {rule.repair}"])
    for name, text in sections(rule).items():
        _print_lines(name.lower(), [text])
    _print_lines("what to do", [rule.action])
    _print_lines("how to verify", [rule.verify])
    for name, reasons in examples(rule).items():
        _print_lines("fires on" if name == "leaks" else "silent on", reasons)
    _print_lines("known misses", known_misses or ["none on file"])
    _print_lines("false alarms", known_false_alarms or ["none on file"])


def _print_lines(label: str, texts: list[str]) -> None:
    from textwrap import wrap

    for number, text in enumerate(texts):
        for line, part in enumerate(wrap(text, 110, break_long_words=False) or [""]):
            click.echo(f"{label if number == line == 0 else '':<{LABEL_WIDTH}}{part if line == 0 else '  ' + part}")

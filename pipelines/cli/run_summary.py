"""What a run prints at its end: what each file was taken for, how much could be judged, and the worst rates with their intervals."""

import json
import shutil
import sys
import textwrap
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import click
import pyarrow as pa
import pyarrow.compute as pc

from pipelines.errors import DataError
from pipelines.finish.commit import Output
from pipelines.plan import Plan
from pipelines.schema import LOSSES, UNKNOWN
from pipelines.visible import visible

MOST_RATES = 12
MOST_FILES = 20
NARROW = 130
WIDTH_WITHOUT_TERMINAL = 160
_COLUMNS = (
    "engine",
    "engine_version",
    "model",
    "template_version",
    "measure",
    "leaked_turns",
    "turns",
    "rate",
    "low",
    "high",
)


@dataclass(frozen=True)
class Summary:
    """The printed figures; `rates` are pooled over days, worst first."""

    output: str
    files: tuple[tuple[str, str, str, str], ...]
    """uri, format, framing, compression."""
    coverage: dict[str, int]
    rejects: dict[str, int]
    skipped: dict[str, int]
    reject_rate: float
    incomplete: tuple[str, ...]
    """Files that were not read to their end."""
    judged: bool
    """Whether there was a turn in which a symptom could have shown."""
    rates: tuple[dict[str, object], ...]
    metrics: tuple[dict[str, object], ...]
    """The headline metrics over everything: measure, leaked turns, turns, definition."""


def summarise(output: Output, plan: Plan) -> Summary:
    """The figures of a finished run."""
    coverage = output.coverage
    counted = [name for name in coverage.column_names if name not in ("source_uri", "format", "detail")]
    totals = {name: int(pc.sum(coverage[name]).as_py() or 0) for name in counted}
    details = [dict(row) for row in coverage["detail"].to_pylist()]
    detail: Counter[str] = Counter()
    for row in details:
        detail.update(row)
    lost = {
        uri
        for uri, row in zip(coverage["source_uri"].to_pylist(), details, strict=True)
        if not row.keys().isdisjoint(LOSSES)
    }
    return Summary(
        output=output.folder,
        files=tuple((one.uri, one.format, one.framing, one.codec) for one in plan.decisions),
        coverage=totals,
        rejects=_under("rejected.", detail),
        skipped=_under("skipped.", detail),
        reject_rate=totals["rejected"] / totals["items"] if totals["items"] else 0.0,
        incomplete=tuple(sorted(lost)),
        judged=any(row["turns"] for row in _unsplit(output.pooled, "symptom")),
        rates=tuple(_worst(output.pooled)),
        metrics=tuple(_metrics(output.pooled)),
    )


def _under(prefix: str, detail: Counter[str]) -> dict[str, int]:
    return {name.removeprefix(prefix): count for name, count in sorted(detail.items()) if name.startswith(prefix)}


def _worst(rates: pa.Table) -> list[dict[str, object]]:
    leaking = [row for row in _unsplit(rates, "symptom") if row["leaked_turns"]]
    names = ("model", "engine", "template_version", "measure")

    def order(row: Mapping[str, Any]) -> tuple[Any, ...]:
        low = -1.0 if row["low"] is None else row["low"]
        return -low, -row["leaked_turns"], *(row[name] for name in names)

    return [{name: row[name] for name in _COLUMNS} for row in sorted(leaking, key=order)[:MOST_RATES]]


def _metrics(rates: pa.Table) -> list[dict[str, object]]:
    """The headline metrics that any turn could show; an interval stands in the rates of each group."""
    found: dict[str, dict[str, Any]] = {}
    for row in _unsplit(rates, "metric"):
        if row["turns"]:
            none = {"measure": row["measure"], "definition": row["definition"], "leaked_turns": 0, "turns": 0}
            total = found.setdefault(row["measure"], none)
            for name in ("leaked_turns", "turns"):
                total[name] += row[name]
    return [found[measure] for measure in sorted(found)]


def _unsplit(rates: pa.Table, kind: str) -> list[dict[str, Any]]:
    """The rows of whole groups, of measures of one kind."""
    chosen = rates.filter(pc.and_(pc.equal(rates["cut"], "all"), pc.equal(rates["measure_kind"], kind)))
    return [dict(row) for row in chosen.select([*_COLUMNS, "definition"]).to_pylist()]


def print_json(summary: Summary) -> None:
    click.echo(json.dumps(asdict(summary), indent=1))


def print_text(summary: Summary) -> None:
    """The summary as plain text."""
    for uri, name, framing, codec in summary.files[:MOST_FILES]:
        click.echo(f"{visible(uri, 200)}: {name} ({framing}{'' if codec == 'none' else ', ' + codec})")
    if len(summary.files) > MOST_FILES:
        rest = Counter(name for _, name, _, _ in summary.files[MOST_FILES:])
        click.echo(
            "and "
            + ", ".join(
                f"{count} {'file' if count == 1 else 'files'} of {name}" for name, count in sorted(rest.items())
            )
        )
    count = summary.coverage
    click.echo(
        f"\nItems {count['items']:,}: accepted {count['accepted']:,}, skipped {count['skipped']:,}{_listed(summary.skipped)}, "
        f"duplicate {count['duplicate']:,}, blank {count['blank']:,}, rejected {count['rejected']:,}{_listed(summary.rejects)}"
    )
    if not count["records"]:
        nothing = "No turn could be judged." if count["items"] else "No item was read, so no turn was judged."
        click.echo(f"{nothing}\n\nWritten to {summary.output}")
        return
    click.echo(
        f"Turns {count['records']:,}: text that can be judged in {_share(count['scannable'], count['records'])}, "
        f"reasoning visible in {_share(count['reasoning_visible'], count['records'])}, "
        f"tools known in {_share(count['tools_known'], count['records'])}, "
        f"family unknown in {_share(count['family_unknown'], count['records'])}"
    )
    if summary.rates:
        click.echo("\nWorst rates, of the turns that could show it, by the lower end of the 95 % interval:")
        _print_rates(summary.rates)
    else:
        click.echo(
            "\nNo leak was found." if summary.judged else "\nNo turn could be judged, so nothing is known of leaks."
        )
    if summary.metrics:
        click.echo("\nOver everything:")
    for row in summary.metrics:
        leaked, turns = int(str(row["leaked_turns"])), int(str(row["turns"]))
        _echo_wrapped(f"  {row['measure']} {_share(leaked, turns)} ({leaked:,} of {turns:,}): {row['definition']}")
    click.echo(f"\nWritten to {summary.output}; open {summary.output.rstrip('/')}/report.html")


def _echo_wrapped(line: str) -> None:
    """One line; on a terminal as many as it needs there, broken between words."""
    if sys.stdout.isatty():
        width = max(40, shutil.get_terminal_size().columns)
        line = textwrap.fill(line, width, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)
    click.echo(line)


def _print_rates(rates: tuple[dict[str, object], ...]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = WIDTH_WITHOUT_TERMINAL
    narrow = console.width < NARROW
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("model, engine, template",) if narrow else ("model", "engine", "template"):
        table.add_column(heading, overflow="fold")
    table.add_column("symptom", no_wrap=True)
    for heading in ("rate", "95 % interval", "leaked turns"):
        table.add_column(heading, justify="right", no_wrap=not narrow)
    for row in rates:
        figures = (f"{row['rate']:.2%}", _interval(row), f"{row['leaked_turns']:,} of {row['turns']:,}")
        table.add_row(*map(Text, _where(row, narrow=narrow)), str(row["measure"]), *figures)
    console.print(table)


def _where(row: dict[str, object], *, narrow: bool) -> tuple[str, ...]:
    """Model, engine and template; on a narrow terminal in one cell, without what is unknown."""
    engine = " ".join(str(row[name]) for name in ("engine", "engine_version") if row[name] != UNKNOWN) or UNKNOWN
    shown = tuple(visible(str(value), 60) for value in (row["model"], engine, row["template_version"]))
    return (", ".join(value for value in shown if value != UNKNOWN) or UNKNOWN,) if narrow else shown


def _listed(counts: dict[str, int]) -> str:
    return f" ({', '.join(f'{name} {count:,}' for name, count in counts.items())})" if counts else ""


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else "none"


def _interval(row: dict[str, object]) -> str:
    low, high = row["low"], row["high"]
    if high is None:
        return "too few conversations"
    return f"at most {high:.1%}" if low is None else f"{low:.1%} to {high:.1%}"


def exit_code(summary: Summary, allowed: float) -> int:
    """0, or 3 with a sentence on stderr for each reason why the result says less than the logs do."""
    if summary.incomplete:
        click.echo(_not_read(summary.incomplete), err=True)
    if summary.reject_rate > allowed:
        click.echo(_too_many_rejects(summary, allowed), err=True)
    return DataError.exit_code if summary.incomplete or summary.reject_rate > allowed else 0


def _not_read(files: tuple[str, ...]) -> str:
    first = visible(files[0], 200)
    named = f"{first} was" if len(files) == 1 else f"{len(files)} files were (the first: {first})"
    return f"leakrate: {named} not read to the end, so the result is not complete; everything else is written"


def _too_many_rejects(summary: Summary, allowed: float) -> str:
    return f"leakrate: {summary.reject_rate:.1%} of the items were rejected, {allowed:.1%} are allowed; see rejects/ in {summary.output}"

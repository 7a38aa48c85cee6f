"""What a run prints at its end: what each file was taken for, how much could be judged, and the worst rates with their intervals."""

import json
from collections import Counter
from dataclasses import asdict, dataclass

import click
import pyarrow as pa
import pyarrow.compute as pc

from pipelines.finish.commit import Output
from pipelines.plan import Plan

MOST_RATES = 12
MOST_FILES = 20
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
    rates: tuple[dict[str, object], ...]


def summarise(output: Output, plan: Plan) -> Summary:
    """The figures of a finished run."""
    coverage = output.coverage
    counted = [name for name in coverage.column_names if name not in ("source_uri", "format", "detail")]
    totals = {name: int(pc.sum(coverage[name]).as_py() or 0) for name in counted}
    detail: Counter[str] = Counter()
    for row in coverage["detail"].to_pylist():
        detail.update(dict(row))
    return Summary(
        output=output.folder,
        files=tuple((one.uri, one.format, one.framing, one.codec) for one in plan.decisions),
        coverage=totals,
        rejects=_under("rejected.", detail),
        skipped=_under("skipped.", detail),
        reject_rate=totals["rejected"] / totals["items"] if totals["items"] else 0.0,
        rates=tuple(_worst(output.pooled)),
    )


def _under(prefix: str, detail: Counter[str]) -> dict[str, int]:
    return {name.removeprefix(prefix): count for name, count in sorted(detail.items()) if name.startswith(prefix)}


def _worst(rates: pa.Table) -> list[dict[str, object]]:
    chosen = rates.filter(
        pc.and_(
            pc.equal(rates["cut"], "all"),
            pc.and_(pc.equal(rates["measure_kind"], "symptom"), pc.greater(rates["leaked_turns"], 0)),
        )
    )
    order = [
        ("rate", "descending"),
        *((name, "ascending") for name in ("model", "engine", "template_version", "measure")),
    ]
    return [dict(row) for row in chosen.sort_by(order).slice(0, MOST_RATES).select(_COLUMNS).to_pylist()]


def print_json(summary: Summary) -> None:
    click.echo(json.dumps(asdict(summary), indent=1))


def print_text(summary: Summary) -> None:
    """The summary as plain text."""
    for uri, name, framing, codec in summary.files[:MOST_FILES]:
        click.echo(f"{uri}: {name} ({framing}{'' if codec == 'none' else ', ' + codec})")
    if len(summary.files) > MOST_FILES:
        rest = Counter(name for _, name, _, _ in summary.files[MOST_FILES:])
        click.echo("and " + ", ".join(f"{count} files of {name}" for name, count in sorted(rest.items())))
    count = summary.coverage
    click.echo(
        f"\nItems {count['items']:,}: accepted {count['accepted']:,}, skipped {count['skipped']:,}{_listed(summary.skipped)}, "
        f"duplicate {count['duplicate']:,}, blank {count['blank']:,}, rejected {count['rejected']:,}{_listed(summary.rejects)}"
    )
    click.echo(
        f"Turns {count['records']:,}: text that can be judged in {_share(count['scannable'], count['records'])}, "
        f"reasoning visible in {_share(count['reasoning_visible'], count['records'])}, "
        f"tools known in {_share(count['tools_known'], count['records'])}, "
        f"family unknown in {_share(count['family_unknown'], count['records'])}"
    )
    click.echo(
        "\nWorst rates (share of turns that could show it, 95 % interval):" if summary.rates else "\nNo leak was found."
    )
    for row in summary.rates:
        where = f"{row['engine']} {row['engine_version']} / {row['model']} / {row['template_version']}"
        click.echo(f"  {where}: {row['measure']} {_rate(row)}")
    click.echo(f"\nWritten to {summary.output}")


def _listed(counts: dict[str, int]) -> str:
    return f" ({', '.join(f'{name} {count:,}' for name, count in counts.items())})" if counts else ""


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else "none"


def _rate(row: dict[str, object]) -> str:
    low, high = row["low"], row["high"]
    bounds = (
        f"at most {high:.2%}"
        if low is None and high is not None
        else "no interval"
        if high is None
        else f"{low:.2%} to {high:.2%}"
    )
    return f"{row['rate']:.2%} ({bounds}; {row['leaked_turns']:,} of {row['turns']:,})"


def too_many_rejects(summary: Summary, allowed: float) -> str:
    return f"leakrate: {summary.reject_rate:.1%} of the items were rejected, {allowed:.1%} are allowed; see rejects/ in {summary.output}"

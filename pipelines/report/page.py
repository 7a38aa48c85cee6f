"""The page itself: what the template shows, made from tables of names and numbers."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from importlib import resources
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from pipelines.report.answers import PLACE, SYMPTOM_WORDS, answers, deployment_changes
from pipelines.report.charts import chart_data, lineage, place
from pipelines.visible import visible


@dataclass(frozen=True)
class ReportInput:
    """What a report is made of. Tables hold names and numbers only; `excerpts` is empty unless the run kept excerpts.

    `pooled`: RATE over all days of the window; `daily`: RATE by day; `coverage`: COVERAGE; `findings`: columns rule_id, symptom,
    tier, repair, layer_hint, configured, findings (count) and PLACE; `advice`: rule id → title, why, misses, false_alarms,
    layers, action, verify; `gate`: the gate's verdict as its --json writes it; `verdicts`: diagnosis, title and text each.
    """

    title: str
    pooled: pa.Table
    daily: pa.Table
    coverage: pa.Table
    findings: pa.Table
    advice: Mapping[str, Mapping[str, str]]
    versions: Mapping[str, str] = field(default_factory=dict)
    gate: Mapping[str, Any] | None = None
    verdicts: Sequence[Mapping[str, str]] = ()
    excerpts: Sequence[Mapping[str, str]] = ()


def build(data: ReportInput) -> str:
    """Return the whole page as text: no network is needed to show it, every text of a log or deployment is escaped."""
    environment = Environment(
        loader=PackageLoader("pipelines.report", "template"),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(visible=visible, percent=percent, number=number)
    environment.globals.update(percent=percent, symptom_words=SYMPTOM_WORDS)
    return environment.get_template("page.html.j2").render(_context(data))


def percent(value: float | None) -> str:
    """A share in percent with three significant digits; tiny ones as one in so many; a dash where it is unknown."""
    if value is None:
        return "–"
    if value == 0:
        return "0 %"
    return f"{value * 100:.3g} %" if value >= 0.0001 else f"1 in {round(1 / value):,}".replace(",", "\u202f")


def number(value: int) -> str:
    """A count with thin spaces between thousands."""
    return f"{value:,}".replace(",", "\u202f")


def _context(data: ReportInput) -> dict[str, Any]:
    pooled = _unsplit(data.pooled).to_pylist()
    symptoms = data.daily.filter(pc.equal(data.daily["measure_kind"], "symptom"))
    daily = _unsplit(symptoms).to_pylist()
    findings = data.findings.to_pylist()
    coverage = data.coverage.to_pylist()
    found = answers(pooled, daily)
    rows = [_row(row) for row in sorted(pooled, key=_order) if _worth_a_row(row)]
    return {
        "title": data.title,
        "answers": found,
        "place": place(found.worst) if found.worst else "",
        "advice": _advice_for(found.worst, findings, data.advice),
        "rows": rows,
        "hidden": len(pooled) - len(rows),
        "coverage": coverage,
        "totals": {
            name: sum(row[name] for row in coverage) for name in data.coverage.column_names if _counted(coverage, name)
        },
        "findings": _findings(findings, data.advice),
        "gate": data.gate,
        "verdicts": data.verdicts,
        "excerpts": data.excerpts,
        "versions": data.versions,
        "changes": [(day, lineage(row), what) for day, row, what in deployment_changes(daily)],
        "chart_data": _embedded(chart_data(data.pooled, pooled, daily)),
        "style": _asset("style.css"),
        "scripts": [_asset(name) for name in ("vendor/d3.min.js", "vendor/plot.min.js", "behaviour.js")],
    }


def _unsplit(table: pa.Table) -> pa.Table:
    return table.filter(pc.equal(table["cut"], "all"))


def _worth_a_row(row: Mapping[str, Any]) -> bool:
    return bool(row["leaked_turns"]) or (row["turns"] > 0 and row["measure_kind"] != "rule")


def _order(row: Mapping[str, Any]) -> tuple[float, float, str]:
    return (-(row["low"] or 0.0), -(row["rate"] or 0.0), row["measure"])


def _row(row: Mapping[str, Any]) -> dict[str, Any]:
    key = "\x1f".join(str(row[name]) for name in (*PLACE, "measure_kind", "measure"))
    return {
        **row,
        "anchor": f"rate-{blake2b(key.encode(errors='replace'), digest_size=6).hexdigest()}",
        "place": place(row),
    }


def _advice_for(
    worst: Mapping[str, Any] | None, findings: list[dict[str, Any]], advice: Mapping[str, Mapping[str, str]]
) -> list[Mapping[str, str]]:
    if worst is None:
        return []
    counts: dict[str, int] = {}
    for row in findings:
        if (
            row["symptom"] == worst["measure"]
            and row["tier"] == "rule"
            and all(row[name] == worst[name] for name in PLACE)
        ):
            counts[row["rule_id"]] = counts.get(row["rule_id"], 0) + row["findings"]
    ranked = sorted(counts, key=lambda rule: -counts[rule])
    return [{"rule": rule, **advice[rule]} for rule in ranked[:2] if rule in advice]


def _findings(findings: list[dict[str, Any]], advice: Mapping[str, Mapping[str, str]]) -> list[dict[str, Any]]:
    totals: dict[str, dict[str, Any]] = {}
    for row in findings:
        total = totals.setdefault(
            row["rule_id"],
            {
                "rule": row["rule_id"],
                "symptom": row["symptom"],
                "tier": row["tier"],
                "findings": 0,
                "configured": 0,
                "repairs": {},
            },
        )
        total["findings"] += row["findings"]
        total["configured"] += row["findings"] if row["configured"] else 0
        total["repairs"][row["repair"]] = total["repairs"].get(row["repair"], 0) + row["findings"]
    return [
        {**total, "advice": advice.get(total["rule"], {})}
        for total in sorted(totals.values(), key=lambda t: -t["findings"])
    ]


def _counted(coverage: list[dict[str, Any]], name: str) -> bool:
    return bool(coverage) and isinstance(coverage[0][name], int)


def _embedded(value: Any) -> Markup:
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))


def _asset(name: str) -> Markup:
    return Markup(resources.files("pipelines.report").joinpath(name).read_text(encoding="utf-8"))

"""The page itself: made from tables of names and numbers, part by part."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from importlib import resources
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from pipelines.report.answers import PLACE, answers, deployment_changes
from pipelines.report.charts import chart_data, lineage
from pipelines.report.findings import findings_by_rule
from pipelines.report.first_screen import first_screen, judged
from pipelines.report.markup import Markup, html, joined, plural, visible
from pipelines.report.tables import coverage_table, gate_section, rate_table

SCRIPTS = ("vendor/d3.min.js", "vendor/plot.min.js", "behaviour.js")


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
    pooled = _unsplit(data.pooled).to_pylist()
    daily = _unsplit(data.daily.filter(pc.equal(data.daily["measure_kind"], "symptom"))).to_pylist()
    findings, coverage = data.findings.to_pylist(), data.coverage.to_pylist()
    found = answers(pooled, daily)
    rows = [_row(row) for row in sorted(pooled, key=_order) if _worth_a_row(row)]
    return html(
        _asset("page.html"),
        title=visible(data.title),
        style=_asset("style.css"),
        answers=first_screen(found, _advice_for(found.worst, findings, data.advice)),
        judged=judged(coverage),
        gate=gate_section(data.gate),
        verdicts=_verdicts(data.verdicts),
        changes=_changes(daily),
        rates=rate_table(rows, len(pooled) - len(rows)),
        findings=findings_by_rule(findings, data.advice, data.excerpts),
        coverage=coverage_table(coverage),
        kept=" and the excerpts that the run was asked to keep" if data.excerpts else "",
        versions=" · ".join(f"{name} {visible(str(value), 80)}" for name, value in sorted(data.versions.items())),
        chart_data=_embedded(chart_data(data.pooled, pooled, daily)),
        scripts=joined(html("<script>{script}</script>\n", script=_asset(name)) for name in SCRIPTS),
    )


def _verdicts(verdicts: Sequence[Mapping[str, str]]) -> Markup:
    if not verdicts:
        return Markup()
    parts = [
        html("<h3>{title}</h3><p>{text}</p>", title=visible(verdict["title"]), text=visible(verdict["text"], 600))
        for verdict in verdicts
    ]
    return html('<section id="diagnosis">\n  <h2>Which layer</h2>\n  {parts}\n</section>\n', parts=joined(parts))


def _changes(daily: list[dict[str, Any]]) -> Markup:
    """Which versions changed on which day; nothing where none did."""
    changes = [
        html(
            "<li>{day} · {lineage}: {what}</li>\n",
            day=visible(day, 20),
            lineage=lineage(row),
            what=visible("; ".join(what), 300),
        )
        for day, row, what in deployment_changes(daily)
    ]
    return html(
        "<details><summary>{count} deployment {noun} in the window</summary>\n<ul>{changes}</ul></details>\n"
        if changes
        else "",
        count=len(changes),
        noun=plural(len(changes), "change"),
        changes=joined(changes),
    )


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


def _embedded(value: Any) -> Markup:
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))


def _asset(name: str) -> Markup:
    return Markup(resources.files("pipelines.report").joinpath(name).read_text(encoding="utf-8"))

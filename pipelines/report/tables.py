"""The tables of the page: the gate's verdict, all rates, and what could be judged of each source."""

from collections.abc import Mapping, Sequence
from typing import Any

from pipelines.report.markup import Markup, html, joined, number, percent, spaced, visible

Rows = Sequence[Mapping[str, Any]]

_HEADINGS = {
    **dict.fromkeys(("Measure", "Model", "Engine", "Template", "Gateway"), "text"),
    **dict.fromkeys(("Rate", "95 % interval", "Leaked", "Turns", "Conversations hit"), "number"),
    **dict.fromkeys(("Evidence", "Note"), "text"),
}
_COUNTERS = (
    "items",
    "accepted",
    "blank",
    "rejected",
    "duplicate",
    "skipped",
    "records",
    "scannable",
    "redacted",
    "truncated",
    "merged",
    "reasoning_visible",
    "tools_known",
    "family_unknown",
)
_MARKS = {"pass": "✓", "fail": "✖"}


def gate_section(gate: Mapping[str, Any] | None) -> Markup:
    """The verdict as `leakrate gate --json` wrote it; nothing without one."""
    if not gate:
        return Markup()
    limits = {"model": 80, "measure": 60, "verdict": 40, "reason": 240}
    rows = [{name: str(row.get(name, "")) for name in limits} for row in gate.get("rows", ())]
    lines = [
        html(
            "<tr><td>{model}</td><td>{measure}</td><td>{verdict}</td><td>{reason}</td></tr>\n",
            **{
                name: visible(spaced(row[name]) if name == "verdict" else row[name], limit)
                for name, limit in limits.items()
            },
        )
        for row in rows
    ]
    return html(
        '<section id="gate">\n  <h2>Gate</h2>\n'
        '  <p class="big"><span class="mark" aria-hidden="true">{mark}</span> {verdict}</p>\n'
        '  <div class="scroll" tabindex="0"><table><thead><tr><th scope="col">Model</th><th scope="col">Measure</th>'
        '<th scope="col">Verdict</th><th scope="col">Why</th></tr></thead><tbody>\n{lines}</tbody></table></div>\n</section>\n',
        mark=_MARKS.get(gate["verdict"], "?"),
        verdict=visible(spaced(str(gate["verdict"])), 40),
        lines=joined(lines),
    )


def rate_table(rows: Rows, hidden: int) -> Markup:
    """Rows of RATE with `anchor`; `hidden` more are left out."""
    caption = "Per turn and per conversation, over the whole window."
    if hidden:
        caption += (
            f" {number(hidden)} rows without a finding or without a turn that could be judged are left out here; "
            "they are in rates.parquet."
        )
    headings = [
        html(
            '<th scope="col" aria-sort="none" data-kind="{kind}"><button type="button">{label}'
            '<span aria-hidden="true"></span></button></th>\n',
            label=label,
            kind=kind,
        )
        for label, kind in _HEADINGS.items()
    ]
    return html(
        '<table id="rate-table">\n<caption>{caption}</caption>\n<thead><tr>\n{headings}</tr></thead>\n<tbody>\n{lines}</tbody>\n</table>\n',
        caption=caption,
        headings=joined(headings),
        lines=joined(_rate_line(row) for row in rows),
    )


_RATE_LINE = """<tr id="{anchor}" data-leaked="{leaked_turns}">
<th scope="row"><a class="here" href="#{anchor}" aria-label="Link to this row">#</a> {measure}{advice}</th>
<td>{model}{model_version}</td>
<td class="one-line">{engine} {engine_version}</td>
<td>{template_version}</td>
<td class="one-line">{gateway}</td>
<td class="number" data-value="{rate_value}">{rate}</td>
<td class="number" data-value="{low_value}">{interval}</td>
<td class="number" data-value="{leaked_turns}">{leaked}</td>
<td class="number" data-value="{turns_value}">{turns}</td>
<td class="number" data-value="{conversation_value}">{hit} of {conversations}</td>
<td>{evidence}</td>
<td>{note}</td>
</tr>
"""


def _rate_line(row: Mapping[str, Any]) -> Markup:
    return html(
        _RATE_LINE,
        anchor=row["anchor"],
        leaked_turns=row["leaked_turns"],
        leaked=number(row["leaked_turns"]),
        turns_value=row["turns"],
        turns=number(row["turns"]),
        rate_value=_sorted_by(row["rate"]),
        rate=percent(row["rate"]),
        low_value=_sorted_by(row["low"]),
        interval=_interval(row),
        conversation_value=_sorted_by(row["conversation_rate"]),
        hit=number(row["leaked_conversations"]),
        conversations=number(row["conversations"]),
        evidence=_evidence(row),
        note=spaced(row["reason"]),
        **_names(row),
    )


def _names(row: Mapping[str, Any]) -> dict[str, str]:
    version, measure = row["model_version"], visible(row["measure"], 80)
    return {
        "measure": measure,
        "advice": html(' <a class="small" href="#rule-{rule}">advice</a>', rule=measure)
        if row["measure_kind"] == "rule"
        else "",
        "model": visible(row["model"], 80),
        "model_version": ""
        if version == "unknown"
        else html(' <span class="small">{version}</span>', version=visible(version, 40)),
        "engine": visible(row["engine"], 40),
        "engine_version": "" if row["engine_version"] == "unknown" else visible(row["engine_version"], 40),
        "template_version": visible(row["template_version"], 60),
        "gateway": visible(row["gateway"], 40),
    }


def _sorted_by(value: float | None) -> float:
    return -1 if value is None else value


def _interval(row: Mapping[str, Any]) -> str:
    if row["low"] is not None:
        return f"{percent(row['low'])} – {percent(row['high'])}"
    return "–" if row["high"] is None else f"≤ {percent(row['high'])}"


def _evidence(row: Mapping[str, Any]) -> str:
    kind = row["measure_kind"] if row["measure_kind"] == "metric" else f"{row['measure_kind']}, {row['tier']}"
    return kind if row["precision"] is None else f"{kind}, precision {percent(row['precision'])}"


def coverage_table(coverage: Rows) -> Markup:
    """COVERAGE with the reasons that have no column."""
    headings = [html('<th scope="col">{name}</th>', name=spaced(name)) for name in _COUNTERS]
    return html(
        '<table>\n<thead><tr><th scope="col">Source</th><th scope="col">Format</th>{headings}<th scope="col">Reasons</th></tr></thead>\n'
        "<tbody>{lines}</tbody>\n</table>",
        headings=joined(headings),
        lines=joined(_coverage_line(row) for row in coverage),
    )


def _coverage_line(row: Mapping[str, Any]) -> Markup:
    reasons = ", ".join(f"{visible(name, 60)} {number(count)}" for name, count in row["detail"])
    return html(
        '\n<tr><th scope="row">{source}</th><td>{format}</td>{numbers}<td class="small">{reasons}</td></tr>\n',
        source=visible(row["source_uri"], 100),
        format=visible(row["format"], 60),
        numbers=joined(html('<td class="number">{count}</td>', count=number(row[name])) for name in _COUNTERS),
        reasons=reasons,
    )

"""The findings of each rule on the page, with what to do about them, and excerpts where the run kept them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pipelines.report.markup import Markup, html, joined, number, plural, spaced, visible

_LABELS = {
    "title": "What",
    "why": "Why it matters",
    "layers": "Likely layers",
    "action": "What to do",
    "verify": "How to check",
    "misses": "Misses",
    "false_alarms": "When it is wrong",
}
_RULE = """<details id="rule-{rule}"{open}>
<summary><strong>{rule}</strong> · {findings} {noun} · {symptom} · {tier}{configured}</summary>
<dl>
{advice}<dt>Repair</dt><dd>{repairs}</dd>
</dl>
{excerpts}</details>
"""


def findings_by_rule(
    findings: Iterable[Mapping[str, Any]],
    advice: Mapping[str, Mapping[str, str]],
    excerpts: Sequence[Mapping[str, str]],
) -> Markup:
    """One block a rule, those with the most findings first and the first one open."""
    totals = sorted(_totals(findings).values(), key=lambda total: -total["findings"])
    blocks = [
        _block(
            total,
            advice.get(total["rule"], {}),
            [text for text in excerpts if text["rule"] == total["rule"]],
            first=place == 0,
        )
        for place, total in enumerate(totals)
    ]
    return joined(blocks) if blocks else Markup("<p>No finding.</p>\n")


def _totals(findings: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    totals: dict[str, dict[str, Any]] = {}
    for row in findings:
        named = {"rule": row["rule_id"], "symptom": row["symptom"], "tier": row["tier"]}
        total = totals.setdefault(row["rule_id"], {**named, "findings": 0, "configured": 0, "repairs": {}})
        total["findings"] += row["findings"]
        total["configured"] += row["findings"] if row["configured"] else 0
        total["repairs"][row["repair"]] = total["repairs"].get(row["repair"], 0) + row["findings"]
    return totals


def _block(
    total: Mapping[str, Any], advice: Mapping[str, str], excerpts: Sequence[Mapping[str, str]], *, first: bool
) -> Markup:
    told = [
        html("<dt>{label}</dt><dd>{text}</dd>\n", label=label, text=advice[name])
        for name, label in _LABELS.items()
        if advice.get(name)
    ]
    return html(
        _RULE,
        rule=total["rule"],
        open=" open" if first else "",
        findings=number(total["findings"]),
        noun=plural(total["findings"], "finding"),
        symptom=spaced(total["symptom"]),
        tier=total["tier"],
        configured=f" · {number(total['configured'])} by configuration" if total["configured"] else "",
        advice=joined(told),
        repairs=", ".join(f"{repair} {number(count)}" for repair, count in sorted(total["repairs"].items())),
        excerpts=joined(html('<pre tabindex="0">{text}</pre>', text=visible(one["text"], 400)) for one in excerpts),
    )

"""From the tables of one or several outputs to what the page shows."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipelines.fold import pool_days
from pipelines.fold.columns import codes, combine, tally
from pipelines.rates import rates
from pipelines.report.advice import advice
from pipelines.report.answers import PLACE
from pipelines.report.page import ReportInput
from pipelines.schema import DETECTION, UNKNOWN

FINDING_COLUMNS = ("rule_id", "symptom", "tier", "repair", "layer_hint", "configured", *PLACE)
EXCERPTS_PER_RULE = 5


@dataclass(frozen=True)
class Figures:
    """What a page rests on: RATE with all days together, RATE by day (cuts are not needed), and COVERAGE."""

    pooled: pa.Table
    daily: pa.Table
    coverage: pa.Table


def figures(counts: pa.Table, coverage: pa.Table) -> Figures:
    """Figures of COUNT and COVERAGE rows; days may lie in any order.

    Rates over the window add the days up, and conversations that span days are whole in them (`pool_days`).
    """
    return Figures(
        pooled=rates(pool_days(counts), coverage=coverage),
        daily=rates(counts.filter(pc.equal(counts["cut"], "all")), coverage=coverage),
        coverage=coverage,
    )


def gather(
    figures: Figures,
    findings: pa.Table,
    *,
    versions: Mapping[str, str],
    gate: Mapping[str, Any] | None = None,
    excerpts: Sequence[Mapping[str, str]] = (),
) -> ReportInput:
    """ReportInput of figures and findings (FINDING_COLUMNS and `findings`)."""
    days = sorted(set(pc.unique(figures.daily["day"]).to_pylist()) - {UNKNOWN})
    window = UNKNOWN if not days else days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"
    return ReportInput(
        title=f"Leak report, {window}" if days else "Leak report, days unknown",
        pooled=figures.pooled,
        daily=figures.daily,
        coverage=figures.coverage,
        findings=findings,
        advice=advice(),
        versions=versions,
        gate=gate,
        excerpts=excerpts,
    )


def findings_of(parts: Iterable[pa.Table]) -> pa.Table:
    """Number of findings by FINDING_COLUMNS over the parts of `detections/`, in the order of their first one."""
    schema = pa.schema([DETECTION.field(name) for name in FINDING_COLUMNS])
    whole = pa.concat_tables([schema.empty_table(), *(part.select(FINDING_COLUMNS).cast(schema) for part in parts)])
    keys = [codes(whole[name]) for name in FINDING_COLUMNS]
    first, code, kinds = combine([(column, len(names)) for column, names in keys], len(whole))
    order = np.argsort(first)
    found = whole.take(pa.array(first[order])).unify_dictionaries()
    return found.append_column("findings", pa.array(tally(code, kinds)[order]))


def excerpts_of(parts: Iterable[pa.Table]) -> list[dict[str, str]]:
    """Up to EXCERPTS_PER_RULE excerpts a rule, from the parts of a run that kept excerpts."""
    kept: dict[str, list[str]] = {}
    for part in parts:
        rows = part.select(["rule_id", "evidence"])
        for rule, text in zip(rows["rule_id"].to_pylist(), rows["evidence"].to_pylist(), strict=True):
            if text and len(kept.setdefault(rule, [])) < EXCERPTS_PER_RULE:
                kept[rule].append(text)
    return [{"rule": rule, "text": text} for rule, texts in sorted(kept.items()) for text in texts]

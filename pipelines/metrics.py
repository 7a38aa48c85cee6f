"""OpenMetrics text of one run, for the textfile collector of node_exporter or any scraper of files.

Names follow the Prometheus conventions: a gauge per quantity, base units (ratio, tokens, seconds since 1970) in the name, no unit
prefix in labels. Rates are ratios from 0 to 1. A rate that is unknown has no sample.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from prometheus_client import CollectorRegistry, Gauge
from prometheus_client.openmetrics.exposition import generate_latest

from pipelines.schema import GROUP
from pipelines.visible import spelled

PLACE = tuple(name for name in GROUP if name != "day")
RATE_LABELS = (*PLACE, "measure_kind", "measure", "tier")
RATE_METRICS = {
    "leakrate_turns": ("turns", "Turns in which the measure could fire."),
    "leakrate_leaked_turns": ("leaked_turns", "Turns in which the measure fired."),
    "leakrate_turn_leak_ratio": ("rate", "Leaked turns over turns in which the measure could fire."),
    "leakrate_turn_leak_low_ratio": ("low", "Lower end of the 95 % interval of leakrate_turn_leak_ratio."),
    "leakrate_turn_leak_high_ratio": (
        "high",
        "Upper end of the 95 % interval, or the upper bound where only that is known.",
    ),
    "leakrate_conversations": ("conversations", "Conversations with a turn in which the measure could fire."),
    "leakrate_leaked_conversations": ("leaked_conversations", "Conversations with at least one leaked turn."),
    "leakrate_conversation_leak_ratio": ("conversation_rate", "Share of conversations with at least one leaked turn."),
}
COVERAGE_METRICS = {
    "leakrate_items": ("items", "Items of the sources, blank lines included."),
    "leakrate_rejected_items": ("rejected", "Items that could not be read."),
    "leakrate_records": ("records", "Turns kept."),
    "leakrate_scannable_records": ("scannable", "Turns whose answer could be judged."),
}
RATE_COLUMNS = ("cut", *RATE_LABELS, *(column for column, _ in RATE_METRICS.values()))
COVERAGE_COLUMNS = ("format", *(column for column, _ in COVERAGE_METRICS.values()))
"""Columns of RATE and COVERAGE that are shown."""


def openmetrics(
    rates: Iterable[Mapping[str, Any]], coverage: Iterable[Mapping[str, Any]], *, finished: float, day: float | None
) -> str:
    """OpenMetrics text of unsplit RATE rows of one window (one row per PLACE and measure) and of COVERAGE rows.

    `finished`: when the run ended, `day`: start of the last day in it; seconds since 1970. Rules without a finding are left out,
    since a symptom's own sample says zero already.
    """
    registry = CollectorRegistry()
    gauges = {name: Gauge(name, text, RATE_LABELS, registry=registry) for name, (_, text) in RATE_METRICS.items()}
    for row in rates:
        if row["cut"] != "all" or (row["measure_kind"] == "rule" and not row["leaked_turns"]):
            continue
        labels = [spelled(str(row[name])) for name in RATE_LABELS]
        for name, (column, _) in RATE_METRICS.items():
            if row[column] is not None:
                gauges[name].labels(*labels).set(row[column])
    totals = _totals(coverage)
    for name, (column, text) in COVERAGE_METRICS.items():
        gauge = Gauge(name, text, ("format",), registry=registry)
        for form, numbers in sorted(totals.items()):
            gauge.labels(spelled(form)).set(numbers[column])
    Gauge("leakrate_run_timestamp_seconds", "When the run ended.", registry=registry).set(finished)
    if day is not None:
        Gauge("leakrate_day_timestamp_seconds", "Start of the last day in the run, UTC.", registry=registry).set(day)
    written: bytes = generate_latest(registry)  # type: ignore[no-untyped-call]
    return written.decode()


def _totals(coverage: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, int]]:
    totals: dict[str, dict[str, int]] = {}
    for row in coverage:
        numbers = totals.setdefault(
            row["format"], dict.fromkeys((column for column, _ in COVERAGE_METRICS.values()), 0)
        )
        for column in numbers:
            numbers[column] += row[column]
    return totals

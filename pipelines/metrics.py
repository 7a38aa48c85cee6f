"""OpenMetrics text of one run, for the textfile collector of node_exporter or any scraper of files.

Names follow the Prometheus conventions: a gauge per quantity, base units (ratio, tokens, seconds since 1970) in the name, no unit
prefix in labels. Rates are ratios from 0 to 1. A rate that is unknown has no sample. The text format is that of OpenMetrics 1.0
(https://prometheus.io/docs/specs/om/open_metrics_spec/, read 2026-11-30); the tests read it back with the client library of
Prometheus, which takes ten times as long to write it.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from pipelines.schema import GROUP
from pipelines.visible import visible

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
    shown = [row for row in rates if row["cut"] == "all" and (row["measure_kind"] != "rule" or row["leaked_turns"])]
    places = [_labels((name, visible(str(row[name]))) for name in sorted(RATE_LABELS)) for row in shown]
    lines: list[str] = []
    for name, (column, text) in RATE_METRICS.items():
        lines += _gauge(name, text, {place: row[column] for place, row in zip(places, shown, strict=True)})
    totals = sorted(_totals(coverage).items())
    for name, (column, text) in COVERAGE_METRICS.items():
        samples = {_labels([("format", visible(form))]): numbers[column] for form, numbers in totals}
        lines += _gauge(name, text, samples)
    lines += _gauge("leakrate_run_timestamp_seconds", "When the run ended.", {"": finished})
    if day is not None:
        lines += _gauge("leakrate_day_timestamp_seconds", "Start of the last day in the run, UTC.", {"": day})
    return "".join(lines) + "# EOF\n"


def _gauge(name: str, text: str, samples: Mapping[str, float | None]) -> list[str]:
    """The lines of one gauge; `samples`: labels → value, None where there is none."""
    head = [f"# HELP {name} {text}\n", f"# TYPE {name} gauge\n"]
    return head + [f"{name}{labels} {_number(value)}\n" for labels, value in samples.items() if value is not None]


def _labels(pairs: Iterable[tuple[str, str]]) -> str:
    return "{" + ",".join(f'{name}="{_escaped(value)}"' for name, value in pairs) + "}"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"')


def _number(value: float) -> str:
    """A number as Go prints it, which is how Prometheus does: exponents from a million on."""
    text = repr(float(value))
    whole = text.partition(".")[0]
    if value <= 0 or len(whole) <= 6 or not whole.isdecimal():
        return text
    mantissa = f"{whole[0]}.{whole[1:]}{text[len(whole) + 1 :]}".rstrip("0.")
    return f"{mantissa}e+{len(whole) - 1:02d}"


def _totals(coverage: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, int]]:
    totals: dict[str, dict[str, int]] = {}
    for row in coverage:
        numbers = totals.setdefault(
            row["format"], dict.fromkeys((column for column, _ in COVERAGE_METRICS.values()), 0)
        )
        for column in numbers:
            numbers[column] += row[column]
    return totals

"""The answers of the report's first screen: is it bad, where, since when, what to do."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from math import log
from typing import Any

from pipelines.schema import GROUP, UNKNOWN

Row = Mapping[str, Any]

PLACE = tuple(name for name in GROUP if name != "day")
LINEAGE = ("gateway", "engine", "model")
"""What stays the same when a version changes; the trend of a lineage shows what an upgrade did."""
VERSIONS = tuple(name for name in PLACE if name not in LINEAGE)

SEVERE, CLEAR = 0.01, 0.001
"""A lower bound of 1 in 100 is severe, of 1 in 1,000 clear; below that a leak is rare."""

SURE_RISE = 5.4

SYMPTOM_WORDS = {
    "reasoning_leak": "reasoning stands in the answer",
    "boundary_token": "raw boundary tokens stand in the answer",
    "raw_tool_call": "a tool call stands as text in the answer",
    "tool_call_in_reasoning": "a tool call is lost inside the reasoning",
    "tool_args_invalid": "a structured call does not fit the offered tools",
    "preamble": "the answer begins with a progress message",
    "misrouted_answer": "the answer stands in the reasoning field",
    "structured_invalid": "the requested format is not delivered",
    "truncated_reasoning": "the turn ends inside the reasoning",
    "stream_loss": "the stream loses or doubles visible text",
    "field_contract": "response fields contradict the API contract",
    "commentary_leak": "commentary is joined to the final answer",
    "history_contamination": "the history carries reasoning wrongly",
}


@dataclass(frozen=True)
class Answers:
    """What the first screen says. `worst` is None when no stable rule fired; `bound` is then the widest upper bound."""

    severity: str
    """none | rare | clear | severe | unjudged"""
    worst: Row | None
    others: int
    bound: float | None
    since: "Since | None"


@dataclass(frozen=True)
class Since:
    """The first day of the higher rate, the rates before and from then on, and what changed in the deployment that day."""

    day: str
    before: float | None
    after: float
    changes: tuple[str, ...]


@dataclass
class _Day:
    name: str
    turns: int = 0
    leaked_turns: int = 0
    conversations: int = 0
    leaked_conversations: int = 0
    versions: dict[str, set[str]] = field(default_factory=lambda: {name: set() for name in VERSIONS})


def confirmed(rows: Iterable[Row]) -> list[Row]:
    """The unsplit symptom rows of rule evidence: what the answers rest on; suspected and preview measures are left out."""
    return [row for row in rows if row["measure_kind"] == "symptom" and row["tier"] == "rule" and row["cut"] == "all"]


def severity(row: Row) -> str:
    """Severity of one rate by its lower bound; without one (too few leaking conversations) it is rare."""
    low = row["low"] or 0.0
    return "severe" if low >= SEVERE else "clear" if low >= CLEAR else "rare"


def answers(pooled: Iterable[Row], daily: Iterable[Row]) -> Answers:
    """Answers from RATE rows: `pooled` over the whole window, `daily` per day, both of any cut and measure."""
    rows = confirmed(pooled)
    leaking = sorted((row for row in rows if row["leaked_turns"]), key=_badness, reverse=True)
    if not leaking:
        bounds = [row["high"] for row in rows if row["turns"] and row["high"] is not None]
        state = "none" if any(row["turns"] for row in rows) else "unjudged"
        return Answers(state, None, 0, max(bounds, default=None), None)
    worst = leaking[0]
    return Answers(severity(worst), worst, len(leaking) - 1, None, since(worst, confirmed(daily)))


def since(worst: Row, daily: Iterable[Row]) -> Since | None:
    """The day from which the rate of `worst`'s lineage is higher than before; None without a known day.

    Of all splits of the days the one with the highest likelihood is taken, counted in conversations since turns of one
    conversation are alike. A rise counts when two shares beat one by at least 5.4 in log likelihood (p about 0.001 for one
    split, strict because every day is tried); otherwise the leak is as old as the data, and `before` is None.
    """
    days = _days(row for row in daily if row["measure"] == worst["measure"] and _same(row, worst, LINEAGE))
    if not days:
        return None
    splits = ((_gain(days, at), at) for at in range(1, len(days)))
    gain, at = max(splits, default=(0.0, 0))
    if gain < SURE_RISE:
        return Since(next(day.name for day in days if day.leaked_turns), None, _share(days), ())
    before, after = days[:at], days[at:]
    return Since(after[0].name, _share(before), _share(after), _differences(before[-1].versions, after[0].versions))


def deployment_changes(daily: Iterable[Row]) -> list[tuple[str, Row, tuple[str, ...]]]:
    """(day, a row of the lineage, what changed) for each day with versions that the day before did not have."""
    lineages: dict[tuple[str, ...], list[Row]] = {}
    for row in daily:
        lineages.setdefault(tuple(row[name] for name in LINEAGE), []).append(row)
    changes = []
    for rows in lineages.values():
        days = _days(rows)
        for before, after in pairwise(days):
            what = _differences(before.versions, after.versions)
            if what:
                changes.append((after.name, rows[0], what))
    return sorted(changes, key=lambda change: change[0])


def _badness(row: Row) -> tuple[float, float, int]:
    return (row["low"] or 0.0, row["rate"] or 0.0, row["leaked_turns"])


def _same(left: Row, right: Row, names: tuple[str, ...]) -> bool:
    return all(left[name] == right[name] for name in names)


def _days(rows: Iterable[Row]) -> list[_Day]:
    days: dict[str, _Day] = {}
    for row in rows:
        if row["day"] == UNKNOWN or not row["turns"]:
            continue
        day = days.setdefault(row["day"], _Day(row["day"]))
        day.turns += row["turns"]
        day.leaked_turns += row["leaked_turns"]
        day.conversations += row["conversations"]
        day.leaked_conversations += row["leaked_conversations"]
        for name in VERSIONS:
            day.versions[name].add(row[name])
    return [days[name] for name in sorted(days)]


def _share(days: list[_Day]) -> float:
    return sum(day.leaked_turns for day in days) / sum(day.turns for day in days)


def _gain(days: list[_Day], at: int) -> float:
    before, after = days[:at], days[at:]
    if _share(after) <= _share(before):
        return 0.0
    return _likelihood(before) + _likelihood(after) - _likelihood(days)


def _likelihood(days: list[_Day]) -> float:
    total = sum(day.conversations for day in days)
    leaked = sum(day.leaked_conversations for day in days)
    return sum(count * log(count / total) for count in (leaked, total - leaked) if count)


def _differences(before: dict[str, set[str]], after: dict[str, set[str]]) -> tuple[str, ...]:
    return tuple(
        f"{name.replace('_', ' ')} {', '.join(sorted(before[name]))} → {', '.join(sorted(after[name]))}"
        for name in VERSIONS
        if after[name] - before[name]
    )

"""The numbers behind the report's charts, as plain lists for the page's script."""

from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from pipelines.report.answers import PLACE, VERSIONS, Row, confirmed, deployment_changes
from pipelines.schema import SYMPTOMS, UNKNOWN
from pipelines.visible import visible

HEAT_COLUMNS, HEAT_ROWS = 12, 60
"""Models and cut values that the heat map shows at most: those with the most turns."""
NAMED = (
    ("version", "engine_version"),
    ("model version", "model_version"),
    ("template", "template_version"),
    ("gateway", "gateway"),
)
FIELDS = ("turns", "leaked_turns", "rate", "low", "high")


def chart_data(table: pa.Table, pooled: list[dict[str, Any]], daily: list[dict[str, Any]]) -> dict[str, Any]:
    """Lists for the trend, the intervals and the heat map; `table` is the pooled RATE, `pooled` and `daily` its unsplit rows."""
    symptom_rows = confirmed(pooled)
    leaking = [name for name in SYMPTOMS if any(row["leaked_turns"] for row in symptom_rows if row["measure"] == name)]
    rows = [row for row in symptom_rows if row["turns"]]
    heat, left_out = _heat(table, leaking)
    groups = dict.fromkeys((*map(_group, rows), *(row["place"] for row in heat)))
    keys = {group: number for number, group in enumerate(groups)}
    return {
        "symptoms": leaking or list(SYMPTOMS[:1]),
        "places": [place_parts(dict(zip(PLACE, group, strict=True))) for group in keys],
        "rates": [
            {"place": keys[_group(row)], "measure": row["measure"], **{name: row[name] for name in FIELDS}}
            for row in rows
        ],
        "trend": _trend(daily),
        "changes": [
            {"day": day, "lineage": lineage(row), "what": visible("; ".join(what), 120)}
            for day, row, what in deployment_changes(daily)
        ],
        "heat": [{**row, "place": keys[row["place"]]} for row in heat],
        "heat_left_out": left_out,
    }


def _trend(daily: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        {
            "day": row["day"],
            "lineage": lineage(row),
            "variant": visible(", ".join(place_parts(row, VERSIONS)), 120),
            "measure": row["measure"],
            **{name: row[name] for name in FIELDS},
        }
        for row in confirmed(daily)
        if row["turns"] and row["day"] != UNKNOWN
    ]


def _heat(table: pa.Table, symptoms: list[str]) -> tuple[list[dict[str, Any]], str]:
    """The cells of the heat map, `place` being the group, and one sentence that says what it leaves out, if it does."""
    mask = pc.and_(
        pc.not_equal(table["cut"], "all"), pc.is_in(table["measure"], value_set=pa.array(symptoms, pa.string()))
    )
    rows = [
        row for row in table.filter(pc.and_(mask, pc.greater(table["turns"], 0))).to_pylist() if row["tier"] == "rule"
    ]
    told = {name for name, values in _values(rows).items() if len(values) > 1}
    rows = [row for row in rows if row["cut"] in told]
    groups, values = (_turns(rows, key) for key in (_group, _cut_value))
    columns, lines = _largest(groups, HEAT_COLUMNS), _largest(values, HEAT_ROWS)
    parts = [
        f"{len(shown)} of {len(every)} {what}"
        for shown, every, what in ((columns, groups, "deployments"), (lines, values, "values of cuts"))
        if len(shown) < len(every)
    ]
    cells = [
        {
            "place": _group(row),
            "cut": visible(f"{row['cut'].replace('_', ' ')}: {row['cut_value']}", 60),
            **{name: row[name] for name in ("measure", "turns", "leaked_turns", "rate")},
        }
        for row in rows
        if _group(row) in columns and _cut_value(row) in lines
    ]
    return cells, f"Those with the most turns are shown: {' and '.join(parts)}." if parts else ""


def _values(rows: list[dict[str, Any]]) -> dict[str, set[str]]:
    values: dict[str, set[str]] = {}
    for row in rows:
        values.setdefault(row["cut"], set()).add(row["cut_value"])
    return values


def _group(row: Row) -> tuple[str, ...]:
    return tuple(row[name] for name in PLACE)


def _cut_value(row: Row) -> tuple[str, ...]:
    return row["cut"], row["cut_value"]


def _turns(rows: list[dict[str, Any]], key: Callable[[Row], tuple[str, ...]]) -> dict[tuple[str, ...], int]:
    turns: dict[tuple[str, ...], int] = {}
    for row in rows:
        turns[key(row)] = turns.get(key(row), 0) + row["turns"]
    return turns


def _largest(turns: dict[tuple[str, ...], int], most: int) -> set[tuple[str, ...]]:
    return set(sorted(turns, key=lambda name: -turns[name])[:most])


def place(row: Row) -> str:
    """Model, engine, template and gateway of one row in words; different for different groups."""
    model, engine, *rest = place_parts(row)
    return visible(", ".join((f"{model} {engine}", *rest)), 300)


def place_parts(row: Row, names: tuple[str, ...] = PLACE) -> list[str]:
    """What `place` says, part by part: the model, `on` its engine, and those versions and names that are known."""
    first = [visible(row["model"], 120), visible(f"on {row['engine']}", 120)] if "model" in names else []
    rest = [(word, column) for word, column in NAMED if column in names and row[column] != UNKNOWN]
    return [*first, *(visible(f"{word} {row[column]}", 120) for word, column in rest)]


def lineage(row: Row) -> str:
    """What of a row stays the same over an upgrade, in words."""
    return visible(f"{row['model']} on {row['engine']}, gateway {row['gateway']}", 200)

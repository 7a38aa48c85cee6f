"""The numbers behind the report's charts, as plain lists for the page's script."""

from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from pipelines.report.answers import Row, confirmed, deployment_changes
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
    return {
        "symptoms": leaking or list(SYMPTOMS[:1]),
        "rates": [
            {"place": place(row), "measure": row["measure"], **{name: row[name] for name in FIELDS}}
            for row in symptom_rows
            if row["turns"]
        ],
        "trend": [
            {
                "day": row["day"],
                "lineage": lineage(row),
                "measure": row["measure"],
                **{name: row[name] for name in FIELDS},
            }
            for row in confirmed(daily)
            if row["turns"] and row["day"] != UNKNOWN
        ],
        "changes": [
            {"day": day, "lineage": lineage(row), "what": visible("; ".join(what), 120)}
            for day, row, what in deployment_changes(daily)
        ],
        "heat": _heat(table, leaking),
    }


def _heat(table: pa.Table, symptoms: list[str]) -> list[dict[str, Any]]:
    mask = pc.and_(
        pc.not_equal(table["cut"], "all"), pc.is_in(table["measure"], value_set=pa.array(symptoms, pa.string()))
    )
    rows = [
        row for row in table.filter(pc.and_(mask, pc.greater(table["turns"], 0))).to_pylist() if row["tier"] == "rule"
    ]
    told = {name for name, values in _values(rows).items() if len(values) > 1}
    rows = [row for row in rows if row["cut"] in told]
    places = _largest(rows, lambda row: place(row), HEAT_COLUMNS)
    values = _largest(rows, lambda row: (row["cut"], row["cut_value"]), HEAT_ROWS)
    return [
        {
            "place": place(row),
            "cut": visible(f"{row['cut'].replace('_', ' ')}: {row['cut_value']}", 60),
            "measure": row["measure"],
            "turns": row["turns"],
            "leaked_turns": row["leaked_turns"],
            "rate": row["rate"],
        }
        for row in rows
        if place(row) in places and (row["cut"], row["cut_value"]) in values
    ]


def _values(rows: list[dict[str, Any]]) -> dict[str, set[str]]:
    values: dict[str, set[str]] = {}
    for row in rows:
        values.setdefault(row["cut"], set()).add(row["cut_value"])
    return values


def _largest(rows: list[dict[str, Any]], key: Callable[[dict[str, Any]], Any], most: int) -> set[Any]:
    turns: dict[Any, int] = {}
    for row in rows:
        turns[key(row)] = turns.get(key(row), 0) + row["turns"]
    return set(sorted(turns, key=lambda name: -turns[name])[:most])


def place(row: Row) -> str:
    """Model, engine, template and gateway of one row in words; different for different groups."""
    named = [
        f"{row['model']} on {row['engine']}",
        *(f"{word} {row[column]}" for word, column in NAMED if row[column] != UNKNOWN),
    ]
    return visible(", ".join(named), 300)


def lineage(row: Row) -> str:
    """What of a row stays the same over an upgrade, in words."""
    return visible(f"{row['model']} on {row['engine']}, gateway {row['gateway']}", 200)

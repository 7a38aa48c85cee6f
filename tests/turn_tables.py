"""TURN tables for tests, from short tuples; every column that a test does not name has one plain value."""

from collections.abc import Iterable, Mapping

import pyarrow as pa

from pipelines.schema import CUTS, GROUP, TURN, Measure

LEAK = Measure("symptom", "reasoning_leak", "1", "rule")
TOOLS = Measure("symptom", "raw_tool_call", "1", "rule")
RULE = Measure("rule", "reasoning-marker", "3", "rule")
MEASURES = (LEAK, TOOLS, RULE)

_PLAIN: dict[str, object] = {
    **dict.fromkeys(GROUP, "unknown"),
    **{cut: "unknown" for cut in CUTS if cut != "conversation_length"},
    "day": "2026-11-30",
    "conversation_source": "declared",
    "request": 0,
    "source_file": "a.jsonl",
    "choice": 0,
    "content_state": "text",
    "answered": True,
    "body_logged": True,
    "time": None,
    "position": 0,
    "family": "unknown",
    "format": "pair",
    "sampling_fraction": 1.0,
    "output_tokens": None,
    "reasoning_tokens": None,
    "has_reasoning": None,
    "extra_tokens": 0,
    "eligible": b"\x07",
    "fired": b"\x00",
}


def turn_table(rows: Iterable[Mapping[str, object]]) -> pa.Table:
    """A TURN table; a row needs `conversation`. Turn key and place in the source count up where a row names none."""
    full = [{**_PLAIN, "turn_key": index, "source_pos": index, **row} for index, row in enumerate(rows)]
    columns = [
        pa.array([row[field.name] for row in full], field.type.value_type).dictionary_encode()
        if pa.types.is_dictionary(field.type)
        else pa.array([row[field.name] for row in full], field.type)
        for field in TURN
    ]
    return pa.Table.from_arrays(columns, schema=TURN)


def bits(*measures: Measure) -> bytes:
    """The bit set over MEASURES."""
    return sum(1 << MEASURES.index(measure) for measure in measures).to_bytes(1, "little")

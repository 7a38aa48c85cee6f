"""COUNT tables for tests of the gate, from numbers at risk and first leaks by position."""

from collections.abc import Sequence

import pyarrow as pa

from pipelines.schema import COUNT, GROUP


def count_row(
    at_risk: Sequence[int],
    first_leaks: Sequence[int],
    *,
    measure: str = "reasoning_leak",
    turns: int | None = None,
    **columns: object,
) -> dict[str, object]:
    """One row; what a test does not name follows from the numbers at risk."""
    padded = [(*at_risk, 0, 0, 0, 0, 0)[:5], (*first_leaks, 0, 0, 0, 0, 0)[:5]]
    row: dict[str, object] = dict.fromkeys(COUNT.names, 0) | dict.fromkeys(GROUP, "unknown")
    row |= {"day": "2026-11-30", "cut": "all", "cut_value": "all", "model": "qwen3"}
    row |= {"measure_kind": "symptom", "measure": measure, "measure_version": "1", "tier": "rule"}
    row |= {f"at_risk_{place}": number for place, number in enumerate(padded[0], 1)}
    row |= {f"first_leaks_{place}": number for place, number in enumerate(padded[1], 1)}
    row["turns"] = sum(at_risk) if turns is None else turns
    row["leaked_turns"] = row["leaked_conversations"] = sum(first_leaks)
    row["conversations"] = at_risk[0] if at_risk else 0
    return row | columns


def count_table(*rows: dict[str, object]) -> pa.Table:
    """COUNT."""
    return pa.Table.from_pylist(list(rows), schema=COUNT)


def measures(at_risk: Sequence[int], first_leaks: Sequence[int], **columns: object) -> pa.Table:
    """COUNT with the four measures of the default policy; only the reasoning leak has turns that could fire."""
    others = ("boundary_token", "raw_tool_call", "structured_invalid")
    return count_table(
        count_row(at_risk, first_leaks, **columns), *(count_row((), (), measure=name, **columns) for name in others)
    )

"""Rows of VERDICT, as values and as a table."""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass

import pyarrow as pa

from pipelines.gate.compare import Comparison
from pipelines.gate.policy import fingerprint
from pipelines.gate.sides import Side
from pipelines.schema import VERDICT


@dataclass(frozen=True)
class Row:
    """One row of VERDICT, whose documentation says what the fields mean; NaN and None become null."""

    scope: str
    dimension: str
    model: str
    measure_kind: str
    measure: str
    measure_version: str
    tier: str
    against: str
    turns: int
    leaked_turns: int
    rate: float
    conversations: int
    leaked_conversations: int
    bound: float
    baseline_turns: int
    baseline_leaked_turns: int
    baseline_rate: float
    baseline_conversations: int
    baseline_leaked_conversations: int
    baseline_bound: float
    bar: float
    expected_share: float
    ratio: float
    ratio_low: float
    ratio_high: float
    rise: float
    p_worse: float
    p_not_inferior: float
    fingerprint: str
    verdict: str = ""
    reason: str = ""
    needed_conversations: int | None = None
    needed_baseline_conversations: int | None = None
    first_ratio: float = math.nan
    first_ratio_high: float = math.nan
    p_adjusted: float = math.nan
    noise_ratio: float = math.nan


def row_of(keys: dict[str, str], sides: tuple[Side, Side], comparison: Comparison, *, bar: float) -> Row:
    """A row without its verdict; `keys` are scope, dimension, model, against and the four columns of the measure."""
    candidate, baseline = sides
    return Row(
        scope=keys["scope"],
        dimension=keys["dimension"],
        model=keys["model"],
        measure_kind=keys["measure_kind"],
        measure=keys["measure"],
        measure_version=keys["measure_version"],
        tier=keys["tier"],
        against=keys["against"],
        turns=candidate.turns,
        leaked_turns=candidate.leaked_turns,
        rate=candidate.leaked_turns / candidate.turns if candidate.turns else math.nan,
        conversations=candidate.followed,
        leaked_conversations=candidate.leaked,
        bound=comparison.bound,
        baseline_turns=baseline.turns,
        baseline_leaked_turns=baseline.leaked_turns,
        baseline_rate=baseline.leaked_turns / baseline.turns if baseline.turns else math.nan,
        baseline_conversations=baseline.followed,
        baseline_leaked_conversations=baseline.leaked,
        baseline_bound=comparison.bound_baseline,
        bar=bar,
        expected_share=comparison.expected,
        ratio=comparison.ratio,
        ratio_low=comparison.low,
        ratio_high=comparison.high,
        rise=comparison.rise,
        p_worse=comparison.p_worse,
        p_not_inferior=comparison.p_not_inferior,
        fingerprint=fingerprint(
            keys["dimension"], keys["model"], keys["measure_kind"], keys["measure"], keys["measure_version"]
        ),
    )


def plain(row: Row) -> dict[str, object]:
    """The row as JSON holds it: null instead of NaN, and of an infinite ratio (no leak in the baseline)."""
    return {
        name: None if isinstance(value, float) and not math.isfinite(value) else value
        for name, value in ((name, asdict(row)[name]) for name in VERDICT.names)
    }


def verdict_table(rows: Sequence[Row]) -> pa.Table:
    """VERDICT."""
    return pa.Table.from_pylist([plain(row) for row in rows], schema=VERDICT)

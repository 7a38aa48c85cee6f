"""What moved outside the declared measures: every other measure, and every slice of the declared ones; it never blocks."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

import pyarrow as pa
import pyarrow.compute as pc

from pipelines.gate.compare import compare
from pipelines.gate.decide import benjamini_hochberg, span
from pipelines.gate.policy import Policy
from pipelines.gate.rows import Row, row_of
from pipelines.gate.sides import MEASURE_KEYS, NOTHING, Side, of_cut, of_measures, pooled, unsplit
from pipelines.schema import CUTS, GROUP

_DIMENSIONS = tuple(name for name in GROUP if name != "day")

Sides = tuple[Side, Side]


def watched(candidate: pa.Table, baseline: pa.Table, policy: Policy) -> tuple[Row, ...]:
    """Rows of scope watch and slice, by the lower bound of the ratio; those beyond the false discovery rate say `watch`."""
    rows = [*_other_measures(candidate, baseline, policy), *_slices(candidate, baseline, policy)]
    adjusted = benjamini_hochberg([row.p_worse for row in rows])
    judged = [_judged(row, value, policy) for row, value in zip(rows, adjusted, strict=True)]
    return tuple(sorted(judged, key=_rank))


def _rank(row: Row) -> tuple[object, ...]:
    low = -1.0 if math.isnan(row.ratio_low) else row.ratio_low
    return (
        -low,
        row.p_worse if row.p_worse == row.p_worse else 1.0,
        row.dimension,
        row.model,
        row.measure_kind,
        row.measure,
    )


def _judged(row: Row, p_adjusted: float, policy: Policy) -> Row:
    if not row.leaked_conversations + row.baseline_leaked_conversations and row.bound < policy.quiet_rate:
        verdict, reason = "ok", "no leak on either side"
    elif math.isnan(row.ratio):
        verdict, reason = "not_enough_data", "no leak yet, or one side has no conversation that begins in the run"
    elif p_adjusted <= policy.watch_level and row.ratio > 1:
        seen = "from none" if math.isinf(row.ratio) else f"×{row.ratio:.2f}"
        verdict, reason = "watch", f"{seen}, at least ×{row.ratio_low:.2f}"
    elif row.ratio_high < policy.ratio_margin:
        verdict, reason = "ok", f"at most ×{row.ratio_high:.2f}"
    else:
        verdict, reason = "not_enough_data", span(row.ratio_low, row.ratio_high)
    return replace(row, verdict=verdict, reason=reason, p_adjusted=p_adjusted)


def _other_measures(candidate: pa.Table, baseline: pa.Table, policy: Policy) -> Iterable[Row]:
    dimension = policy.compare_by
    keys = () if dimension == "all" else ("cut_value" if dimension == "served_model" else dimension,)
    tables = [
        of_cut(part, dimension) if dimension == "served_model" else unsplit(part) for part in (candidate, baseline)
    ]
    tables = [part.filter(pc.invert(_declared(part, policy.measures))) for part in tables]
    mine, other = (pooled(part, (*keys, *MEASURE_KEYS)) for part in tables)
    for key in sorted(mine.keys() & other.keys()):
        value = key[0] if keys else "all"
        if not policy.models or value in policy.models:
            yield from _row("watch", (dimension, value, value), key[-4:], (mine[key], other[key]), policy)


def _declared(table: pa.Table, measures: Sequence[str]) -> pa.ChunkedArray:
    return pc.is_in(table["measure"].cast(pa.string()), pa.array(measures, pa.string()))


def _slices(candidate: pa.Table, baseline: pa.Table, policy: Policy) -> Iterable[Row]:
    mine, other = (of_measures(part, policy.measures) for part in (candidate, baseline))
    for dimension in (*_DIMENSIONS, *CUTS):
        column = "cut_value" if dimension in CUTS else dimension
        parts = [of_cut(part, dimension) if dimension in CUTS else unsplit(part) for part in (mine, other)]
        sides, others = (pooled(part, (column, *MEASURE_KEYS)) for part in parts)
        if len({key[0] for key in (*sides, *others)}) < 2:
            continue
        whole = pooled(parts[1], MEASURE_KEYS)
        known = {key[0] for key in others}
        for key, side in sides.items():
            same = key[0] in known
            against = others.get(key, NOTHING) if same else whole.get(key[1:], NOTHING)
            yield from _row("slice", (dimension, key[0], key[0] if same else "all"), key[1:], (side, against), policy)


def _row(
    scope: str, names: tuple[str, str, str], measure: tuple[str, ...], sides: Sides, policy: Policy
) -> Iterable[Row]:
    if not sides[0].turns and not sides[1].turns:
        return
    comparison = compare(sides[0], sides[1], margin=policy.ratio_margin, alpha=policy.alpha)
    keys = {"scope": scope, "dimension": names[0], "model": names[1], "against": names[2]}
    keys |= dict(zip(MEASURE_KEYS, measure, strict=True))
    yield row_of(keys, sides, comparison, bar=policy.ratio_margin)

"""One comparison on first leaks by position: ratio of rates with bounds, p-values and e-values."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pipelines.gate.sides import Side
from pipelines.intervals import (
    expected_share,
    log_e_above,
    log_e_below,
    p_greater,
    p_less,
    ratio_at_share,
    share_at_ratio,
    share_bounds,
    upper_bound,
)


@dataclass(frozen=True)
class Comparison:
    """Candidate against baseline; NaN where there is no leak, or an arm without conversations.

    `p_worse` tests "the rate did not rise", `p_not_inferior` tests "the rate is at least the margin times the baseline's".
    """

    leaks: int
    """First leaks of both sides."""
    expected: float
    """The candidate's share of them when nothing changed."""
    ratio: float
    low: float
    high: float
    """One-sided bounds of the ratio, each at 1 − alpha."""
    p_worse: float
    p_not_inferior: float
    rise: float
    """Leaking conversations per candidate conversation beyond those expected at the baseline's rate."""
    bound: float
    bound_baseline: float
    """One-sided upper bounds of the share of leaking conversations."""

    @property
    def defined(self) -> bool:
        return not math.isnan(self.ratio)


def compare(candidate: Side, baseline: Side, *, margin: float, alpha: float, positions: int = 5) -> Comparison:
    """Compare two sides on the first leaks of their first `positions` positions, conditional on the number of leaks."""
    risk, risk_baseline = candidate.at_risk[:positions], baseline.at_risk[:positions]
    leaks, leaks_baseline = candidate.first_leaks[:positions], baseline.first_leaks[:positions]
    events, total = leaks.sum(), (leaks + leaks_baseline).sum()
    expected = expected_share(risk, risk_baseline, leaks + leaks_baseline)
    bounds = [float(upper_bound(side.first_leaks[:positions].sum(), side.at_risk[0])) for side in (candidate, baseline)]
    undefined = not 0 < expected < 1
    if undefined:
        nan = float("nan")
        return Comparison(int(total), expected, nan, nan, nan, nan, nan, nan, bounds[0], bounds[1])
    low, high = share_bounds(events, total, alpha)
    ratio = float(ratio_at_share(events / total, expected))
    explained = events / ratio if 0 < ratio < math.inf else 0.0
    return Comparison(
        leaks=int(total),
        expected=expected,
        ratio=ratio,
        low=float(ratio_at_share(low, expected)),
        high=float(ratio_at_share(high, expected)),
        p_worse=float(p_greater(events, total, expected)),
        p_not_inferior=float(p_less(events, total, share_at_ratio(expected, margin))),
        rise=float((events - explained) / risk[0]) if ratio > 0 else float(-expected * total / risk[0]),
        bound=bounds[0],
        bound_baseline=bounds[1],
    )


def sequential(looks: Sequence[tuple[Side, Side]], *, margin: float) -> tuple[float, float]:
    """p-values that stay valid however often one looks: "the rate rose" over all looks, "not inferior" at the last one.

    `looks` are candidate and baseline as they had grown by each day. A p-value is 1 / e, at most 1; NaN where it is undefined.
    """
    worse = not_inferior = float("nan")
    for candidate, baseline in looks:
        leaks = candidate.first_leaks + baseline.first_leaks
        expected = expected_share(candidate.at_risk, baseline.at_risk, leaks)
        if not 0 < expected < 1:
            continue
        events, total = candidate.first_leaks.sum(), leaks.sum()
        above = float(log_e_above(events, total, expected))
        below = float(log_e_below(events, total, share_at_ratio(expected, margin)))
        worse = float(np.nanmin([worse, math.exp(min(0.0, -above))]))
        not_inferior = math.exp(min(0.0, -below))
    return worse, not_inferior

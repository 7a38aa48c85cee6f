"""Intervals and tests for tiny, clustered rates; every function works on whole arrays of rows.

Formulas: Clopper and Pearson 1934; Kish's design effect; Korn and Graubard 1998 for the degrees of freedom, here limited by the
number of leaking conversations; the conditional test of Przyborowski and Wilenski 1940; a mixture e-process over a truncated
uniform prior (Lindon and Malek 2022). scipy is imported inside, so that reading logs does not pay for it.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Numbers = npt.ArrayLike

ALPHA = 0.05
ASSUMED_CORRELATION = 0.2
"""Within a conversation, where too few conversations leaked to estimate it."""
FEWEST_EFFECTIVE_CONVERSATIONS = 5
"""Of (Σm)² / Σm², which is the number of conversations when all have the same turns, and less otherwise."""
FEWEST_LEAKING_CONVERSATIONS = 3


@dataclass(frozen=True)
class RateIntervals:
    """Rates of clustered turns; NaN where there is none."""

    rate: Floats
    low: Floats
    high: Floats
    design_effect: Floats
    few_conversations: Bools
    """Too few conversations for any interval."""
    few_leaking: Bools
    """Too few leaking conversations: `high` is a one-sided bound, `low` is NaN."""


@dataclass(frozen=True)
class ClusterSums:
    """Sums over conversations with y leaks in m turns: Σm, Σy, their number, those with y > 0, Σy², Σym, Σm², Σy(y−1)/(m−1)."""

    turns: Floats
    leaks: Floats
    clusters: Floats
    leaked_clusters: Floats
    leaks_squared: Floats
    leaks_turns: Floats
    turns_squared: Floats
    pairs: Floats


def rate_intervals(sums: ClusterSums) -> RateIntervals:
    """Two-sided 95 % intervals of leaks per turn that allow for conversations of any size and for leaks that come in bursts.

    The design effect is the larger of the linearised one and that of the intra-cluster correlation at the known sizes, so that
    a long conversation that has not leaked yet counts; the degrees of freedom are at most the number of leaking conversations.
    Simulated coverage is at least 0.93 (2026-11); it is lower where the rate rises with a conversation's length.
    """
    from scipy.special import betaincinv, ndtri, stdtrit

    n, k = sums.turns, sums.leaks
    with np.errstate(divide="ignore", invalid="ignore"):
        rate, effective = k / n, n * n / sums.turns_squared
        few_conversations = (effective < FEWEST_EFFECTIVE_CONVERSATIONS) & (n > 0)
        few_leaking = (sums.leaked_clusters < FEWEST_LEAKING_CONVERSATIONS) & (n > 0) & ~few_conversations
        judged = (n > 0) & ~few_conversations
        effect = _design_effect(sums, rate, few_leaking)
        freedom = np.where(few_leaking, effective - 1, np.minimum(effective - 1, sums.leaked_clusters))
        freedom = np.where(judged, freedom, 1.0)
        size = n / effect * (ndtri(1 - ALPHA / 2) / stdtrit(freedom, 1 - ALPHA / 2)) ** 2
        leaks = rate * size
        tail = np.where(few_leaking, ALPHA, ALPHA / 2)
        upper = judged & (leaks < size)
        high = np.where(judged, 1.0, np.nan)
        high[upper] = _upper(leaks[upper], (size - leaks)[upper], tail[upper])
        low = np.full(len(n), np.nan)
        both = judged & ~few_leaking
        low[both] = betaincinv(leaks[both], (size - leaks)[both] + 1, ALPHA / 2)
    return RateIntervals(rate, low, high, np.where(judged, effect, np.nan), few_conversations, few_leaking)


def _design_effect(sums: ClusterSums, rate: Floats, few_leaking: Bools) -> Floats:
    n, spread = sums.turns, rate * (1 - rate)
    residual = sums.leaks_squared - 2 * rate * sums.leaks_turns + rate**2 * sums.turns_squared
    variance = sums.clusters / (sums.clusters - 1) * np.maximum(residual, 0) / n**2
    inside = (rate > 0) & (rate < 1)
    correlation = np.where(inside, np.clip((sums.pairs / n - rate**2) / spread, 0, 1), 0.0)
    correlation = np.where(sums.leaks == n, ASSUMED_CORRELATION, correlation)
    correlation = np.where(few_leaking, np.maximum(correlation, ASSUMED_CORRELATION), correlation)
    linear = np.where(inside, variance * n / spread, 0.0)
    return np.maximum(1.0, np.maximum(linear, 1 + correlation * (sums.turns_squared / n - 1)))


def exact_interval(events: Numbers, trials: Numbers, alpha: float = ALPHA) -> tuple[Floats, Floats]:
    """Clopper-Pearson bounds, two-sided at 1 − alpha; NaN without trials."""
    from scipy.special import betaincinv

    k, n = np.broadcast_arrays(np.asarray(events, np.float64), np.asarray(trials, np.float64))
    low, high = np.where(n > 0, 0.0, np.nan), np.where(n > 0, 1.0, np.nan)
    some, rest = (n > 0) & (k > 0), (n > 0) & (k < n)
    low[some] = betaincinv(k[some], n[some] - k[some] + 1, alpha / 2)
    high[rest] = _upper(k[rest], n[rest] - k[rest], np.full(int(rest.sum()), alpha / 2))
    return low, high


def _upper(events: Floats, rest: Floats, tail: Floats) -> Floats:
    """The rate at which so few events have probability `tail`; in closed form for none, which most rows are."""
    from scipy.special import betaincinv

    bound = -np.expm1(np.log(tail) / rest)
    some = events > 0
    bound[some] = betaincinv(events[some] + 1, rest[some], 1 - tail[some])
    return np.asarray(bound)


def upper_bound(events: Numbers, trials: Numbers, alpha: float = ALPHA) -> Floats:
    """One-sided Clopper-Pearson bound: 0 events in 1,000 leave at most 0.3 %; NaN without trials."""
    return exact_interval(events, trials, 2 * alpha)[1]


def share_bounds(events: Numbers, total: Numbers, alpha: float) -> tuple[Floats, Floats]:
    """One-sided lower and upper Clopper-Pearson bounds, each at 1 − alpha."""
    return exact_interval(events, total, 2 * alpha)


def expected_share(at_risk: Floats, at_risk_baseline: Floats, first_leaks: Floats) -> float:
    """Expected share of the candidate among first leaks when nothing changed, from numbers at risk by position.

    `first_leaks` are those of both sides. NaN where it is undefined: no leak, or no position at which both are at risk.
    """
    both = at_risk + at_risk_baseline
    weight = first_leaks.sum()
    if not weight:
        return float("nan")
    return float((first_leaks * np.divide(at_risk, both, out=np.zeros_like(both), where=both > 0)).sum() / weight)


def share_at_ratio(share: Numbers, ratio: float) -> Floats:
    """The candidate's expected share when its rate is `ratio` times the baseline's, from its share at equal rates."""
    theta = np.asarray(share, np.float64)
    return np.asarray(ratio * theta / (1 - theta + ratio * theta))


def ratio_at_share(share: Numbers, expected: Numbers) -> Floats:
    """The inverse: the ratio of rates at which the candidate's expected share is `share`; infinite at 1."""
    observed, theta = np.asarray(share, np.float64), np.asarray(expected, np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(observed / (1 - observed) * (1 - theta) / theta)


def p_greater(events: Numbers, total: Numbers, share: Numbers) -> Floats:
    """Exact binomial p-value of "the candidate's share is above `share`": P(X ≥ events)."""
    from scipy.special import betainc

    k, n, theta = (np.asarray(value, np.float64) for value in (events, total, share))
    return np.asarray(np.where(k > 0, betainc(np.maximum(k, 1), n - k + 1, theta), 1.0), np.float64)


def p_less(events: Numbers, total: Numbers, share: Numbers) -> Floats:
    """Exact binomial p-value of "the candidate's share is below `share`": P(X ≤ events)."""
    from scipy.special import betaincc

    k, n, theta = (np.asarray(value, np.float64) for value in (events, total, share))
    return np.asarray(np.where(k < n, betaincc(k + 1, np.maximum(n - k, 1), theta), 1.0), np.float64)


def log_e_above(events: Numbers, total: Numbers, share: Numbers) -> Floats:
    """Log e-value of "the candidate's share is above `share`", mixed uniformly over shares from `share` to 1.

    `events` of `total` first leaks are the candidate's. Alarm at log(1/alpha): valid at any time and any number of looks.
    """
    from scipy.special import betaincc, betaln, xlog1py, xlogy

    k, total_events, theta = (np.asarray(value, np.float64) for value in (events, total, share))
    rest = total_events - k
    tail = np.maximum(betaincc(k + 1, rest + 1, theta), 1e-300)
    value = np.log(tail) + betaln(k + 1, rest + 1) - np.log1p(-theta) - xlogy(k, theta) - xlog1py(rest, -theta)
    return np.asarray(value)


def log_e_below(events: Numbers, total: Numbers, share: Numbers) -> Floats:
    """Log e-value of "the candidate's share is below `share`": the same from the baseline's side."""
    total_events = np.asarray(total, np.float64)
    return log_e_above(total_events - np.asarray(events), total_events, 1 - np.asarray(share))

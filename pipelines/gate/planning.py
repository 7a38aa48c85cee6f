"""How many first leaks a decision needs, and so how many conversations."""

import numpy as np

from pipelines.intervals import Floats

MOST_EVENTS = 1e6


def events_needed(share: float, bar: float, *, alpha: float = 0.05, power: float = 0.8) -> float:
    """Expected first leaks of both sides after which an exact one-sided test decides with probability `power`.

    `share` is the candidate's true share of first leaks, `bar` the share that the test has to exclude: above `share` for
    "not worse than the margin", below it for "worse". The number of leaks is itself random (Poisson), which costs about 3 % more
    than a fixed number. Infinite beyond MOST_EVENTS.
    """
    high = 1.0
    while _power(high, share, bar, alpha) < power:
        high *= 2
        if high > MOST_EVENTS:
            return float("inf")
    low = high / 2
    while high - low > max(0.5, high / 1000):
        middle = (low + high) / 2
        low, high = (low, middle) if _power(middle, share, bar, alpha) >= power else (middle, high)
    return high


def _power(expected: float, share: float, bar: float, alpha: float) -> float:
    from scipy import stats

    spread = 8 * expected**0.5
    totals: Floats = np.arange(max(1, np.floor(expected - spread)), np.ceil(expected + spread) + 2)
    if share < bar:
        most = np.asarray(stats.binom.ppf(alpha, totals, bar))
        most -= stats.binom.cdf(most, totals, bar) > alpha
        reached = np.where(most >= 0, stats.binom.cdf(most, totals, share), 0.0)
    else:
        least = np.asarray(stats.binom.isf(alpha, totals, bar)) + 1
        reached = np.asarray(stats.binom.sf(least - 1, totals, share))
    return float((stats.poisson.pmf(totals, expected) * reached).sum())

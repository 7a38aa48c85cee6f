"""Intervals and tests equal scipy, statsmodels and numbers worked out by hand."""

import math

import numpy as np
import pytest
from scipy import integrate, stats
from statsmodels.stats.proportion import proportion_confint

from pipelines.intervals import (
    ClusterSums,
    exact_interval,
    expected_share,
    log_e_above,
    log_e_below,
    p_greater,
    p_less,
    rate_intervals,
    ratio_at_share,
    share_at_ratio,
    upper_bound,
)

COUNTS = [(0, 1), (1, 1), (0, 1000), (3, 40), (40, 40), (17, 20_000), (1, 1_000_000)]


def sums_of(conversations: list[tuple[int, int]]) -> ClusterSums:
    """Sums of (leaks, turns) per conversation, one row."""
    y, m = np.array(conversations, np.float64).reshape(-1, 2).T
    pairs = sum(leaks * (leaks - 1) / (turns - 1) for leaks, turns in conversations if turns > 1)
    parts = [m.sum(), y.sum(), len(m), (y > 0).sum(), (y * y).sum(), (y * m).sum(), (m * m).sum(), pairs]
    return ClusterSums(*(np.array([part], np.float64) for part in parts))


def one_interval(conversations: list[tuple[int, int]]) -> tuple[float, float | None, float, float]:
    """Rate, low, high and design effect of one row, step by step with scipy.stats."""
    n, k = sum(m for _, m in conversations), sum(y for y, _ in conversations)
    p, clusters, leaked = k / n, len(conversations), sum(y > 0 for y, _ in conversations)
    squares = sum(m * m for _, m in conversations)
    effective = n * n / squares
    linear, correlation = 0.0, 0.2 if k == n else 0.0
    if 0 < k < n:
        residuals = sum((y - p * m) ** 2 for y, m in conversations)
        linear = clusters / (clusters - 1) * residuals / n / (p * (1 - p))
        together = sum(y * (y - 1) / (m - 1) for y, m in conversations if m > 1) / n
        correlation = min(1.0, max(0.0, (together - p * p) / (p * (1 - p))))
    few = leaked < 3
    effect = max(1.0, linear, 1 + (max(correlation, 0.2) if few else correlation) * (squares / n - 1))
    freedom = effective - 1 if few else min(effective - 1, leaked)
    size = n / effect * (stats.norm.ppf(0.975) / stats.t.ppf(0.975, freedom)) ** 2
    if few:
        return p, None, stats.beta.ppf(0.95, p * size + 1, size - p * size), effect
    high = stats.beta.ppf(0.975, p * size + 1, size - p * size) if k < n else 1.0
    return p, stats.beta.ppf(0.025, p * size, size - p * size + 1), high, effect


def test_clustered_intervals_equal_the_same_steps_with_scipy_stats() -> None:
    draw = np.random.default_rng(8)
    for _ in range(60):
        sizes = 1 + draw.poisson(draw.choice([0.3, 4, 60]), draw.integers(6, 200))
        leaks = draw.binomial(sizes, draw.beta(0.05, draw.choice([0.05, 2, 40]), len(sizes)))
        conversations = list(zip(leaks.tolist(), sizes.tolist(), strict=True))
        found = rate_intervals(sums_of(conversations))
        if found.few_conversations[0]:
            continue
        rate, low, high, effect = one_interval(conversations)
        assert found.rate[0] == pytest.approx(rate, rel=1e-9)
        assert found.high[0] == pytest.approx(high, rel=1e-9)
        assert found.design_effect[0] == pytest.approx(effect, rel=1e-9)
        assert math.isnan(found.low[0]) if low is None else found.low[0] == pytest.approx(low, rel=1e-9)


def test_every_turn_leaks() -> None:
    found = rate_intervals(sums_of([(2, 2)] * 50))
    rate, low, _, _ = one_interval([(2, 2)] * 50)
    assert (found.rate[0], found.high[0]) == (rate, 1.0) == (1.0, 1.0)
    assert found.low[0] == pytest.approx(low, rel=1e-9)


@pytest.mark.parametrize(
    ("conversations", "few_conversations", "few_leaking"),
    [
        ([(1, 10)] * 4, True, False),
        ([(1, 10)] * 5, False, False),
        ([(5, 1200), *[(0, 2)] * 300], True, False),
        ([(0, 10)] * 100, False, True),
        ([(9, 10), (9, 10), *[(0, 10)] * 98], False, True),
        ([(1, 10)] * 3 + [(0, 10)] * 97, False, False),
    ],
    ids=["four", "five", "one so long that the rest hardly counts", "no leak", "two leak", "three leak"],
)
def test_refusals(conversations: list[tuple[int, int]], few_conversations: bool, few_leaking: bool) -> None:
    found = rate_intervals(sums_of(conversations))
    assert (found.few_conversations[0], found.few_leaking[0]) == (few_conversations, few_leaking)
    assert math.isnan(found.high[0]) == few_conversations
    assert math.isnan(found.low[0]) == (few_conversations or few_leaking)


def test_no_turns_give_no_rate() -> None:
    found = rate_intervals(sums_of([]))
    assert all(math.isnan(values[0]) for values in (found.rate, found.low, found.high, found.design_effect))
    assert not found.few_conversations[0]
    assert not found.few_leaking[0]


@pytest.mark.parametrize(("events", "trials"), COUNTS)
def test_exact_interval_equals_scipy_and_statsmodels(events: int, trials: int) -> None:
    low, high = exact_interval(events, trials)
    known = stats.binomtest(events, trials).proportion_ci(0.95, "exact")
    assert (float(low), float(high)) == pytest.approx((known.low, known.high), rel=1e-9, abs=1e-12)
    assert (float(low), float(high)) == pytest.approx(proportion_confint(events, trials, 0.05, "beta"), rel=1e-9)


def test_zero_events_are_an_upper_bound() -> None:
    """0 of 1,000: 1 − 0.05^(1/1000) = 0.0029912 one-sided, 1 − 0.025^(1/1000) = 0.0036821 two-sided."""
    assert float(upper_bound(0, 1000)) == pytest.approx(0.0029912, abs=5e-8)
    assert float(exact_interval(0, 1000)[1]) == pytest.approx(0.0036821, abs=5e-8)
    assert float(upper_bound(0, 10_000)) < 0.0003
    assert math.isnan(float(upper_bound(0, 0)))


@pytest.mark.parametrize("share", [0.001, 0.3, 0.5, 0.97])
@pytest.mark.parametrize(("events", "total"), [(0, 1), (1, 1), (0, 60), (7, 60), (60, 60), (400, 1000)])
def test_p_values_equal_the_exact_binomial_test(events: int, total: int, share: float) -> None:
    assert float(p_greater(events, total, share)) == pytest.approx(
        stats.binomtest(events, total, share, "greater").pvalue, rel=1e-9
    )
    assert float(p_less(events, total, share)) == pytest.approx(
        stats.binomtest(events, total, share, "less").pvalue, rel=1e-9
    )


@pytest.mark.parametrize("share", [0.1, 0.5, 0.8])
@pytest.mark.parametrize(("events", "total"), [(0, 0), (0, 9), (3, 9), (9, 9), (40, 60)])
def test_e_value_is_the_mean_likelihood_ratio_over_shares_above(events: int, total: int, share: float) -> None:
    def ratio(theta: float) -> float:
        return float(stats.binom.pmf(events, total, theta) / stats.binom.pmf(events, total, share))

    mean = integrate.quad(ratio, share, 1, epsabs=0, epsrel=1e-11, limit=200)[0] / (1 - share)
    assert math.exp(float(log_e_above(events, total, share))) == pytest.approx(mean, rel=1e-9)
    below = integrate.quad(ratio, 0, share, epsabs=0, epsrel=1e-11, limit=200)[0] / share
    assert math.exp(float(log_e_below(events, total, share))) == pytest.approx(below, rel=1e-9)


def test_e_value_under_no_change_is_one_on_average() -> None:
    for share in (0.2, 0.5):
        events = np.arange(41)
        mean = (np.exp(log_e_above(events, 40, share)) * stats.binom.pmf(events, 40, share)).sum()
        assert mean == pytest.approx(1, rel=1e-9)


def test_expected_share_by_hand() -> None:
    """Two positions, 100 and 50 at risk against 300 and 50; 4 and 2 leaks: (4·100/400 + 2·50/100) / 6 = 1/3."""
    assert expected_share(np.array([100.0, 50]), np.array([300.0, 50]), np.array([4.0, 2])) == pytest.approx(1 / 3)
    assert math.isnan(expected_share(np.array([100.0]), np.array([300.0]), np.array([0.0])))


def test_share_and_ratio_are_inverse() -> None:
    assert float(share_at_ratio(0.5, 2)) == pytest.approx(2 / 3)
    assert float(share_at_ratio(0.2, 3)) == pytest.approx(3 / 7)
    assert float(ratio_at_share(share_at_ratio(0.2, 3), 0.2)) == pytest.approx(3)
    assert float(ratio_at_share(1.0, 0.2)) == math.inf

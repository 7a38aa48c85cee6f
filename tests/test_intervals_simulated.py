"""Simulated coverage: both published intervals hold what they promise where naive ones do not."""

from dataclasses import dataclass

import numpy as np
import pytest
from scipy.special import betaln

from pipelines.intervals import ClusterSums, exact_interval, rate_intervals, upper_bound

REPETITIONS = 1500
ENOUGH = 0.93


@dataclass(frozen=True)
class Setting:
    """Conversations with beta-distributed rates: mean rate, number, correlation within a conversation, sizes with chances."""

    rate: float
    conversations: int
    correlation: float
    sizes: tuple[int, ...]
    chances: tuple[float, ...]


def one_in_twenty_tenfold(rate: float, conversations: int, mean: int, correlation: float) -> Setting:
    small = max(1, round(mean / 1.45))
    return Setting(rate, conversations, correlation, (small, 10 * small), (0.95, 0.05))


SETTINGS = {
    "1e-3, 2000 of 10, .02": one_in_twenty_tenfold(1e-3, 2000, 10, 0.02),
    "1e-3, 2000 of 10, .20": one_in_twenty_tenfold(1e-3, 2000, 10, 0.20),
    "1e-3, 300 of 70, .05": one_in_twenty_tenfold(1e-3, 300, 70, 0.05),
    "1e-2, 60 of 350, .02": one_in_twenty_tenfold(1e-2, 60, 350, 0.02),
    "1e-3, 60 of 350, .02": one_in_twenty_tenfold(1e-3, 60, 350, 0.02),
    "single turns": Setting(2e-3, 2000, 0.05, (1,), (1.0,)),
    "short chats": Setting(5e-3, 500, 0.3, (1, 2, 3, 5), (0.4, 0.3, 0.2, 0.1)),
    "one in a hundred goes on for two hundred turns": Setting(2e-3, 1500, 0.1, (2, 200), (0.99, 0.01)),
    "frequent and bursty": Setting(0.1, 100, 0.5, (4, 12, 40), (0.5, 0.4, 0.1)),
    "most turns leak": Setting(0.6, 80, 0.1, (3, 9), (0.5, 0.5)),
}


def draw(setting: Setting, seed: int) -> tuple[ClusterSums, np.ndarray, np.ndarray]:
    """Sums of REPETITIONS runs, and conversations that leaked in each, of how many."""
    random = np.random.default_rng(seed)
    shape = (REPETITIONS, setting.conversations)
    sizes = random.choice(setting.sizes, shape, p=setting.chances)
    spread = (1 - setting.correlation) / setting.correlation
    leaks = random.binomial(sizes, random.beta(setting.rate * spread, (1 - setting.rate) * spread, shape))
    y, m = leaks.astype(np.float64), sizes.astype(np.float64)
    pairs = np.where(m > 1, y * (y - 1) / np.maximum(m - 1, 1), 0)
    leaked = (y > 0).sum(axis=1).astype(np.float64)
    number = np.full(REPETITIONS, float(setting.conversations))
    sums = ClusterSums(m.sum(1), y.sum(1), number, leaked, (y * y).sum(1), (y * m).sum(1), (m * m).sum(1), pairs.sum(1))
    return sums, leaked, number


def share_of_conversations(setting: Setting) -> float:
    """The true chance that a conversation leaks: one minus the mean of (1 − p)^m over rates and sizes."""
    spread = (1 - setting.correlation) / setting.correlation
    a, b = setting.rate * spread, (1 - setting.rate) * spread
    quiet = np.exp(betaln(a, b + np.array(setting.sizes)) - betaln(a, b))
    return float(1 - (np.array(setting.chances) * quiet).sum())


@pytest.mark.slow
@pytest.mark.parametrize("name", SETTINGS)
def test_coverage(name: str) -> None:
    setting = SETTINGS[name]
    sums, leaked, number = draw(setting, seed=list(SETTINGS).index(name))
    found = rate_intervals(sums)
    low = np.where(np.isnan(found.low), 0.0, found.low)
    judged = ~found.few_conversations
    assert judged.mean() > 0.99
    per_turn = ((low <= setting.rate) & (setting.rate <= found.high))[judged].mean()
    bounds, truth = exact_interval(leaked, number), share_of_conversations(setting)
    per_conversation = ((bounds[0] <= truth) & (truth <= bounds[1])).mean()
    assert per_turn >= ENOUGH, per_turn
    assert per_conversation >= ENOUGH, per_conversation


def test_the_simulation_can_tell_a_naive_interval() -> None:
    """The exact interval on turns, as if they were independent, misses far more often than one time in twenty."""
    setting = SETTINGS["1e-3, 300 of 70, .05"]
    sums, _, _ = draw(setting, seed=1)
    low, high = exact_interval(sums.leaks, sums.turns)
    assert ((low <= setting.rate) & (setting.rate <= high)).mean() < 0.7


def test_bound_without_events_holds() -> None:
    """A rate at which 0 of 1,000 has a chance of 5 % is exactly at the bound."""
    assert (1 - float(upper_bound(0, 1000))) ** 1000 == pytest.approx(0.05)

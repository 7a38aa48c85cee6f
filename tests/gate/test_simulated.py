"""Simulated comparisons: no false verdict when only lengths or windows differ, few false alarms in many looks, enough power."""

from dataclasses import dataclass, replace
from itertools import accumulate

import numpy as np
import pytest

from pipelines.gate.compare import compare, sequential
from pipelines.gate.sides import Side
from pipelines.intervals import p_less

REPETITIONS = 1000
LOOKS = 14


@dataclass(frozen=True)
class Traffic:
    """One side's conversations: how many, how long they tend to be, when they begin and when the window closes."""

    conversations: int = 1500
    stay: float = 0.8
    """Chance that a conversation goes on after a turn."""
    chance: float = 0.004
    frailty: float = 0.0
    """Shape of a gamma factor on each conversation's chance, mean 1; 0: all alike."""
    trend: float = 1.0
    """Factor on the chance with each further turn."""
    window: tuple[float, float] = (0.0, 100.0)
    """Turns are a unit of time apart; a fifth of the conversations begin before the window and are not followed."""


def side(traffic: Traffic, random: np.random.Generator) -> Side:
    """At risk and first leaks of the conversations whose first turn lies in the window."""
    return days(traffic, random, 1)[0]


def days(traffic: Traffic, random: np.random.Generator, number: int) -> list[Side]:
    """The same of several days, one by one."""
    shape = (number, traffic.conversations)
    opens, closes = traffic.window
    start = random.uniform(opens - (closes - opens) / 4, closes, shape)
    alive = start >= opens
    length = random.geometric(1 - traffic.stay, shape)
    factor = random.gamma(traffic.frailty, 1 / traffic.frailty, shape) if traffic.frailty else np.ones(shape)
    at_risk, first_leaks = np.zeros((number, 5)), np.zeros((number, 5))
    for place in range(5):
        alive &= (length > place) & (start + place < closes)
        leaks = alive & (random.random(shape) < traffic.chance * traffic.trend**place * factor)
        at_risk[:, place], first_leaks[:, place] = alive.sum(axis=1), leaks.sum(axis=1)
        alive &= ~leaks
    return [
        Side(int(risk.sum()), int(leaks.sum()), int(risk[0]), 0, risk, leaks)
        for risk, leaks in zip(at_risk, first_leaks, strict=True)
    ]


def false_verdicts(candidate: Traffic, baseline: Traffic, seed: int) -> tuple[float, float]:
    """Shares of runs that call the candidate worse and better, at 5 % a side."""
    random = np.random.default_rng(seed)
    worse = better = 0
    for _ in range(REPETITIONS):
        sides = side(candidate, random), side(baseline, random)
        found = compare(*sides, margin=2, alpha=0.05)
        if not found.defined:
            continue
        worse += found.p_worse <= 0.05
        better += float(p_less(sides[0].first_leaks.sum(), found.leaks, found.expected)) <= 0.05
    return worse / REPETITIONS, better / REPETITIONS


BASE = Traffic(conversations=6000)
UNCHANGED = {
    "half as long": replace(BASE, stay=0.6),
    "single turns": replace(BASE, stay=1e-9),
    "a short window": replace(BASE, window=(90.0, 100.0)),
    "a window cut after the first turns": replace(BASE, window=(60.0, 62.5)),
    "rising chance": replace(BASE, stay=0.6, trend=1.5),
    "falling chance": replace(BASE, stay=0.6, trend=0.6),
    "conversations differ a little": replace(BASE, stay=0.6, frailty=5.0),
    "a tenth of the traffic": replace(BASE, conversations=600, chance=0.01),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", UNCHANGED)
def test_no_false_verdict_when_nothing_changed(name: str) -> None:
    candidate = UNCHANGED[name]
    baseline = replace(BASE, trend=candidate.trend, chance=candidate.chance, frailty=candidate.frailty)
    worse, better = false_verdicts(candidate, baseline, seed=list(UNCHANGED).index(name))
    assert worse <= 0.07, worse
    assert better <= 0.07, better


@pytest.mark.slow
def test_shares_of_conversations_would_call_shorter_ones_better() -> None:
    """The simulation can tell: compared by whole conversations the same traffic looks better in most runs."""
    random = np.random.default_rng(5)
    better = 0
    for _ in range(200):
        mine, other = side(replace(BASE, stay=0.3), random), side(replace(BASE, stay=0.9), random)
        total = mine.first_leaks.sum() + other.first_leaks.sum()
        share = mine.followed / (mine.followed + other.followed)
        better += float(p_less(mine.first_leaks.sum(), total, share)) <= 0.05
    assert better / 200 > 0.8


def looks(candidate: Traffic, baseline: Traffic, random: np.random.Generator) -> list[tuple[Side, Side]]:
    """Both sides as they grow over LOOKS days."""
    grown = [accumulate(days(traffic, random, LOOKS), plus) for traffic in (candidate, baseline)]
    return list(zip(*grown, strict=True))


def plus(one: Side, other: Side) -> Side:
    return Side(
        one.turns + other.turns,
        one.leaked_turns + other.leaked_turns,
        one.conversations + other.conversations,
        0,
        one.at_risk + other.at_risk,
        one.first_leaks + other.first_leaks,
    )


def alarms(candidate: Traffic, baseline: Traffic, seed: int, repetitions: int) -> float:
    random = np.random.default_rng(seed)
    pairs = (looks(candidate, baseline, random) for _ in range(repetitions))
    return sum(sequential(pair, margin=2)[0] <= 0.05 for pair in pairs) / repetitions


DAY = Traffic(conversations=360, chance=0.003)


@pytest.mark.slow
def test_false_alarms_over_fourteen_looks() -> None:
    alike, shorter = alarms(DAY, DAY, 1, 800), alarms(replace(DAY, stay=0.5), DAY, 2, 800)
    busy, frail = replace(DAY, chance=0.01), replace(DAY, frailty=0.3)
    fifth, differing = alarms(replace(busy, conversations=90), busy, 3, 800), alarms(frail, frail, 4, 800)
    found = (alike, shorter, fifth, differing)
    assert np.mean(found) <= 0.02, found
    assert max(found) <= 0.03, found


@pytest.mark.slow
def test_power_at_a_threefold_rise_with_seventy_expected_leaks() -> None:
    baseline = replace(DAY, stay=0.5, chance=0.00227)
    candidate = replace(baseline, chance=3 * baseline.chance)
    random = np.random.default_rng(2)
    leaks = np.mean([sum(side(one, random).leaked for one in (candidate, baseline)) * LOOKS for _ in range(400)])
    assert 66 < leaks < 74
    assert alarms(candidate, baseline, seed=15, repetitions=300) >= 0.9

"""Pass, fail or not enough data for one declared measure, with the reason in words and how much more is needed."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pipelines.gate.compare import Comparison
from pipelines.gate.planning import events_needed
from pipelines.gate.policy import Policy
from pipelines.gate.sides import Side
from pipelines.intervals import share_at_ratio

_POWER_OF_FIRST = 0.95
"""Position 1 decides alone when that costs a harmless candidate its pass in one case of twenty at most."""


@dataclass(frozen=True)
class Evidence:
    """What one verdict is decided on. The p-values are those of the policy's mode; `p_adjusted` is Holm's."""

    candidate: Side
    baseline: Side
    whole: Comparison
    first: Comparison
    """Position 1 alone."""
    p_adjusted: float
    p_not_inferior: float


@dataclass(frozen=True)
class Decision:
    """A verdict, and how many conversations more would let it pass; None where no number can be given."""

    verdict: str
    reason: str
    needed: int | None = None
    needed_baseline: int | None = None


def decide(evidence: Evidence, policy: Policy) -> Decision:
    """The decision on one measure and model."""
    if not evidence.candidate.turns and not evidence.baseline.turns:
        return Decision("not_applicable", "neither side has a turn in which it could happen")
    missing = _missing(evidence)
    if missing:
        return Decision("not_enough_data", missing)
    if evidence.p_adjusted <= policy.alpha and evidence.whole.rise > policy.floor:
        return Decision("fail", f"rose {_times(evidence.whole)}: {_counts(evidence)}")
    passed = _passed(evidence, policy)
    if passed:
        return Decision("pass", passed)
    return _undecided(evidence, policy)


def _missing(evidence: Evidence) -> str:
    """Why nothing can be compared, or ""."""
    for side, name in ((evidence.candidate, "candidate"), (evidence.baseline, "baseline")):
        if not side.turns:
            return f"the {name} has no turn in which it could happen"
        if not side.followed and side.conversations and side.guessed == side.conversations:
            return f"the {name}'s conversations are known by caller and hour only"
        if not side.followed:
            return f"no conversation of the {name} begins in the run"
    return ""


def _passed(evidence: Evidence, policy: Policy) -> str:
    """Why it passes, or ""."""
    whole, leaks = evidence.whole, evidence.whole.leaks
    p_not_inferior, basis, compared = evidence.p_not_inferior, "positions 1 to 5", whole
    if policy.mode == "fixed" and first_decides(evidence.first, policy):
        p_not_inferior, basis, compared = evidence.first.p_not_inferior, "position 1", evidence.first
    if p_not_inferior <= policy.alpha:
        return f"not worse than ×{policy.ratio_margin:g} ({basis}, at most ×{compared.high:.2f}): {_counts(evidence)}"
    if whole.bound < policy.floor:
        return f"at most {whole.bound * 1e4:.2f} in 10,000 conversations leak, below the floor: {_counts(evidence)}"
    if not leaks and whole.bound < policy.quiet_rate and whole.bound < policy.ratio_margin * whole.bound_baseline:
        return f"no leak on either side: {_counts(evidence)}"
    return ""


def first_decides(first: Comparison, policy: Policy) -> bool:
    """Whether position 1 alone has the events to decide, five at least: it is the one that conversations' own rates cannot bias."""
    return first.defined and first.leaks >= 5 and first.leaks >= _to_pass(first.expected, policy, _POWER_OF_FIRST)


def _to_pass(expected: float, policy: Policy, power: float) -> float:
    bar = float(share_at_ratio(expected, policy.ratio_margin))
    return events_needed(expected, bar, alpha=policy.alpha, power=power)


def _undecided(evidence: Evidence, policy: Policy) -> Decision:
    whole = evidence.whole
    ratio = f"the ratio may be {span(whole.low, whole.high)}" if whole.defined else "no ratio yet"
    ways = [way for way in _ways(evidence, policy) if math.isfinite(way[0])]
    if not ways:
        return Decision("not_enough_data", f"{_counts(evidence)}; {ratio}")
    needed, needed_baseline = (max(0, math.ceil(number - 1e-6)) for number in min(ways))
    needed = max(1, needed)
    reason = f"{_counts(evidence)}; {ratio}; about {needed:,} more conversations are needed"
    return Decision("not_enough_data", reason, needed, needed_baseline)


def _ways(evidence: Evidence, policy: Policy) -> Sequence[tuple[float, float]]:
    """Conversations that each way to a decision still needs on both sides, if rates and proportions stay as they are."""
    whole, size, size_baseline = evidence.whole, evidence.candidate.followed, evidence.baseline.followed
    ways = []
    if whole.defined:
        leaks = _to_pass(whole.expected, policy, policy.power)
        more = (leaks if whole.leaks < leaks else _beyond(whole, policy)) / whole.leaks - 1
        ways.append((more * size, more * size_baseline))
    if not evidence.candidate.leaked:
        ways.append((_quiet(policy.floor, policy.alpha) - size, 0.0))
    if not whole.leaks:
        enough = max(_quiet(policy.quiet_rate, policy.alpha), size_baseline / policy.ratio_margin + 1)
        ways.append((enough - size, 0.0))
    return ways


def _beyond(whole: Comparison, policy: Policy) -> float:
    """Leaks needed when there are as many as planned but the ratio lies between: reckoned for the ratio that was seen."""
    inside = whole.ratio < policy.ratio_margin
    share = float(share_at_ratio(whole.expected, whole.ratio)) if math.isfinite(whole.ratio) else 1.0
    bar = float(share_at_ratio(whole.expected, policy.ratio_margin)) if inside else whole.expected
    if abs(share - bar) < 1e-3:
        return math.inf
    return max(events_needed(share, bar, alpha=policy.alpha, power=policy.power), whole.leaks + 1.0)


def _quiet(rate: float, alpha: float) -> float:
    """Conversations without a leak after which the bound lies below `rate`."""
    return math.floor(math.log(alpha) / math.log1p(-rate)) + 1 if rate > 0 else math.inf


def span(low: float, high: float) -> str:
    """The bounds of a ratio in words."""
    if math.isinf(high):
        return f"anything above ×{low:.2f}"
    return f"anything from ×{low:.2f} to ×{high:.2f}"


def _times(comparison: Comparison) -> str:
    if math.isinf(comparison.ratio):
        return f"from none, at least ×{comparison.low:.2f}"
    return f"×{comparison.ratio:.2f}, at least ×{comparison.low:.2f}"


def _counts(evidence: Evidence) -> str:
    mine, other = evidence.candidate, evidence.baseline
    return (
        f"{mine.leaked:,} of {mine.followed:,} conversations leaked, "
        f"{other.leaked:,} of {other.followed:,} in the baseline"
    )


def holm(values: Sequence[float]) -> list[float]:
    """Holm's adjusted p-values (Holm 1979); NaN counts as 1."""
    raw = np.nan_to_num(np.asarray(values, np.float64), nan=1.0)
    order = np.argsort(raw, kind="stable")
    stepped = np.maximum.accumulate(raw[order] * np.arange(len(raw), 0, -1))
    adjusted = np.empty(len(raw))
    adjusted[order] = np.minimum(stepped, 1.0)
    return [float(value) for value in adjusted]


def benjamini_hochberg(values: Sequence[float]) -> list[float]:
    """Adjusted p-values that hold the false discovery rate (Benjamini, Hochberg 1995); NaN stays NaN and does not count."""
    raw = np.asarray(values, np.float64)
    adjusted = np.full(len(raw), np.nan)
    known = np.flatnonzero(~np.isnan(raw))
    order = known[np.argsort(raw[known], kind="stable")]
    stepped = raw[order] * len(order) / np.arange(1, len(order) + 1)
    adjusted[order] = np.minimum(np.minimum.accumulate(stepped[::-1])[::-1], 1.0)
    return [float(value) for value in adjusted]

"""How well a model finds each label: a report per label and slice, and whether one model is better than another.

Intervals are 95 %: Clopper-Pearson for shares, a seeded bootstrap over texts for figures that depend on a threshold chosen on the
same texts. Reports hold ids and numbers, never texts.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats
from sklearn.metrics import average_precision_score

from classifier.examples import Example
from classifier.runtime import LABELS, TIERS, Model, script_of

RATES = (0.001, 0.01)
SLICES = ("language", "source", "family")
REPEATS = 400
WORST = 5

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


class Share(NamedTuple):
    """A share with its 95 % interval; None where nothing was counted."""

    value: float | None
    low: float | None
    high: float | None
    total: int


class Report(NamedTuple):
    """One label in one slice."""

    label: str
    slice: str
    positives: int
    negatives: int
    precision: Share
    """At the shipped likely threshold."""
    recall: Share
    false_alarms: dict[str, Share]
    """Tier → share of the negatives at or above its shipped threshold."""
    average_precision: float | None
    recall_at: dict[float, Share]
    """False-alarm rate → recall at the threshold that this rate has on these texts."""
    calibration_error: float
    """Mean distance between probability and frequency over ten bins, weighted by their size."""
    worst: tuple[str, ...]
    """Ids of the most confident errors."""


class Verdict(NamedTuple):
    """Whether `challenger` beats `model` on a figure: the difference and its 95 % interval."""

    label: str
    difference: float
    low: float
    high: float
    better: bool


def score(model: Model, examples: Sequence[Example]) -> dict[str, Floats]:
    """Label → probability of every example."""
    rows = [model.scores(example.text, example.tools) for example in examples]
    return {label: np.array([row[label] for row in rows]) for label in LABELS}


def evaluate(model: Model, examples: Sequence[Example]) -> tuple[Report, ...]:
    """A report per label: over all examples, and for every language, source and model family."""
    scores = score(model, examples)
    scripts = [script_of(example.text) for example in examples]
    reports = []
    for label in LABELS:
        tiers = np.array(
            [model.tier(label, value, script) for value, script in zip(scores[label], scripts, strict=True)]
        )
        wanted = np.array([label in example.labels for example in examples])
        for name, inside in _slices(examples):
            ids = [example.id for example, held in zip(examples, inside, strict=True) if held]
            reports.append(
                _report(label, name, scores=scores[label][inside], wanted=wanted[inside], tiers=tiers[inside], ids=ids)
            )
    return tuple(reports)


def _slices(examples: Sequence[Example]) -> list[tuple[str, Bools]]:
    slices = [("all", np.ones(len(examples), dtype=bool))]
    for key in SLICES:
        values = [getattr(example, key) for example in examples]
        slices += [(f"{key}={value}", np.array([own == value for own in values])) for value in sorted(set(values))]
    return slices


def _report(
    label: str, name: str, *, scores: Floats, wanted: Bools, tiers: NDArray[np.object_], ids: Sequence[str]
) -> Report:
    shown = np.isin(tiers, TIERS[:2])
    order = np.argsort(-np.abs(wanted - scores), kind="stable")[:WORST]
    both = 0 < wanted.sum() < len(wanted)
    return Report(
        label=label,
        slice=name,
        positives=int(wanted.sum()),
        negatives=int((~wanted).sum()),
        precision=share(int((shown & wanted).sum()), int(shown.sum())),
        recall=share(int((shown & wanted).sum()), int(wanted.sum())),
        false_alarms={tier: share(int(_reached(tiers, tier)[~wanted].sum()), int((~wanted).sum())) for tier in TIERS},
        average_precision=round(float(average_precision_score(wanted, scores)), 4) if both else None,
        recall_at={rate: _recall_at(scores, wanted, rate) for rate in RATES} if both else {},
        calibration_error=_calibration_error(scores, wanted),
        worst=tuple(ids[place] for place in order if (scores[place] >= 0.5) != wanted[place]),
    )


def _reached(tiers: NDArray[np.object_], tier: str) -> Bools:
    return np.isin(tiers, TIERS[: TIERS.index(tier) + 1])


def share(hits: int, count: int) -> Share:
    """hits / count with the Clopper-Pearson interval (1934)."""
    if not count:
        return Share(None, None, None, 0)
    interval = stats.binomtest(hits, count).proportion_ci(0.95, "exact")
    return Share(hits / count, float(interval.low), float(interval.high), count)


def recall_at(scores: Floats, wanted: Bools, rate: float) -> float:
    """Recall at the lowest threshold that at most a share `rate` of the negatives exceeds."""
    negatives = np.sort(scores[~wanted])[::-1]
    threshold = negatives[min(int(rate * len(negatives)), len(negatives) - 1)]
    return float((scores[wanted] > threshold).mean())


def _recall_at(scores: Floats, wanted: Bools, rate: float) -> Share:
    rng = np.random.default_rng(7)
    places = [np.flatnonzero(wanted), np.flatnonzero(~wanted)]
    drawn = []
    for _ in range(REPEATS):
        rows = np.concatenate([rng.choice(place, len(place)) for place in places])
        drawn.append(recall_at(scores[rows], wanted[rows], rate))
    low, high = np.percentile(drawn, (2.5, 97.5))
    return Share(recall_at(scores, wanted, rate), float(low), float(high), int(wanted.sum()))


def _calibration_error(scores: Floats, wanted: Bools) -> float:
    bins = np.minimum((scores * 10).astype(int), 9)
    gaps = [abs(scores[bins == place].sum() - wanted[bins == place].sum()) for place in range(10)]
    return round(float(sum(gaps) / max(len(scores), 1)), 4)


def compare(model: Model, challenger: Model, examples: Sequence[Example]) -> tuple[Verdict, ...]:
    """Per label the gain in average precision; better only when the paired bootstrap interval lies above zero."""
    old, new = score(model, examples), score(challenger, examples)
    verdicts = []
    for label in LABELS:
        wanted = np.array([label in example.labels for example in examples])
        rng = np.random.default_rng(7)
        places = [np.flatnonzero(wanted), np.flatnonzero(~wanted)]
        gains = []
        for _ in range(REPEATS):
            rows = np.concatenate([rng.choice(place, len(place)) for place in places])
            gains.append(_gain(old[label][rows], new[label][rows], wanted[rows]))
        low, high = np.percentile(gains, (2.5, 97.5))
        verdicts.append(Verdict(label, _gain(old[label], new[label], wanted), float(low), float(high), bool(low > 0)))
    return tuple(verdicts)


def _gain(old: Floats, new: Floats, wanted: Bools) -> float:
    return float(average_precision_score(wanted, new) - average_precision_score(wanted, old))

"""A trained model, as plain numbers, from labelled examples; the same for the same examples and seed.

Per label a logistic regression over phrase and shape columns and hashed character n-grams. The n-gram weights are rounded to
8 bits *before* calibration, so probabilities and thresholds belong to the model that is shipped.

Thresholds are set on texts the model has not learned from, source by source: every source (a frame, a log, a repository) is
scored by a model trained without it, since texts of a known source look safer than those of the next one. The tail beyond the
last few texts is extended as an exponential, so 0.1 % can be named with some thousand negatives.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.linear_model import LogisticRegression

from classifier import features, phrases
from classifier.examples import Example, ExampleError, digest
from classifier.runtime import LABELS, TIERS, Extractor, script_of

GRAM_SCALE = 8.0
"""Weight of the n-gram block against the columns in training: larger values learn more wording, less stance."""
PENALTY = 0.03
"""C of the logistic regression; chosen with GRAM_SCALE on real outputs that were not trained on."""
RATES = {"possible": 0.01, "likely": 0.001, "certain": 0.00002}
"""Tier → false-alarm rate that its threshold names."""
FOLDS = 5
TAIL = 0.03
"""Share of the negatives from which the tail is extended."""
LEAST_PER_SCRIPT = 200
"""A script group with fewer negatives takes the stricter of its own and the common threshold."""
MINIMUM_LENGTH = 12

Floats = NDArray[np.float64]


class Trained(NamedTuple):
    """A model as numbers; `export.write` makes a folder of it."""

    languages: dict[str, Any]
    stances: dict[str, str]
    columns: dict[str, list[float]]
    """Column → its weight for each of LABELS."""
    bias: list[float]
    grams: NDArray[np.int8]
    """LABELS × BUCKETS"""
    gram_scale: float
    calibration: dict[str, list[float]]
    thresholds: dict[str, dict[str, dict[str, float]]]
    training: dict[str, Any]


class _Linear(NamedTuple):
    weights: Floats
    bias: float
    grams: Floats


def train(examples: Sequence[Example], *, seed: int = 1) -> Trained:
    """A model trained on the examples whose split is train; ExampleError when a label has too few of them."""
    rows = [example for example in examples if example.split == "train"]
    _enough(rows)
    extractor = Extractor(languages := phrases.load(), phrases.STANCES)
    seen = features.look(extractor, [row.text for row in rows], [row.tools for row in rows])
    known = features.names(seen)
    matrix = features.columns(seen, known)
    fitted = {label: _fit(matrix, seen.grams, _wanted(rows, label), seed) for label in LABELS}
    scale = max(np.abs(part.grams).max() for part in fitted.values()) / 127
    scripts = np.array([script_of(row.text) for row in rows])
    calibration, thresholds = {}, {}
    for label in LABELS:
        wanted = _wanted(rows, label)
        margins = _held_out(matrix, seen.grams, wanted, sources=[row.source for row in rows], seed=seed)
        calibration[label] = _calibrate(margins, wanted)
        slope, shift = calibration[label]
        thresholds[label] = _thresholds(margins[~wanted], scripts[~wanted], slope=slope, shift=shift)
    weights = np.round(np.column_stack([fitted[label].weights for label in LABELS]), 4)
    return Trained(
        languages=languages,
        stances=phrases.STANCES,
        columns={name: weights[place].tolist() for place, name in enumerate(known)},
        bias=[round(float(fitted[label].bias), 4) for label in LABELS],
        grams=np.vstack([np.round(fitted[label].grams / scale).astype(np.int8) for label in LABELS]),
        gram_scale=round(float(scale), 8),
        calibration=calibration,
        thresholds=thresholds,
        training={"examples": digest(rows), "texts": len(rows), "seed": seed},
    )


def _enough(rows: Sequence[Example]) -> None:
    for label in LABELS:
        count = sum(label in row.labels for row in rows)
        if count < 20 or len(rows) - count < 100:
            raise ExampleError(f"training needs 20 texts with the label {label} and 100 without it, found {count} and {len(rows) - count}")


def _wanted(rows: Sequence[Example], label: str) -> NDArray[np.bool_]:
    return np.array([label in row.labels for row in rows])


def _fit(columns: sparse.csr_matrix, grams: sparse.csr_matrix, wanted: NDArray[np.bool_], seed: int) -> _Linear:
    model = LogisticRegression(C=PENALTY, solver="liblinear", max_iter=1000, random_state=seed)
    model.fit(sparse.hstack([columns, grams * GRAM_SCALE]).tocsr(), wanted)
    weights = model.coef_[0]
    count = columns.shape[1]
    return _Linear(weights[:count], float(model.intercept_[0]), weights[count:] * GRAM_SCALE)


def _held_out(
    columns: sparse.csr_matrix, grams: sparse.csr_matrix, wanted: NDArray[np.bool_], *, sources: Sequence[str], seed: int
) -> Floats:
    """Margins of every text under a model that has not seen its source, or, in a single source, its part of it."""
    names = sorted(set(sources))
    few = len(names) < 3
    folds = np.arange(len(sources)) % FOLDS if few else np.array([names.index(name) % FOLDS for name in sources])
    margins = np.zeros(len(sources))
    for fold in range(FOLDS):
        inside = folds == fold
        if inside.any():
            part = _fit(columns[~inside], grams[~inside], wanted[~inside], seed)
            margins[inside] = columns[inside] @ part.weights + grams[inside] @ part.grams + part.bias
    return margins


def _calibrate(margins: Floats, wanted: NDArray[np.bool_]) -> list[float]:
    """[slope, shift] of the logistic curve from margin to probability."""
    model = LogisticRegression(C=1.0, solver="liblinear", max_iter=1000).fit(margins[:, None], wanted)
    return [round(float(model.coef_[0, 0]), 6), round(float(model.intercept_[0]), 6)]


def _thresholds(margins: Floats, scripts: NDArray[np.str_], *, slope: float, shift: float) -> dict[str, dict[str, float]]:
    """Script group → tier → probability from which the tier holds; "other" is for groups that were not seen."""
    common = {tier: _quantile(margins, rate) for tier, rate in RATES.items()}
    result = {"other": common}
    for script in sorted(set(scripts)):
        own = margins[scripts == script]
        limits = {tier: _quantile(own, rate) for tier, rate in RATES.items()}
        enough = len(own) >= LEAST_PER_SCRIPT
        result[str(script)] = limits if enough else {tier: max(limits[tier], common[tier]) for tier in TIERS}
    return {
        script: {tier: round(float(1 / (1 + np.exp(-(slope * limits[tier] + shift)))), 6) for tier in TIERS}
        for script, limits in result.items()
    }


def _quantile(margins: Floats, rate: float) -> float:
    """The margin that a share `rate` of the negatives exceeds, the upper tail extended as an exponential."""
    ordered = np.sort(margins)[::-1]
    count = max(int(TAIL * len(ordered)), 10)
    start = ordered[min(count, len(ordered) - 1)]
    if rate * len(ordered) >= count:
        return float(ordered[int(rate * len(ordered))])
    spread = float((ordered[:count] - start).mean())
    return float(start + spread * np.log(count / (rate * len(ordered))))

"""A trained model, as plain numbers, from labelled examples; the same for the same examples and seed.

Per head a logistic regression over phrase and shape columns and hashed character n-grams. Thoughts leak in two ways that
look unlike each other (`style`), so they have a head each and the larger one counts: with one linear score for both, either
way cost the other some 10 points of recall. The n-gram weights are rounded to 8 bits before they are used anywhere.

Thresholds are set on texts that were not learned from, by cross-fitting. The tail beyond the last few negatives is extended
as an exponential, so that 0.1 % can be named with some thousand of them.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.linear_model import LogisticRegression
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from classifier import features, phrases
from classifier.examples import Example, ExampleError, digest
from classifier.runtime import HEADS, LABELS, TIERS, UNIT, Extractor, script_of

GRAM_SCALE = 8.0
"""Weight of the n-gram block against the columns in training: larger values learn more wording, less stance."""
STRETCH = {"tools@called": 8.0, "tools@offered": 8.0, "shape:list_only": 8.0}
"""Weight of single columns against the others in training. The penalty keeps single columns small, but an announcement beside a call,
or in a list of loading messages, differs from a preamble in nothing else."""
PENALTY = {"preamble": 0.03, "trace": 0.01, "note": 0.02}
"""C of the logistic regression of each head; chosen with GRAM_SCALE on real outputs that were not trained on."""
NOTE_OFFSET = 1.0
"""Taken off the margin of `note`, which is right less often in ordinary traffic than `trace`."""
RATES = {"possible": 0.01, "likely": 0.001, "certain": 0.0003}
"""Tier → false-alarm rate that its threshold names."""
FOLDS = 4
TAIL = 0.01
"""Share of the negatives from which the tail is extended, 10 of them at least."""
EXPECTED = 2
"""Negatives beyond a threshold from which a script group has its own."""
MINIMUM_LENGTH = 12

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


class Trained(NamedTuple):
    """A model as numbers; `export.write` makes a folder of it."""

    languages: dict[str, Any]
    stances: dict[str, str]
    columns: dict[str, list[int]]
    """Column → its weight for each of HEADS, in units of 1 / UNIT."""
    bias: list[int]
    grams: NDArray[np.int8]
    """HEADS × BUCKETS"""
    gram_scale: float
    calibration: dict[str, list[float]]
    thresholds: dict[str, dict[str, dict[str, float]]]
    training: dict[str, Any]


class _Linear(NamedTuple):
    weights: Floats
    bias: float
    grams: Floats


class _Data(NamedTuple):
    columns: sparse.csr_matrix
    grams: sparse.csr_matrix
    wanted: dict[str, Bools]
    """Head → texts it shall find."""
    used: dict[str, Bools]
    """Head → texts it learns from: those it shall find and those without its label."""

    def only(self, rows: Bools) -> "_Data":
        wanted, used = ({head: held[rows] for head, held in part.items()} for part in (self.wanted, self.used))
        return _Data(self.columns[rows], self.grams[rows], wanted, used)


def train(examples: Sequence[Example], *, seed: int = 1) -> Trained:
    """A model trained on the examples whose split is train; ExampleError when a label has too few of them."""
    rows = [example for example in examples if example.split == "train"]
    _enough(rows)
    extractor = Extractor(languages := phrases.load(), phrases.STANCES)
    seen = features.look(extractor, [row.text for row in rows], [row.tools for row in rows])
    known = features.names(seen)
    stretch = np.array([STRETCH.get(name, 1.0) for name in known])
    columns = features.columns(seen, known) @ sparse.diags_array(stretch)
    data = _Data(columns.tocsr(), seen.grams, *_heads(rows))
    heads = _fit(data, seed)
    scale = max(np.abs(head.grams).max() for head in heads) / 127
    margins = _held_out(data, seed)
    scripts, shares = np.array([script_of(row.text) for row in rows]), np.array([row.share for row in rows])
    clean = np.array([row.labels == ("clean",) for row in rows])
    calibration, thresholds = {}, {}
    for label in LABELS:
        wanted = np.array([label in row.labels for row in rows])
        calibration[label] = _calibrate(margins[label], wanted)
        slope, shift = calibration[label]
        limits = _thresholds(margins[label][clean], scripts[clean], shares[clean])
        thresholds[label] = {script: _probabilities(held, slope, shift) for script, held in limits.items()}
    weights = np.round(np.column_stack([head.weights * stretch for head in heads]) * UNIT).astype(int)
    return Trained(
        languages=languages,
        stances=phrases.STANCES,
        columns={name: weights[place].tolist() for place, name in enumerate(known)},
        bias=[round(head.bias * UNIT) for head in heads],
        grams=np.vstack([np.round(head.grams / scale).astype(np.int8) for head in heads]),
        gram_scale=round(float(scale), 8),
        calibration=calibration,
        thresholds=thresholds,
        training={"examples": digest(rows), "texts": len(rows), "seed": seed},
    )


def _enough(rows: Sequence[Example]) -> None:
    for label in LABELS:
        count = sum(label in row.labels for row in rows)
        if count < 20 or len(rows) - count < 100:
            found = f"found {count} and {len(rows) - count}"
            raise ExampleError(f"training needs 20 texts with the label {label} and 100 without it, {found}")


def _heads(rows: Sequence[Example]) -> tuple[dict[str, Bools], dict[str, Bools]]:
    """(texts each head shall find, texts it learns from)."""
    leaks = np.array(["reasoning_leak" in row.labels for row in rows])
    wanted = {"preamble": np.array(["preamble" in row.labels for row in rows])}
    used = {"preamble": np.ones(len(rows), dtype=bool)}
    for style in HEADS[1:]:
        wanted[style] = leaks & np.array([row.style in (style, "unknown") for row in rows])
        if not wanted[style].any():
            wanted[style] = leaks
        used[style] = wanted[style] | ~leaks
    return wanted, used


def _fit(data: _Data, seed: int) -> list[_Linear]:
    """The heads, in their order. One thread, so that sums are added in the same order everywhere."""
    stacked = sparse.hstack([data.columns, data.grams * GRAM_SCALE]).tocsr()
    count, heads = data.columns.shape[1], []
    for head in HEADS:
        rows = data.used[head]
        model = LogisticRegression(C=PENALTY[head], max_iter=400, random_state=seed)
        with threadpool_limits(1):
            model.fit(stacked[rows], data.wanted[head][rows])
        weights, bias = model.coef_[0], float(model.intercept_[0]) - (NOTE_OFFSET if head == "note" else 0)
        heads.append(_Linear(weights[:count], bias, weights[count:] * GRAM_SCALE))
    return heads


def _held_out(data: _Data, seed: int) -> dict[str, Floats]:
    """Label → margin of every text under a model that has not seen it."""
    count = data.columns.shape[0]
    folds = np.random.default_rng(seed).permutation(count) % FOLDS
    margins = np.zeros((count, len(HEADS)))
    for fold in range(FOLDS):
        inside = folds == fold
        for place, head in enumerate(_fit(data.only(~inside), seed)):
            margins[inside, place] = data.columns[inside] @ head.weights + data.grams[inside] @ head.grams + head.bias
    return {LABELS[0]: margins[:, 0], LABELS[1]: margins[:, 1:].max(axis=1)}


def _calibrate(margins: Floats, wanted: Bools) -> list[float]:
    """[slope, shift] of the logistic curve from margin to probability."""
    model = LogisticRegression(max_iter=400).fit(margins[:, None], wanted)
    return [round(float(model.coef_[0, 0]), 6), round(float(model.intercept_[0]), 6)]


def _thresholds(margins: Floats, scripts: NDArray[np.str_], shares: Floats) -> dict[str, dict[str, float]]:
    """Script group → tier → margin from which the tier holds: the common one, or the group's own where that is stricter and at least
    EXPECTED of its negatives lie beyond it, since a rare event says nothing in a small group. "other" is for groups that were not seen."""
    common = {tier: _quantile(margins, shares, rate) for tier, rate in RATES.items()}
    result = {"other": common}
    for script in sorted(set(scripts)):
        own = scripts == script
        limits = {tier: _quantile(margins[own], shares[own], rate) for tier, rate in RATES.items()}
        result[str(script)] = {
            tier: max(limits[tier], common[tier]) if RATES[tier] * own.sum() >= EXPECTED else common[tier]
            for tier in TIERS
        }
    return result


def _probabilities(limits: dict[str, float], slope: float, shift: float) -> dict[str, float]:
    return {tier: round(float(1 / (1 + np.exp(-(slope * limits[tier] + shift)))), 6) for tier in TIERS}


def _quantile(margins: Floats, shares: Floats, rate: float) -> float:
    """The margin that a share `rate` of the negatives exceeds, the upper tail extended as an exponential."""
    order = np.argsort(-margins, kind="stable")
    ordered, weights = margins[order], shares[order] / shares.sum()
    beyond = np.cumsum(weights)
    last = min(int(np.searchsorted(beyond, max(TAIL, 10 / len(margins)))), len(margins) - 1)
    if rate >= beyond[last]:
        return float(ordered[np.searchsorted(beyond, rate)])
    spread = float(np.average(ordered[: last + 1] - ordered[last], weights=weights[: last + 1]))
    return float(ordered[last] + spread * np.log(beyond[last] / rate))

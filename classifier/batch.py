"""Probabilities of many texts at once, the same numbers as `Model.scores`: windows, literals and n-gram sums in numpy."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from classifier.runtime import (
    ALL_SIZES,
    BODY,
    BUCKETS,
    GRAMS,
    HEADS,
    LABELS,
    MULTIPLIERS,
    RAW,
    SALTS,
    SIZES,
    Candidates,
    Extractor,
    Model,
    normalise,
)

CHUNK = 32
"""Texts at a time: their table of buckets (8 MB) has to fit into the cache."""

Numbers = NDArray[np.int64]


def scores(model: Model, texts: Sequence[str], tools: Sequence[str]) -> NDArray[np.float64]:
    """texts × LABELS, the calibrated probability of each label; 0.0 below the minimum length."""
    result = np.zeros((len(texts), len(LABELS)))
    judged = [number for number, text in enumerate(texts) if len(text.strip()) >= model.facts["minimum_length"]]
    last = np.zeros(CHUNK * BUCKETS, dtype=np.int32)
    for begin in range(0, len(judged), CHUNK):
        chosen = judged[begin : begin + CHUNK]
        rows = _chunk(model, [texts[number] for number in chosen], [tools[number] for number in chosen], last)
        result[chosen] = rows
    return result


def _chunk(model: Model, texts: list[str], tools: list[str], last: NDArray[np.int32]) -> list[list[float]]:
    raws = [text.strip() for text in texts]
    openings = [normalise(raw[:RAW])[:BODY] for raw in raws]
    ends = np.cumsum([0] + [len(opening) for opening in openings])
    owner = np.repeat(np.arange(len(texts)), np.diff(ends))
    buckets = _windows(openings)
    candidates = _candidates(model.extractor, openings, buckets=buckets, owner=owner, ends=ends)
    sums, present = _gram_sums(_gram_weights(model), buckets=buckets, owner=owner, ends=ends, last=last)
    rows = []
    for number, (raw, opening, tool) in enumerate(zip(raws, openings, tools, strict=True)):
        columns = model.extractor.columns(raw, opening, candidates[number], tool)
        scored = model.probabilities(model.stance(columns), sums[number].tolist(), int(present[number]))
        rows.append([scored[label] for label in LABELS])
    return rows


def _windows(openings: list[str]) -> dict[int, NDArray[np.uint16]]:
    """Size → bucket of the window that begins at each code point of the joined openings; those over an end are ignored later."""
    joined = "".join(openings).encode("utf-32-le", "surrogatepass")
    points = np.frombuffer(joined, "<u4") & np.uint32(0xFFFF)
    total = np.zeros(len(points) + max(ALL_SIZES), dtype=np.uint32)
    padded = np.concatenate([points, np.zeros(max(ALL_SIZES), dtype=np.uint32)])
    result = {}
    for offset, multiplier in enumerate(MULTIPLIERS):
        total[: len(padded) - offset] += padded[offset:] * np.uint32(multiplier)
        result[offset + 1] = total[: len(points)].astype(np.uint16)
    return result


def _candidates(
    extractor: Extractor, openings: list[str], *, buckets: dict[int, NDArray[np.uint16]], owner: Numbers, ends: Numbers
) -> list[Candidates]:
    """For each opening the literals one of whose windows is present."""
    masks = _masks(extractor)
    tables = [extractor.tables_of(opening) for opening in openings]
    active = np.array([sum(1 << place for place in held) for held in tables], dtype=np.int32)[owner]
    found: list[dict[int, set[int]]] = [{} for _ in openings]
    for size in ALL_SIZES:
        hits = np.flatnonzero(masks[size][buckets[size]] & active)
        hits = hits[hits + size <= ends[owner[hits] + 1]]
        for number, bucket in zip(owner[hits].tolist(), buckets[size][hits].tolist(), strict=True):
            found[number].setdefault(size, set()).add(bucket)
    result: list[Candidates] = []
    for held, present in zip(tables, found, strict=True):
        literals: Candidates = []
        for place in held:
            for size, _, holders in extractor.tables[place]:
                for bucket in present.get(size, ()):
                    literals += holders.get(bucket, ())
        result.append(literals)
    return result


@lru_cache(maxsize=4)
def _masks(extractor: Extractor) -> dict[int, NDArray[np.int32]]:
    """Size → bucket → bits of the tables that hold a literal there."""
    masks = {size: np.zeros(BUCKETS, dtype=np.int32) for size in ALL_SIZES}
    for place, anchors in enumerate(extractor.tables):
        for size, known, _ in anchors:
            masks[size][sorted(known)] |= 1 << place
    return masks


@lru_cache(maxsize=4)
def _gram_weights(model: Model) -> NDArray[np.int64]:
    """HEADS × BUCKETS"""
    return np.frombuffer(model.data, np.int8).reshape(len(HEADS), BUCKETS).astype(np.int64)


def _gram_sums(
    weights: Numbers,
    *,
    buckets: dict[int, NDArray[np.uint16]],
    owner: Numbers,
    ends: Numbers,
    last: NDArray[np.int32],
) -> tuple[Numbers, Numbers]:
    """(texts × HEADS sums of the weights of the buckets present, number of those) in the first GRAMS characters of each."""
    count = len(ends) - 1
    sums, present = np.zeros((count, len(HEADS)), dtype=np.int64), np.zeros(count, dtype=np.int64)
    for size in SIZES:
        spans = [
            np.arange(begin, max(min(end, begin + GRAMS) - size + 1, begin)) for begin, end in pairwise(ends.tolist())
        ]
        places = np.concatenate(spans)
        own, held = owner[places], buckets[size][places].astype(np.int64)
        keys, order = own * BUCKETS + held, np.arange(len(places), dtype=np.int32)
        last[keys] = order
        once = last[keys] == order
        own, held = own[once], (held[once] + SALTS[size]) % BUCKETS
        present += np.bincount(own, minlength=count)
        for place in range(len(HEADS)):
            sums[:, place] += np.bincount(own, weights=weights[place][held], minlength=count).astype(np.int64)
    return sums, present

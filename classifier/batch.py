"""Probabilities of many texts at once, the same numbers as `Model.scores`: n-gram sums in numpy, all literals in one automaton."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import ahocorasick_rs
import numpy as np
from numpy.typing import NDArray

from classifier.runtime import (
    BUCKETS,
    GRAMS,
    HEAD,
    HEADS,
    LABELS,
    MULTIPLIERS,
    SALTS,
    SIZES,
    START,
    Anywhere,
    Events,
    Extractor,
    Model,
    WordStarts,
    opening_of,
    packed,
    unpacked,
)

CHUNK = 128
"""Texts at a time: what is known of them has to fit into the cache."""


def scores(model: Model, texts: Sequence[str], tools: Sequence[str]) -> NDArray[np.float64]:
    """texts × LABELS, the calibrated probability of each label; 0.0 below the minimum length."""
    result = np.zeros((len(texts), len(LABELS)))
    judged = [number for number, text in enumerate(texts) if len(text.strip()) >= model.facts["minimum_length"]]
    for begin in range(0, len(judged), CHUNK):
        chosen = judged[begin : begin + CHUNK]
        result[chosen] = _chunk(model, [texts[number] for number in chosen], [tools[number] for number in chosen])
    return result


def _chunk(model: Model, texts: list[str], tools: list[str]) -> list[list[float]]:
    raws = [text.strip() for text in texts]
    openings = [opening_of(raw) for raw in raws]
    wording, present = _gram_sums(_packed(model), [opening[:GRAMS] for opening in openings])
    find, beside, families = _finder(model.extractor), [], []
    for raw, opening, tool in zip(raws, openings, tools, strict=True):
        beside.append(model.stance(model.extractor.beside(raw, opening, tool, find)))
        families.append(model.extractor.families(find(opening)))
    stance = _stance_sums(_stances(model), families) + np.array(beside)
    scored = map(model.probabilities, stance.tolist(), map(unpacked, wording, present), present)
    return [[chances[label] for label in LABELS] for chances in scored]


class Stances(NamedTuple):
    """Weights of the columns that families decide, in units of 1 / UNIT; families and stances in the order of their names."""

    numbers: dict[str, int]
    """Family → its place."""
    views: NDArray[np.float64]
    """families × (body, head, start) × number of beginnings up to 8 × HEADS, as `Names.views`."""
    pairs: NDArray[np.float64]
    """HEADS × families × families, above the diagonal."""
    members: NDArray[np.float64]
    """families × stances, 1 where the family belongs to the stance."""
    steps: NDArray[np.float64]
    """stances × number of families up to 10 × HEADS"""


@lru_cache(maxsize=4)
def _stances(model: Model) -> Stances:
    names, stances = model.extractor.names, sorted(set(model.extractor.stances.values()))

    def total(columns: Iterable[str]) -> list[int]:
        held = [model.weights[column] for column in columns if column in model.weights]
        return [sum(weights) for weights in zip([0] * len(HEADS), *held, strict=True)]

    pairs = [
        [total([held.pairs[second]] if first < second else []) for second in names] for first, held in names.items()
    ]
    steps = [
        [total([f"{stance}>={least}" for least in range(2, count + 1)]) for count in range(11)] for stance in stances
    ]
    return Stances(
        numbers={family: number for number, family in enumerate(names)},
        views=np.array(
            [[[total(columns) for columns in view] for view in held.views] for held in names.values()], dtype=float
        ),
        pairs=np.array(pairs, dtype=float).transpose(2, 0, 1),
        members=np.array(
            [[model.extractor.stances[family] == stance for stance in stances] for family in names], dtype=float
        ),
        steps=np.array(steps, dtype=float),
    )


def _stance_sums(weights: Stances, families: Sequence[dict[str, set[int]]]) -> NDArray[np.int64]:
    """texts × HEADS, the sum of the weights of the columns that the families of each text decide."""
    seen = [
        (row, weights.numbers[family], ((first := min(begins)) < HEAD) + (first < START), min(len(begins), 8))
        for row, found in enumerate(families)
        for family, begins in found.items()
    ]
    row, number, view, count = np.array(seen, dtype=np.int64).reshape(-1, 4).T
    sums = np.zeros((len(families), len(HEADS)))
    np.add.at(sums, row, weights.views[number, view, count])
    held = np.zeros((len(families), len(weights.numbers)))
    held[row, number] = 1
    sums += ((held @ weights.pairs) * held).sum(axis=2).T
    counts = np.minimum(held @ weights.members, 10).astype(np.int64)
    sums += weights.steps[np.arange(counts.shape[1]), counts].sum(axis=1)
    return sums.astype(np.int64)


@lru_cache(maxsize=4)
def _finder(extractor: Extractor) -> Callable[[str], Events]:
    """What `Extractor.events` does, with one automaton over the literals of all languages."""
    held: dict[str, list[tuple[WordStarts | Anywhere, int]]] = {}
    for table in (*extractor.always, *[literals for _, literals in extractor.marked]):
        for literal, groups in table.literals.items():
            held.setdefault(literal, []).extend([(table, group) for group in groups])
    holders = list(held.values())

    @lru_cache(maxsize=256)
    def seen_in(matched: tuple[WordStarts, ...]) -> dict[int, list[int]]:
        """Number of a literal → its groups in these languages, for the literals that were met before."""
        return {}

    automaton = ahocorasick_rs.AhoCorasick(held, implementation=ahocorasick_rs.Implementation.ContiguousNFA)

    def find(text: str) -> Events:
        try:
            matches = automaton.find_matches_as_indexes(text, overlapping=True)
        except UnicodeEncodeError:  # a lone surrogate
            return extractor.events(text)
        events: Events = defaultdict(list)
        matched = tuple(extractor.matched(text))
        seen = seen_in(matched)
        for number, start, end in matches:
            if number not in seen:
                wanted = {*extractor.always, *matched}
                seen[number] = [group for table, group in holders[number] if table in wanted]
            for group in seen[number]:
                events[group].append((start, end))
        for found in events.values():
            if len(found) > 1:
                found.sort()
        return events

    return find


@lru_cache(maxsize=4)
def _packed(model: Model) -> NDArray[np.int64]:
    return packed(model.data)


def _gram_sums(weights: NDArray[np.int64], texts: list[str]) -> tuple[list[int], list[int]]:
    """For each text the sum of the packed weights of the n-grams present, and their number."""
    lengths = np.array([len(text) for text in texts])
    points = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), "<u2")[::2]
    owner = np.repeat(np.arange(len(texts), dtype=np.uint32) << np.uint32(19), lengths)
    left = np.repeat(np.cumsum(lengths), lengths) - np.arange(len(points))
    total: NDArray[Any] = points * np.uint16(MULTIPLIERS[0])
    found: list[NDArray[Any]] = []
    for offset in range(1, max(SIZES)):
        total = total[:-1] + points[offset:] * np.uint16(MULTIPLIERS[offset])
        if offset + 1 in SIZES:
            keys = total + owner[: len(total)]
            keys += np.uint32(SALTS[offset + 1] + ((offset - 1) << 17))
            found.append(keys[left[: len(total)] > offset])
    keys = np.concatenate(found)
    keys.sort()
    once = np.ones(len(keys), dtype=bool)
    np.not_equal(keys[1:], keys[:-1], out=once[1:])
    keys = keys[once]
    starts = np.searchsorted(keys, np.arange(len(texts) + 1, dtype=np.uint32) << np.uint32(19))
    running = np.concatenate([[0], np.cumsum(weights[keys & np.uint32(BUCKETS - 1)])])
    return np.diff(running[starts]).tolist(), np.diff(starts).tolist()

"""Probabilities of many texts at once, the same numbers as `Model.scores`: n-gram sums in numpy, all literals in one automaton."""

from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import ahocorasick_rs
import numpy as np
from numpy.typing import NDArray

from classifier.runtime import (
    BUCKETS,
    GRAMS,
    LABELS,
    MULTIPLIERS,
    SALTS,
    SIZES,
    Events,
    Extractor,
    Find,
    Model,
    opening_of,
    packed,
    unpacked,
)

CHUNK = 64
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
    sums, present = _gram_sums(_packed(model), [opening[:GRAMS] for opening in openings])
    rows, find = [], _finder(model.extractor)
    for number, (raw, opening, tool) in enumerate(zip(raws, openings, tools, strict=True)):
        columns = model.extractor.columns(raw, opening, tool, find)
        scored = model.probabilities(model.stance(columns), unpacked(sums[number], present[number]), present[number])
        rows.append([scored[label] for label in LABELS])
    return rows


@lru_cache(maxsize=4)
def _finder(extractor: Extractor) -> Find:
    """What `Extractor.events` does, with one automaton over the literals of all languages."""
    groups: dict[str, list[int]] = {}
    tables = [*extractor.always, *[literals for _, literals in extractor.marked]]
    for table in tables:
        for literal, held in table.literals.items():
            groups.setdefault(literal, []).extend(held)
    held_by = list(groups.values())
    automaton = ahocorasick_rs.AhoCorasick(groups, implementation=ahocorasick_rs.Implementation.ContiguousNFA)
    always = frozenset().union(*[held for table in extractor.always for held in table.literals.values()])
    marked = {literals: frozenset().union(*literals.literals.values()) for _, literals in extractor.marked}

    def find(text: str) -> Events:
        try:
            matches = automaton.find_matches_as_indexes(text, overlapping=True)
        except UnicodeEncodeError:  # a lone surrogate
            return extractor.events(text)
        events: Events = defaultdict(list)
        wanted = always.union(*[marked[literals] for literals in extractor.matched(text)])
        for number, start, end in matches:
            for group in held_by[number]:
                if group in wanted:
                    events[group].append((start, end))
        for found in events.values():
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

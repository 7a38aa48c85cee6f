"""The sums of one cut: per class of measures over all turns, per measure over the conversations in which it fired."""

from dataclasses import dataclass

import numpy as np

from pipelines.fold.bucket import Bucket, Leaks, ranges
from pipelines.fold.columns import Bools, Ints, combine, compress, sum_ints, tally

POSITIONS = 5
PAIR_DIGITS = 12

Sums = dict[str, Ints]
"""Column of COUNT → value per cell; decimals in units of their last digit."""


@dataclass(frozen=True)
class Cells:
    """The pairs of group and cut value that occur in one cut, and the cell of every turn: its own, and its conversation's."""

    group: Ints
    value: Ints
    own: Ints
    first: Ints

    def __len__(self) -> int:
        return len(self.group)


def cells_of(bucket: Bucket, value: Ints, values: int) -> Cells:
    """The cells of one cut; the conversation's cell is its first turn's group with the turn's own cut value."""
    keys = np.concatenate((bucket.group * values + value, bucket.first_group * values + value))
    distinct, cell = compress(keys, len(bucket.group_names) * values)
    return Cells(distinct // values, distinct % values, cell[: len(value)], cell[len(value) :])


def class_sums(bucket: Bucket, cells: Cells) -> list[Sums]:
    """What does not depend on leaks, for each class of measures. Conversations alike in this cut are counted once, weighted."""
    example, weight = _distinct(bucket, cells)
    starts = bucket.conversations.starts
    ends = np.append(starts[1:], len(cells.own))
    turns = ranges(starts[example], ends[example])
    local = np.repeat(np.arange(len(example)), ends[example] - starts[example])
    own, first = (
        compress(local * len(cells) + cell[turns], len(example) * len(cells)) for cell in (cells.own, cells.first)
    )
    followed, guessed = bucket.conversations.followed[example], bucket.conversations.guessed[example]
    found = _turn_sums(bucket, cells)
    for sums, could in zip(found, bucket.classes, strict=True):
        eligible = could[bucket.eligible[turns]]
        key, size = _sizes(own, eligible)
        cell, count = key % len(cells), weight[key // len(cells)]
        sums["clusters"] = tally(cell, len(cells), count)
        sums["sum_turns_squared"] = tally(cell, len(cells), count * size**2)
        key, size = _sizes(first, eligible)
        cell, of = key % len(cells), key // len(cells)
        sums["conversations"] = tally(cell, len(cells), weight[of])
        sums["guessed_conversations"] = tally(cell, len(cells), weight[of] * guessed[of])
        for position in range(1, POSITIONS + 1):
            sums[f"at_risk_{position}"] = tally(cell, len(cells), weight[of] * (followed[of] & (size >= position)))
    return found


def leak_sums(leaks: Leaks, bucket: Bucket, cells: Cells) -> Sums:
    """What depends on the leaks of one measure; `at_risk_j` is what has to be added to that of the measure's class."""
    own, first, count = cells.own[leaks.turns], cells.first[leaks.turns], len(cells)
    sums = {"leaked_turns": tally(own[leaks.fired], count)}
    weight = bucket.weights[bucket.weight[leaks.turns]]
    sums["estimated_leaked_turns"] = sum_ints(weight[leaks.fired], own[leaks.fired], count)
    key, pair = compress(leaks.conversation * count + own, (leaks.conversation[-1] + 1) * count)
    size, leaked = tally(pair, len(key)), tally(pair[leaks.fired], len(key))
    cell = key % count
    sums["leaked_clusters"] = tally(cell[leaked > 0], count)
    sums["sum_leaks_squared"] = tally(cell, count, leaked**2)
    sums["sum_leaks_turns"] = tally(cell, count, leaked * size)
    sums["sum_pairs"] = sum_ints(_pairs(leaked, size), cell, count)
    key, pair = compress(leaks.conversation * count + first, (leaks.conversation[-1] + 1) * count)
    size, leak = tally(pair, len(key)), _first_leak(pair, leaks.fired, len(key))
    cell = key % count
    followed = np.zeros(len(key), np.bool_)
    followed[pair] = leaks.followed
    sums["leaked_conversations"] = tally(cell[leak < _NEVER], count)
    for position in range(1, POSITIONS + 1):
        sums[f"first_leaks_{position}"] = tally(cell[followed & (leak == position)], count)
        sums[f"at_risk_{position}"] = -tally(cell[followed & (leak < position) & (size >= position)], count)
    return sums


def _pairs(leaked: Ints, size: Ints) -> Ints:
    """y(y−1)/(m−1) in units of the twelfth decimal, rounded; whole part and rest apart, so that 64 bits hold it."""
    whole, rest = np.divmod(leaked * (leaked - 1), np.maximum(size - 1, 1))
    return np.asarray(
        whole * 10**PAIR_DIGITS + np.rint(rest / np.maximum(size - 1, 1) * 10**PAIR_DIGITS).astype(np.int64)
    )


_NEVER = np.iinfo(np.int64).max


def _first_leak(pair: Ints, fired: Bools, pairs: int) -> Ints:
    """Place (from 1) of the first leak among the turns of each pair, which stand in their order."""
    order = np.argsort(pair, kind="stable")
    starts = np.searchsorted(pair[order], np.arange(pairs))
    place = np.arange(len(pair)) - starts[pair[order]] + 1
    leak = np.full(pairs, _NEVER)
    np.minimum.at(leak, pair[order][fired[order]], place[fired[order]])
    return leak


def _sizes(part: tuple[Ints, Ints], eligible: Bools) -> tuple[Ints, Ints]:
    """The (conversation, cell) keys with a turn that could fire, and how many such turns."""
    key, pair = part
    size = tally(pair[eligible], len(key))
    some = np.flatnonzero(size)
    return key[some], size[some]


def _turn_sums(bucket: Bucket, cells: Cells) -> list[Sums]:
    patterns, weights = bucket.classes.shape[1], len(bucket.weights)
    key = (cells.own * patterns + bucket.eligible) * weights + bucket.weight
    distinct, inverse = compress(key, len(cells) * patterns * weights)
    count = tally(inverse, len(distinct))
    cell, pattern = distinct // (patterns * weights), distinct // weights % patterns
    estimated = count * bucket.weights[distinct % weights]
    found = []
    for could in bucket.classes[:, pattern]:
        turns = tally(cell[could], len(cells), count[could])
        found.append({"turns": turns, "estimated_turns": sum_ints(estimated[could], cell[could], len(cells))})
    return found


def _distinct(bucket: Bucket, cells: Cells) -> tuple[Ints, Ints]:
    """An example and the number of each kind of conversation: same multiset of turn codes, by a 64-bit hash of it."""
    codes = [(cells.own, len(cells)), (cells.first, len(cells)), (bucket.eligible, bucket.classes.shape[1])]
    _, alike, _ = combine(codes, len(cells.own))
    kind = bucket.conversations.followed * 2 + bucket.conversations.guessed
    signature = np.add.reduceat(_mix(alike + 4), bucket.conversations.starts) + _mix(kind.astype(np.int64))
    _, example, weight = np.unique(signature, return_index=True, return_counts=True)
    return example.astype(np.int64), weight.astype(np.int64)


def _mix(values: Ints) -> np.ndarray[tuple[int, ...], np.dtype[np.uint64]]:
    """SplitMix64 (Steele, Lea, Flood 2014): neighbouring numbers become unrelated ones, so that sums tell multisets apart."""
    z = (values.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(z ^ (z >> np.uint64(31)))

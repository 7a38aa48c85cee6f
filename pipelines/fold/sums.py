"""The sums of one cut: per class of measures over all turns, per measure over the conversations in which it fired."""

from dataclasses import dataclass

import numpy as np

from pipelines.fold.bucket import Bucket, Leaks
from pipelines.fold.columns import Bools, Ints, combine, compress, sum_ints, tally
from pipelines.fold.shapes import coarser

POSITIONS = 5
PAIR_DIGITS = 12
_KINDS = 4

Sums = dict[str, Ints]
"""Column of COUNT → value per cell; decimals in units of their last digit."""


@dataclass(frozen=True)
class Cells:
    """The pairs of group and cut value that occur in one cut, and the cell of each kind of turn: its own, its conversation's."""

    group: Ints
    value: Ints
    own: Ints
    first: Ints
    series: Ints
    """Alike for cells that differ in nothing but the day; the cells of a series stand in the order of their days."""

    def __len__(self) -> int:
        return len(self.group)

    def same_turns(self, other: "Cells") -> bool:
        """Whether both divide the turns alike, whatever the values are called."""
        pairs = ((self.own, other.own), (self.first, other.first), (self.series, other.series))
        return all(np.array_equal(one, another) for one, another in pairs)


def cells_of(bucket: Bucket, value: Ints, values: int) -> Cells:
    """The cells of one cut; the conversation's cell is its first turn's group with the turn's own cut value."""
    keys = np.concatenate((bucket.group * values + value, bucket.first_group * values + value))
    distinct, cell = compress(keys, len(bucket.group_names) * values)
    group, of_cell = distinct // values, distinct % values
    return Cells(
        group=group,
        value=of_cell,
        own=cell[: len(value)],
        first=cell[len(value) :],
        series=_by_appearance(bucket.series[group] * values + of_cell),
    )


def _by_appearance(codes: Ints) -> Ints:
    """The codes numbered anew in the order in which they appear."""
    _, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[inverse.reshape(-1)]


def turn_sums(bucket: Bucket, cells: Cells) -> Sums:
    """What does not depend on the measure."""
    of_kind = {
        "records": bucket.turns,
        "scannable": bucket.turns * bucket.judged,
        "responses": bucket.turns * bucket.body,
    }
    return {name: sum_ints(turns, cells.own, len(cells)) for name, turns in of_kind.items()}


def class_sums(bucket: Bucket, cells: Cells) -> Sums:
    """What does not depend on leaks, as class of measures × cell. Conversations alike in this cut are counted once, weighted."""
    patterns = bucket.classes.shape[1]
    alike = [(cells.own, len(cells)), (cells.first, len(cells)), (bucket.eligible, patterns)]
    example, code, _ = combine(alike, len(cells.own))
    shapes = coarser(bucket.shapes, code)
    kind = example[shapes.code]
    first = _parts(cells.first[kind], shapes.example, shapes.flags, bucket.eligible[kind])
    same = np.array_equal(cells.own, cells.first)
    own = first if same else _parts(cells.own[kind], shapes.example, shapes.flags, bucket.eligible[kind])
    earlier, number = _earlier(own.conversation, own.cell, cells), shapes.number[own.conversation]
    found = []
    for could in bucket.classes:
        whole = _histogram(first, _sizes(first, could), shapes.number)
        size = _sizes(own, could)
        found.append(_cluster_sums(own.cell, size, number, earlier) | _conversation_sums(*whole, cells=len(cells)))
    return _turns(bucket, cells) | {name: np.stack([sums[name] for sums in found]) for name in found[0]}


def _turns(bucket: Bucket, cells: Cells) -> Sums:
    """Turns that could fire, as class × cell."""
    patterns = bucket.classes.shape[1]
    pairs, pair = compress(cells.own * patterns + bucket.eligible, len(cells) * patterns)
    cell, could = pairs // patterns, bucket.classes[:, pairs % patterns]
    found = {}
    for name, of_kind in (("turns", bucket.turns), ("estimated_turns", bucket.turns * bucket.weight)):
        counted = sum_ints(of_kind, pair, len(pairs)) * could
        found[name] = np.stack([sum_ints(row, cell, len(cells)) for row in counted])
    return found


def _cluster_sums(cell: Ints, size: Ints, number: Ints, earlier: "_Earlier") -> Sums:
    """Parts of conversations with a turn that could fire and squares of their sizes; and what they add to those of earlier days."""
    before = earlier.sums(size)
    return {
        "clusters": tally(cell, earlier.cells, number * (size > 0)),
        "sum_turns_squared": sum_ints(number * size**2, cell, earlier.cells),
        "added_clusters": tally(cell, earlier.cells, number * ((size > 0) & (before == 0))),
        "added_turns_squared": sum_ints(number * ((before + size) ** 2 - before**2), cell, earlier.cells),
    }


@dataclass(frozen=True)
class _Earlier:
    """For parts of conversations: what the same conversation has in earlier cells of the same series."""

    cells: int
    order: Ints
    """The parts by conversation, series and day."""
    starts: Ints
    """Where each run of conversation and series begins in that order."""

    def sums(self, values: Ints) -> Ints:
        """For each part the sum of the values of the parts before it."""
        before = np.zeros_like(values)
        if len(self.starts) < len(values):
            total = np.cumsum(values[self.order]) - values[self.order]
            lengths = np.diff(np.append(self.starts, len(values)))
            before[self.order] = total - np.repeat(total[self.starts], lengths)
        return before


def _earlier(conversation: Ints, cell: Ints, cells: Cells) -> _Earlier:
    series = cells.series[cell]
    order = np.lexsort((cell, series, conversation))
    leads = np.ones(len(order), np.bool_)
    leads[1:] = (np.diff(conversation[order]) != 0) | (np.diff(series[order]) != 0)
    return _Earlier(len(cells), order, np.flatnonzero(leads))


def _conversation_sums(cell: Ints, kind: Ints, size: Ints, number: Ints, *, cells: int) -> Sums:
    """Conversations by cell, those guessed, and those at risk by position if none leaked."""
    sums = {
        "conversations": tally(cell, cells, number),
        "guessed_conversations": tally(cell, cells, number * (kind & 1)),
    }
    for position in range(1, POSITIONS + 1):
        sums[f"at_risk_{position}"] = tally(cell, cells, number * ((kind >= 2) & (size >= position)))
    return sums


@dataclass(frozen=True)
class _Parts:
    """The parts of conversations in cells, and the (part, bit pattern) pairs with their number of turns."""

    conversation: Ints
    cell: Ints
    kind: Ints
    starts: Ints
    """Where each part begins among the pairs."""
    pattern: Ints
    count: Ints


def _parts(cell: Ints, local: Ints, kind: Ints, pattern: Ints) -> _Parts:
    patterns, cells = int(pattern.max()) + 1, int(cell.max()) + 1
    key, count = np.unique((local * cells + cell) * patterns + pattern, return_counts=True)
    part = key // patterns
    leads = np.ones(len(key), np.bool_)
    leads[1:] = part[1:] != part[:-1]
    conversation = part[leads] // cells
    return _Parts(conversation, part[leads] % cells, kind[conversation], np.flatnonzero(leads), key % patterns, count)


def _sizes(parts: _Parts, could: Bools) -> Ints:
    """Turns of each part that could fire."""
    return np.asarray(np.add.reduceat(parts.count * could[parts.pattern], parts.starts))


def _histogram(parts: _Parts, size: Ints, weight: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    """Cell, kind and size (at least 1) of parts, and how many such parts there are."""
    most = int(size.max()) + 1
    key, inverse = compress(
        (parts.cell * _KINDS + parts.kind) * most + size, (int(parts.cell.max()) + 1) * _KINDS * most
    )
    number = tally(inverse, len(key), weight[parts.conversation])
    some = key % most > 0
    key, number = key[some], number[some]
    return key // most // _KINDS, key // most % _KINDS, key % most, number


def leak_sums(leaks: Leaks, bucket: Bucket, cells: Cells) -> Sums:
    """What depends on the leaks of one measure; `at_risk_j` is what has to be added to that of the measure's class."""
    own, first, count = cells.own[leaks.kind], cells.first[leaks.kind], len(cells)
    sums = {"leaked_turns": tally(own[leaks.fired], count)}
    sums["estimated_leaked_turns"] = sum_ints(bucket.weight[leaks.kind[leaks.fired]], own[leaks.fired], count)
    key, pair = compress(leaks.conversation * count + own, (leaks.conversation[-1] + 1) * count)
    size, leaked = tally(pair, len(key)), tally(pair[leaks.fired], len(key))
    sums |= _leak_squares(key // count, key % count, leaked, size, cells=cells)
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


def _leak_squares(conversation: Ints, cell: Ints, leaked: Ints, size: Ints, *, cells: Cells) -> Sums:
    """Parts of conversations with a leak and their squares; and what they add to those of earlier days."""
    count, earlier = len(cells), _earlier(conversation, cell, cells)
    before, turns = earlier.sums(leaked), earlier.sums(size)
    leaks, whole = before + leaked, turns + size
    return {
        "leaked_clusters": tally(cell[leaked > 0], count),
        "sum_leaks_squared": tally(cell, count, leaked**2),
        "sum_leaks_turns": tally(cell, count, leaked * size),
        "sum_pairs": sum_ints(_pairs(leaked, size), cell, count),
        "added_leaked_clusters": tally(cell[(leaked > 0) & (before == 0)], count),
        "added_leaks_squared": tally(cell, count, leaks**2 - before**2),
        "added_leaks_turns": tally(cell, count, leaks * whole - before * turns),
        "added_pairs": sum_ints(_pairs(leaks, whole) - _pairs(before, turns), cell, count),
    }


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

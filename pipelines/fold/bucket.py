"""One bucket of turns, sorted by conversation, as integer codes and bit matrices."""

from dataclasses import dataclass
from typing import cast

import numpy as np
import pyarrow as pa

from pipelines.fold.columns import Bools, Ints, codes, combine, compress, numbers
from pipelines.fold.conversations import LENGTHS, Conversations, order_conversations
from pipelines.fold.duplicates import judged
from pipelines.schema import CUTS, GROUP, Measure

WEIGHT_DIGITS = 6
LENGTH_NAMES = (*(name for _, name in LENGTHS), "30+")


@dataclass(frozen=True)
class Leaks:
    """The turns that could fire for one measure, of the conversations in which it fired."""

    turns: Ints
    """Index of the turn in sorted order, rising."""
    fired: Bools
    conversation: Ints
    """Numbered from 0 among those in which the measure fired."""
    followed: Bools
    """Of the turn's conversation."""


@dataclass(frozen=True)
class Bucket:
    """Arrays run over the turns in sorted order; matrices are bit pattern × measure."""

    conversations: Conversations
    group: Ints
    first_group: Ints
    group_names: tuple[tuple[str, ...], ...]
    """The values of GROUP for each group code; codes follow their order."""
    body: Bools
    judged: Bools
    weight: Ints
    """Index into `weights`, which are 1 / sampling_fraction in units of the sixth decimal."""
    weights: Ints
    eligible: Ints
    """Index of the bit pattern of measures that could fire."""
    classes: Bools
    """Class × pattern: measures that could fire in the same patterns share a class."""
    class_of_measure: Ints
    leaks: tuple[Leaks | None, ...]
    """By measure; None where it fired nowhere."""


def open_bucket(turns: pa.Table, measures: tuple[Measure, ...]) -> Bucket:
    """The bucket of TURN rows without duplicates; bit i of the bit sets is `measures[i]`."""
    conversations = order_conversations(turns)
    order = conversations.order
    group, group_names = _groups(turns, order)
    weight_units = np.rint(10**WEIGHT_DIGITS / numbers(turns, "sampling_fraction")[order].astype(np.float64))
    weights, weight = np.unique(weight_units.astype(np.int64), return_inverse=True)
    could, could_bits = _bits(turns["eligible"], len(measures))
    did, did_bits = _bits(turns["fired"], len(measures))
    could, did = could[order], did[order]
    classes, class_of_measure = np.unique(could_bits.T, axis=0, return_inverse=True)
    return Bucket(
        conversations=conversations,
        group=group,
        first_group=group[conversations.starts][conversations.of_turn],
        group_names=group_names,
        body=numbers(turns, "body_logged").astype(np.bool_)[order],
        judged=judged(turns)[order],
        weight=weight.astype(np.int64),
        weights=weights,
        eligible=could,
        classes=classes,
        class_of_measure=class_of_measure.reshape(-1).astype(np.int64),
        leaks=_leaks(conversations, (could, could_bits), (did, did_bits)),
    )


def cut_values(turns: pa.Table, bucket: Bucket, cut: str) -> tuple[Ints, tuple[str, ...]]:
    """Code per turn in sorted order, and the names of the values, for `all` or one of CUTS."""
    if cut == "all":
        return np.zeros(len(bucket.group), np.int64), ("all",)
    if cut == "conversation_length":
        return bucket.conversations.length[bucket.conversations.of_turn], LENGTH_NAMES
    assert cut in CUTS
    value, names = codes(turns[cut])
    return value[bucket.conversations.order], tuple(names)


def _groups(turns: pa.Table, order: Ints) -> tuple[Ints, tuple[tuple[str, ...], ...]]:
    columns = [codes(turns[name]) for name in GROUP]
    first, group, _ = combine([(code, len(names)) for code, names in columns], len(order))
    return group[order], tuple(tuple(names[code[row]] for code, names in columns) for row in first)


def _bits(column: pa.ChunkedArray, measures: int) -> tuple[Ints, Bools]:
    """Pattern of each row, and pattern × measure; a pattern may be shorter or longer than the measures need."""
    pattern, names = codes(column)
    sets = cast(list[bytes], names)
    width = (measures + 7) // 8
    packed = np.frombuffer(b"".join(item[:width].ljust(width, b"\0") for item in sets), np.uint8)
    bits = np.unpackbits(packed.reshape(len(sets), width), axis=1, bitorder="little")
    return pattern, bits[:, :measures].astype(np.bool_)


def _leaks(
    conversations: Conversations, eligible: tuple[Ints, Bools], fired: tuple[Ints, Bools]
) -> tuple[Leaks | None, ...]:
    could, could_bits = eligible
    did, did_bits = fired
    hot = np.flatnonzero(np.asarray(did_bits.any(axis=1))[did])
    ends = np.append(conversations.starts[1:], len(could))
    found: list[Leaks | None] = []
    for measure in range(could_bits.shape[1]):
        leaked = hot[did_bits[did[hot], measure] & could_bits[could[hot], measure]]
        if not len(leaked):
            found.append(None)
            continue
        touched, _ = compress(conversations.of_turn[leaked], len(conversations.starts))
        turns = ranges(conversations.starts[touched], ends[touched])
        turns = turns[could_bits[could[turns], measure]]
        of_turn = conversations.of_turn[turns]
        local = np.searchsorted(touched, of_turn)
        found.append(Leaks(turns, did_bits[did[turns], measure], local, conversations.followed[of_turn]))
    return tuple(found)


def ranges(starts: Ints, ends: Ints) -> Ints:
    """The whole numbers of the ranges start … end − 1, one after the other."""
    lengths = ends - starts
    shift = np.repeat(starts - np.append(0, np.cumsum(lengths)[:-1]), lengths)
    return np.asarray(np.arange(len(shift)) + shift)

"""One bucket of turns, sorted by conversation, as numbers of their kinds, and what each kind of turn is."""

from dataclasses import dataclass
from typing import cast

import numpy as np
import pyarrow as pa

from pipelines.fold.columns import Bools, Ints, codes, combine, compress, numbers, tally
from pipelines.fold.conversations import LENGTHS, Conversations, order_conversations
from pipelines.fold.duplicates import judged
from pipelines.fold.shapes import Shapes, ranges, shapes_of
from pipelines.schema import CUTS, GROUP, Measure

WEIGHT_DIGITS = 6
LENGTH_NAMES = (*(name for _, name in LENGTHS), "30+")


@dataclass(frozen=True)
class Leaks:
    """The turns that could fire for one measure, of the conversations in which it fired."""

    kind: Ints
    """Of each turn, in sorted order."""
    fired: Bools
    conversation: Ints
    """Numbered from 0 among those in which the measure fired."""
    followed: Bools
    """Of the turn's conversation."""


@dataclass(frozen=True)
class Bucket:
    """Arrays run over kinds of turns, which here say also in what conversation a turn stands; matrices are bit pattern × measure."""

    turns: Ints
    """How many turns are of the kind."""
    group: Ints
    first_group: Ints
    """Group of the first turn of the conversation."""
    group_names: tuple[tuple[str, ...], ...]
    """The values of GROUP for each group code; codes follow their order, days first."""
    series: Ints
    """Of each group code: alike where nothing but the day differs."""
    cuts: dict[str, tuple[Ints, tuple[str, ...]]]
    """Code for each kind and names of the values, for each of CUTS."""
    body: Bools
    judged: Bools
    weight: Ints
    """1 / sampling_fraction in units of the sixth decimal."""
    eligible: Ints
    """Index of the bit pattern of measures that could fire."""
    classes: Bools
    """Class × pattern: measures that could fire in the same patterns share a class."""
    class_of_measure: Ints
    shapes: Shapes
    leaks: tuple[Leaks | None, ...]
    """By measure; None where it fired nowhere."""


def open_bucket(rows: pa.Table, kinds: pa.Table, measures: tuple[Measure, ...]) -> Bucket:
    """The bucket of ROW and KIND without duplicates; bit i of the bit sets is `measures[i]`."""
    conversations = order_conversations(rows)
    plain = numbers(rows, "kind").astype(np.int64)[conversations.order]
    plain_group, group_names = _groups(kinds)
    first_group, length = plain_group[plain[conversations.starts]], conversations.length
    _, place, places = combine([(first_group, len(group_names)), (length, len(LENGTH_NAMES))], len(length))
    first, kind, _ = combine([(plain, len(kinds)), (place[conversations.of_turn], places)], len(plain))
    base, conversation = plain[first], conversations.of_turn[first]
    could, could_bits = _bits(kinds["eligible"], len(measures))
    did, did_bits = _bits(kinds["fired"], len(measures))
    classes, class_of_measure = np.unique(could_bits.T, axis=0, return_inverse=True)
    weight = np.rint(10**WEIGHT_DIGITS / numbers(kinds, "sampling_fraction").astype(np.float64))
    return Bucket(
        turns=tally(kind, len(base)),
        group=plain_group[base],
        first_group=first_group[conversation],
        group_names=group_names,
        series=_series(group_names),
        cuts={cut: _cut(kinds, cut, base) for cut in CUTS if cut != "conversation_length"}
        | {"conversation_length": (length[conversation], LENGTH_NAMES)},
        body=numbers(kinds, "body_logged").astype(np.bool_)[base],
        judged=judged(kinds)[base],
        weight=weight.astype(np.int64)[base],
        eligible=could[base],
        classes=classes,
        class_of_measure=class_of_measure.reshape(-1).astype(np.int64),
        shapes=shapes_of(kind, conversations),
        leaks=_leaks(conversations, kind, could_bits[could[base]], did_bits[did[base]]),
    )


def _groups(kinds: pa.Table) -> tuple[Ints, tuple[tuple[str, ...], ...]]:
    columns = [codes(kinds[name]) for name in GROUP]
    first, group, _ = combine([(code, len(names)) for code, names in columns], len(kinds))
    return group, tuple(tuple(names[code[row]] for code, names in columns) for row in first)


def _series(group_names: tuple[tuple[str, ...], ...]) -> Ints:
    place: dict[tuple[str, ...], int] = {}
    return np.array([place.setdefault(names[1:], len(place)) for names in group_names], np.int64)


def _cut(kinds: pa.Table, cut: str, base: Ints) -> tuple[Ints, tuple[str, ...]]:
    value, names = codes(kinds[cut])
    return value[base], tuple(names)


def _bits(column: pa.ChunkedArray, measures: int) -> tuple[Ints, Bools]:
    """Pattern of each row, and pattern × measure; a pattern may be shorter or longer than the measures need."""
    pattern, names = codes(column)
    sets = cast(list[bytes], names)
    width = (measures + 7) // 8
    packed = np.frombuffer(b"".join(item[:width].ljust(width, b"\0") for item in sets), np.uint8)
    bits = np.unpackbits(packed.reshape(len(sets), width), axis=1, bitorder="little")
    return pattern, bits[:, :measures].astype(np.bool_)


def _leaks(conversations: Conversations, kind: Ints, could: Bools, did: Bools) -> tuple[Leaks | None, ...]:
    """`could` and `did` are kind × measure."""
    leaked = could & did
    hot = np.flatnonzero(np.asarray(leaked.any(axis=1))[kind])
    ends = np.append(conversations.starts[1:], len(kind))
    found: list[Leaks | None] = [None] * could.shape[1]
    for measure in np.flatnonzero(leaked.any(axis=0)):
        touched, _ = compress(conversations.of_turn[hot[leaked[kind[hot], measure]]], len(conversations.starts))
        turns = ranges(conversations.starts[touched], ends[touched])
        turns = turns[could[kind[turns], measure]]
        of_turn = conversations.of_turn[turns]
        local = np.searchsorted(touched, of_turn)
        found[measure] = Leaks(kind[turns], did[kind[turns], measure], local, conversations.followed[of_turn])
    return tuple(found)

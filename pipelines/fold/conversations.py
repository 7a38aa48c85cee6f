"""Turns in the order of their conversations, and what is known of each conversation as a whole."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pipelines.fold.columns import Bools, Ints, codes, numbers

LENGTHS = ((1, "1"), (4, "2-4"), (9, "5-9"), (29, "10-29"))
"""Buckets of `conversation_length`: most responses, name; above the last: "30+"."""
_GUESSED = ("caller_hour", "none")


@dataclass(frozen=True)
class Conversations:
    """Conversations of one bucket. `order` sorts the turns; `starts` is where each conversation begins in that order."""

    order: Ints
    starts: Ints
    of_turn: Ints
    """Index of the conversation of each turn, in sorted order."""
    followed: Bools
    """The first response lies in the run and the conversation was found by more than caller and hour."""
    guessed: Bools
    length: Ints
    """Index into LENGTHS (its length for "30+")."""


def order_conversations(turns: pa.Table) -> Conversations:
    """Turns by conversation, inside it by position where the log shows every one of them, else by time."""
    keys, position = numbers(turns, "conversation"), numbers(turns, "position").astype(np.int64)
    index = np.unique(keys, return_inverse=True)[1].astype(np.int64)
    known = np.ones(len(keys), np.bool_)
    known[index[position == 0]] = False
    order = _order(turns, index * (position.max(initial=0) + 1) + np.where(known[index], position, 0))
    of_turn, position = index[order], position[order]
    leads = np.ones(len(keys), np.bool_)
    leads[1:] = of_turn[1:] != of_turn[:-1]
    starts = np.flatnonzero(leads)
    found, names = codes(turns["conversation_source"])
    guessed = np.array([name in _GUESSED for name in names], np.bool_)[found[order][starts]]
    responses = np.maximum(np.diff(np.append(starts, len(keys))), _reduce(np.maximum, position, starts))
    return Conversations(
        order=order,
        starts=starts,
        of_turn=of_turn,
        followed=(_reduce(np.minimum, position, starts) <= 1) & ~guessed,
        guessed=guessed,
        length=np.searchsorted([most for most, _ in LENGTHS], responses),
    )


def _order(turns: pa.Table, place: Ints) -> Ints:
    """Turns by their place, those with the same one by time, and then as they stand in their files."""
    order = np.argsort(place)
    sorted_places = place[order]
    if (sorted_places[1:] != sorted_places[:-1]).all():
        return order.astype(np.int64)
    row = numbers(turns, "choice"), numbers(turns, "source_pos"), codes(turns["source_file"])[0]
    # a stable sort keeps rows that already lie in the order of their files
    tie = () if _rising(*row[::-1]) else row
    return np.lexsort((*tie, numbers(turns, "time"), place)).astype(np.int64)


def _rising(*keys: npt.NDArray[Any]) -> bool:
    """Whether the rows are sorted by the keys, the first one first."""
    equal = np.ones(max(len(keys[0]) - 1, 0), np.bool_)
    for key in keys:
        if (equal & (key[1:] < key[:-1])).any():
            return False
        equal &= key[1:] == key[:-1]
    return True


def _reduce(function: np.ufunc, values: Ints, starts: Ints) -> Ints:
    return np.asarray(function.reduceat(values, starts)) if len(starts) else values[:0]

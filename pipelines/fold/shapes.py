"""Conversations by what their turns are, whatever their order: those alike are counted once, with their number."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pipelines.fold.columns import Ints, sum_ints
from pipelines.fold.conversations import Conversations

_Hashes = npt.NDArray[np.uint64]


@dataclass(frozen=True)
class Shapes:
    """One example of each shape. `code` runs over the turns of the examples, the others over the examples."""

    code: Ints
    """What each turn is: its kind, or anything coarser."""
    starts: Ints
    """Where each example begins among the turns."""
    flags: Ints
    """2 where the conversation is followed from its beginning, and 1 more where it was guessed."""
    number: Ints
    """How many conversations have the shape."""

    @property
    def example(self) -> Ints:
        """The example of each turn."""
        return np.repeat(np.arange(len(self.starts)), np.diff(np.append(self.starts, len(self.code))))


def shapes_of(kind: Ints, conversations: Conversations) -> Shapes:
    """The shapes of conversations; `kind` runs over their turns in sorted order."""
    flags = conversations.followed * 2 + conversations.guessed
    return _distinct(Shapes(kind, conversations.starts, flags.astype(np.int64), np.ones(len(flags), np.int64)))


def coarser(shapes: Shapes, code: Ints) -> Shapes:
    """The shapes where kinds with the same `code` are not told apart."""
    return _distinct(Shapes(code[shapes.code], shapes.starts, shapes.flags, shapes.number))


def _distinct(shapes: Shapes) -> Shapes:
    """Shapes with the same multiset of codes, by a 64-bit hash of it, and the same flags become one."""
    signature = np.add.reduceat(_mix(shapes.code + 4), shapes.starts) + _mix(shapes.flags)
    _, example, shape = np.unique(signature, return_index=True, return_inverse=True)
    if len(example) == len(signature):
        return shapes
    ends = np.append(shapes.starts[1:], len(shapes.code))[example]
    starts = shapes.starts[example]
    return Shapes(
        code=shapes.code[ranges(starts, ends)],
        starts=np.append(0, np.cumsum(ends - starts)[:-1]),
        flags=shapes.flags[example],
        number=sum_ints(shapes.number, shape, len(example)),
    )


def ranges(starts: Ints, ends: Ints) -> Ints:
    """The whole numbers of the ranges start … end − 1, one after the other."""
    lengths = ends - starts
    shift = np.repeat(starts - np.append(0, np.cumsum(lengths)[:-1]), lengths)
    return np.asarray(np.arange(len(shift)) + shift)


def _mix(values: Ints) -> _Hashes:
    """SplitMix64 (Steele, Lea, Flood 2014): neighbouring numbers become unrelated ones, so that sums tell multisets apart."""
    z = (values.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(z ^ (z >> np.uint64(31)))

"""Days whose numbers move when rows come or go, and no others."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pipelines.fold.columns import codes
from pipelines.fold.conversations import order_conversations
from pipelines.history.parts import Keys, Keys64, Mask, Scan, union, within
from pipelines.history.turns import ORDER, whole_conversations

Touched = Callable[[Keys], Mask]
CONVERSATIONS_AT_ONCE = 1 << 18


def moved_days(before: Scan, after: Scan, *, gone: Touched, come: Touched) -> set[str]:
    """Days that are counted differently once the rows `gone` are not there and the rows `come` are.

    Those are, first, the days of the rows and of all that share a turn key with one, since another of them may count now.
    Then, for each conversation that has such a row: the day of its first turn, where it counts as a conversation, as it was
    and as it is; its days after the first such row, which add to what was before them; and when its length falls into
    another bucket of that cut, all of its days.
    """
    relinked = _relinked(before, after)
    days: set[str] = set()
    found: list[_Rows] = []
    for scan, touched in ((before, gone), (after, come)):
        turn_keys = union(keys.turn_key[touched(keys) | relinked(keys)] for keys in scan)
        days |= _days(scan, (keys.day[within(keys.turn_key, turn_keys)] for keys in scan))
        for keys in scan:
            rows = within(keys.turn_key, turn_keys)
            found.append(_Rows(keys.conversation[rows], keys.day[rows], scan.days))
    conversations = union(rows.conversation for rows in found)
    every = (
        _days(scan, (keys.day[within(keys.conversation, conversations)] for keys in scan)) for scan in (before, after)
    )
    if set().union(*every) <= days:
        return days
    for start in range(0, len(conversations), CONVERSATIONS_AT_ONCE):
        some = conversations[start : start + CONVERSATIONS_AT_ONCE]
        days |= _moved(_shapes(before, some), _shapes(after, some), _first_days(found, some))
    return days


def same_turns(before: Scan, after: Scan, days: set[str]) -> set[str]:
    """Of the days those that have the turns that they had, duplicates included, however these are judged now."""
    was, now = _turns_of(before, days), _turns_of(after, days)
    return {day for day in days if np.array_equal(was[day], now[day])}


def _turns_of(scan: Scan, days: set[str]) -> dict[str, Keys64]:
    """The turn keys of each day, sorted."""
    found: dict[str, list[Keys64]] = {day: [np.zeros(0, np.uint64)] for day in days}
    for keys in scan:
        for code in np.unique(keys.day).tolist():
            if scan.days[code] in days:
                found[scan.days[code]].append(keys.turn_key[keys.day == code])
    return {day: np.sort(np.concatenate(parts)) for day, parts in found.items()}


def other_contents(before: Scan, after: Scan, uris: Iterable[str]) -> tuple[str, ...]:
    """Of files that were read again: those that hold none of the turns that they held, so that these are gone."""
    found = []
    for uri in sorted(uris):
        was, now = _turn_keys(before, uri), _turn_keys(after, uri)
        if len(was) and not within(was, now).any():
            found.append(uri)
    return tuple(found)


def _turn_keys(scan: Scan, uri: str) -> Keys64:
    parts = [scan.keys(number) for number in scan.state.sources[uri].parts]
    code = scan.sources.index(uri) if uri in scan.sources else -1
    return union(keys.turn_key[keys.source == code] for keys in parts)


def rows_per_day(scan: Scan) -> dict[str, int]:
    """How many rows each day has, duplicates included."""
    found: dict[str, int] = {}
    for keys in scan:
        for code, count in zip(*np.unique(keys.day, return_counts=True), strict=True):
            day = scan.days[int(code)]
            found[day] = found.get(day, 0) + int(count)
    return found


def _days(scan: Scan, codes: Iterable[npt.NDArray[np.int32]]) -> set[str]:
    return {scan.days[int(code)] for code in union(codes)}


def _relinked(before: Scan, after: Scan) -> Touched:
    """Rows that stayed where they were and belong to another conversation now, since a link of their chain came or went."""
    moved: dict[int, npt.NDArray[np.int64]] = {}
    for number in sorted(before.state.parts.keys() & after.state.parts.keys()):
        if before.state.parts[number].chained:
            one, other = before.keys(number), after.keys(number)
            rows, here, there = np.intersect1d(one.row, other.row, assume_unique=True, return_indices=True)
            moved[number] = rows[one.conversation[here] != other.conversation[there]]
    return lambda keys: np.isin(keys.row, moved.get(keys.part, ()))


@dataclass(frozen=True)
class _Rows:
    """Conversation and day of rows; the days are codes of `names`."""

    conversation: Keys64
    day: npt.NDArray[np.int32]
    names: list[str]


def _first_days(found: Iterable[_Rows], conversations: Keys64) -> dict[int, str]:
    """The earliest day of the rows of each of the conversations (sorted)."""
    first: dict[int, str] = {}
    for rows in found:
        some = within(rows.conversation, conversations)
        ordered = sorted(range(len(rows.names)), key=rows.names.__getitem__)
        rank = np.argsort(ordered)[rows.day[some]]
        earliest = np.full(len(conversations), len(ordered))
        np.minimum.at(earliest, np.searchsorted(conversations, rows.conversation[some]), rank)
        for index in np.flatnonzero(earliest < len(ordered)):
            key, day = int(conversations[index]), rows.names[ordered[earliest[index]]]
            first[key] = min(first.get(key, day), day)
    return first


@dataclass(frozen=True)
class _Shape:
    """What counts of a conversation beyond its single turns."""

    first: str
    """Day of its first turn."""
    length: int
    """Index of its bucket in the cut by length."""
    days: frozenset[str]


def _shapes(scan: Scan, conversations: Keys64) -> dict[int, _Shape]:
    turns = whole_conversations(scan, conversations, ORDER).counted
    if not len(turns):
        return {}
    found = order_conversations(turns)
    day, names = codes(turns["day"])
    day = day[found.order]
    key = turns["conversation"].to_numpy()[found.order][found.starts]
    return {
        int(key[index]): _Shape(
            names[day[start]], int(found.length[index]), frozenset(names[code] for code in np.unique(day[start:end]))
        )
        for index, (start, end) in enumerate(_spans(found.starts, len(day)))
    }


def _spans(starts: npt.NDArray[np.int64], end: int) -> Iterable[tuple[int, int]]:
    return zip(starts.tolist(), [*starts[1:].tolist(), end], strict=True)


def _moved(before: dict[int, _Shape], after: dict[int, _Shape], since: dict[int, str]) -> set[str]:
    moved: set[str] = set()
    for key in before.keys() | after.keys():
        was, now = before.get(key), after.get(key)
        shapes = [shape for shape in (was, now) if shape is not None]
        moved |= {shape.first for shape in shapes}
        moved |= {day for shape in shapes for day in shape.days if day >= since[key]}
        if was is None or now is None or was.length != now.length:
            moved |= set().union(*(shape.days for shape in shapes))
    return moved

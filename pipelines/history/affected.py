"""Days whose numbers may move when rows come or go, and the rows that their numbers are made of."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.history.parts import Keys, Keys64, Mask, Scan

Rows = dict[int, npt.NDArray[np.int64]]
"""Row numbers by part."""


def affected_days(scan: Scan, touched: Callable[[Keys], Mask]) -> set[str]:
    """Days of all rows in a conversation of any row that shares its turn key with a touched one.

    A touched row may change which of its duplicates counts, and that changes the conversations of these duplicates, on all
    of their days; it changes nothing further away.
    """
    turn_keys = _union(keys.turn_key[touched(keys)] for keys in scan)
    conversations = _union(keys.conversation[within(keys.turn_key, turn_keys)] for keys in scan)
    codes = _union(keys.day[within(keys.conversation, conversations)] for keys in scan)
    names = {code: day for day, code in scan.days.items()}
    return {names[int(code)] for code in codes}


def rows_per_day(scan: Scan) -> dict[str, int]:
    """How many rows each day has, duplicates included."""
    found: dict[int, int] = {}
    for keys in scan:
        for code, count in zip(*np.unique(keys.day, return_counts=True), strict=True):
            found[int(code)] = found.get(int(code), 0) + int(count)
    return {day: found[code] for day, code in scan.days.items() if code in found}


def rows_of_days(scan: Scan, days: Iterable[str], *, bucket: int, buckets: int) -> tuple[Rows, Keys64]:
    """All rows that the numbers of `days` depend on, and the conversations to count, of one bucket of conversations.

    Those are the conversations with a row on these days, whole, and every row that shares a turn key with one of theirs.
    """
    codes = np.array([scan.days[day] for day in days if day in scan.days], np.int32)
    conversations = _union(
        _of_bucket(keys.conversation[np.isin(keys.day, codes)], bucket=bucket, buckets=buckets) for keys in scan
    )
    turn_keys = _union(keys.turn_key[within(keys.conversation, conversations)] for keys in scan)
    found = {keys.part: keys.row[within(keys.turn_key, turn_keys)] for keys in scan}
    return {part: rows for part, rows in found.items() if len(rows)}, conversations


def within(keys: Keys64, known: Keys64) -> Mask:
    """Which keys are among the sorted `known` ones."""
    if not len(known):
        return np.zeros(len(keys), np.bool_)
    place = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    return np.asarray(known[place] == keys)


def _of_bucket(conversations: Keys64, *, bucket: int, buckets: int) -> Keys64:
    return conversations if buckets == 1 else conversations[conversations % np.uint64(buckets) == bucket]


def _union(parts: Iterable[npt.NDArray[Any]]) -> npt.NDArray[Any]:
    distinct = [np.unique(part) for part in parts]
    return np.unique(np.concatenate(distinct)) if distinct else np.zeros(0, np.uint64)

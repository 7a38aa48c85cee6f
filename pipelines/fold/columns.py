"""Arrow columns as integer codes and back: names in sorted order, decimals as exact integers, sums by key."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

_TABLE = 16
"""Up to so many possible keys per row a table of flags is faster than sorting."""
_HALF = (1 << 32) - 1


def codes(column: pa.ChunkedArray) -> tuple[Ints, list[str]]:
    """Code per row, and the distinct values in sorted order (bytes or strings); codes follow that order."""
    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    encoded = column.unify_dictionaries().combine_chunks()
    if isinstance(encoded, pa.ChunkedArray):
        encoded = encoded.chunk(0) if encoded.num_chunks else pa.array([], column.type)
    raw = encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64)
    values = encoded.dictionary.to_pylist()
    present, inverse = compress(raw, len(values))
    used = [values[index] for index in present]
    names = sorted(set(used))
    rank = {name: index for index, name in enumerate(names)}
    return np.array([rank[name] for name in used], np.int64)[inverse] if used else inverse, names


def compress(keys: Ints, size: int) -> tuple[Ints, Ints]:
    """The distinct keys (each in 0 … size − 1) in rising order, and for each row the index of its key among them."""
    if size > _TABLE * len(keys) + 256:
        distinct, inverse = np.unique(keys, return_inverse=True)
        return distinct, inverse.astype(np.int64)
    flags = np.zeros(size, np.bool_)
    flags[keys] = True
    return np.flatnonzero(flags), (np.cumsum(flags) - 1)[keys]


def combine(parts: Sequence[tuple[Ints, int]], rows: int) -> tuple[Ints, Ints, int]:
    """One code per row for the combination of several codes: first row of each combination, code per row, how many.

    `parts` are (codes, number of values); combinations are numbered in the order of their parts.
    """
    combined, count = np.zeros(rows, np.int64), 1
    for part, size in parts:
        if size > 1:
            distinct, combined = compress(combined * size + part, count * size)
            count = len(distinct)
    first = np.empty(count if rows else 0, np.int64)
    first[combined[::-1]] = np.arange(rows - 1, -1, -1)
    return first, combined, len(first)


def names_column(code: Ints, names: Sequence[str]) -> pa.Array:
    """A dictionary column that holds only names in use, in sorted order: equal content gives equal bytes."""
    present, inverse = compress(code, max(len(names), 1))
    return pa.DictionaryArray.from_arrays(
        pa.array(inverse.astype(np.int32)), pa.array([names[index] for index in present], pa.string())
    )


def decimal_column(units: Ints, scale: int) -> pa.Array:
    """decimal128(38, scale) from whole numbers of its last digit."""
    words = np.empty((len(units), 2), np.int64)
    words[:, 0] = units
    words[:, 1] = units >> 63
    return pa.Array.from_buffers(pa.decimal128(38, scale), len(units), [None, pa.py_buffer(words.tobytes())])


def sum_decimals(column: pa.ChunkedArray, group: Ints, groups: int) -> pa.Array:
    """Sum of a non-negative decimal128 column by group, exact: 128 bits are added as 32-bit parts with carry."""
    array = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if isinstance(array, pa.ChunkedArray):
        array = array.chunk(0) if array.num_chunks else pa.array([], column.type)
    words = np.frombuffer(array.buffers()[1] or b"", np.uint64, count=2 * len(array), offset=16 * array.offset)
    low, high = words[0::2], words[1::2]
    parts = [sum_ints(part.astype(np.int64), group, groups) for part in (low & _HALF, low >> 32, high)]
    parts[1] += parts[0] >> 32
    parts[2] += parts[1] >> 32
    total = np.empty((groups, 2), np.int64)
    total[:, 0] = (parts[1] << 32) | (parts[0] & _HALF)
    total[:, 1] = parts[2]
    return pa.Array.from_buffers(column.type, groups, [None, pa.py_buffer(total.tobytes())])


def sum_ints(values: Ints, group: Ints, groups: int) -> Ints:
    """Exact 64-bit sums by group."""
    total = np.zeros(groups, np.int64)
    np.add.at(total, group, values)
    return total


def tally(group: Ints, groups: int, weights: npt.NDArray[np.generic] | None = None) -> Ints:
    """Sums of whole weights (or numbers of rows) by group, faster than `sum_ints` and exact below 2^53."""
    return np.bincount(group, weights=weights, minlength=groups).astype(np.int64)


def integers(table: pa.Table, name: str) -> Ints:
    """A column of whole numbers as 64-bit integers."""
    return np.asarray(table[name].to_numpy()).astype(np.int64)


def numbers(table: pa.Table, name: str) -> npt.NDArray[np.generic]:
    """A numeric column as numpy; nulls of a float column become NaN."""
    return np.asarray(table[name].to_numpy())

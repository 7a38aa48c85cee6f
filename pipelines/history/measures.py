"""Bits of parts that were written when there were other measures, moved to where they stand among those of now.

A measure counts as the same only with the same version, so a changed rule keeps its old series and begins a new one.
"""

from collections.abc import Iterable

import pyarrow as pa

from pipelines.history.state import State
from pipelines.schema import Measure


def all_measures(state: State, parts: Iterable[int]) -> tuple[Measure, ...]:
    """The measures of now, and behind them those that only the parts know."""
    names = sorted({state.parts[number].measures for number in parts})
    former = [measure for name in names for measure in state.measures[name]]
    return tuple(dict.fromkeys((*state.measures[state.current], *former)))


def in_order_of(measures: tuple[Measure, ...], state: State, number: int, turns: pa.Table) -> pa.Table:
    """The part's turns with their bits in the order of `measures`."""
    name = state.parts[number].measures
    if name == state.current:
        return turns
    place = {measure: index for index, measure in enumerate(measures)}
    targets = [place[measure] for measure in state.measures[name]]
    for column in ("eligible", "fired"):
        index = turns.schema.get_field_index(column)
        turns = turns.set_column(index, turns.schema.field(index), moved(turns[column], targets))
    return turns


def moved(column: pa.ChunkedArray, targets: list[int]) -> pa.ChunkedArray:
    """Bit sets of which bit i becomes bit `targets[i]`."""
    width = (max(targets, default=0) + 8) // 8
    chunks = []
    for chunk in column.chunks:
        sets = [
            sum(1 << target for bit, target in enumerate(targets) if value >> bit & 1).to_bytes(width, "little")
            for value in (int.from_bytes(packed, "little") for packed in chunk.dictionary.to_pylist())
        ]
        chunks.append(pa.DictionaryArray.from_arrays(chunk.indices, pa.array(sets, pa.binary())))
    return pa.chunked_array(chunks, column.type)

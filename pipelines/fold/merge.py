"""COUNT and USAGE tables added up and brought into their one canonical form."""

from collections.abc import Iterable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipelines.fold.columns import Ints, codes, combine, integers, names_column, sum_decimals, sum_ints
from pipelines.schema import COUNT, GROUP, USAGE

_CELL = (*GROUP, "cut", "cut_value")
ADDED = {
    "clusters": "added_clusters",
    "leaked_clusters": "added_leaked_clusters",
    "sum_leaks_squared": "added_leaks_squared",
    "sum_leaks_turns": "added_leaks_turns",
    "sum_turns_squared": "added_turns_squared",
    "sum_pairs": "added_pairs",
}
"""Columns of COUNT that do not add up over days, and those by which they do."""
_OF_CELL = ("records", "scannable", "responses")


def merge_counts(tables: Iterable[pa.Table]) -> pa.Table:
    """Sum of COUNT tables, sorted; the same bytes whatever the order of tables and however the turns were cut into them."""
    return _merge(tuple(tables), COUNT)


def merge_usage(tables: Iterable[pa.Table]) -> pa.Table:
    """Sum of USAGE tables, sorted."""
    return _merge(tuple(tables), USAGE)


def pool_days(counts: pa.Table) -> pa.Table:
    """The same counts with all days together, under the day "all": conversations that span days are whole, by `added_*`.

    Of a conversation that began before the first of the days, only what its later turns add is in the sums.
    """
    days = counts["day"].cast(pa.string())
    index, field = counts.schema.get_field_index("day"), counts.schema.field("day")
    parts = []
    for day in pc.unique(days).to_pylist():
        part = counts.filter(pc.equal(days, day))
        parts.append(part.set_column(index, field, pa.array(["all"] * len(part)).dictionary_encode()))
    return with_whole_conversations(merge_counts(parts))


def with_whole_conversations(counts: pa.Table) -> pa.Table:
    """The counts with what their days add in place of what lies in each of them."""
    for name, added in ADDED.items():
        place = counts.schema.get_field_index(name)
        counts = counts.set_column(place, counts.schema.field(place), counts[added])
    return counts


def _merge(tables: tuple[pa.Table, ...], schema: pa.Schema) -> pa.Table:
    whole = pa.concat_tables([schema.empty_table(), *(table.select(schema.names) for table in tables)])
    keys = {field.name: codes(whole[field.name]) for field in schema if pa.types.is_dictionary(field.type)}
    first, row, count = combine([(code, len(names)) for code, names in keys.values()], len(whole))
    columns: list[pa.Array] = []
    for field in schema:
        if field.name in keys:
            code, names = keys[field.name]
            columns.append(names_column(code[first], names))
        elif pa.types.is_decimal(field.type):
            columns.append(sum_decimals(whole[field.name], row, count))
        elif schema is COUNT and field.name in _OF_CELL:
            columns.append(pa.array(_cell_sums(tables, whole, keys, field.name)[first]))
        else:
            columns.append(pa.array(sum_ints(integers(whole, field.name), row, count)))
    return pa.Table.from_arrays(columns, schema=schema)


def _cell_sums(
    tables: tuple[pa.Table, ...], whole: pa.Table, keys: dict[str, tuple[Ints, list[str]]], name: str
) -> Ints:
    """For each row the sum over tables of a number that all rows of its cell repeat in each table."""
    _, cell, cells = combine([(keys[key][0], len(keys[key][1])) for key in _CELL], len(whole))
    table = np.repeat(np.arange(len(tables)), [len(part) for part in tables])
    once, _, _ = combine([(cell, cells), (table, max(len(tables), 1))], len(whole))
    return sum_ints(integers(whole, name)[once], cell[once], cells)[cell]

"""Whole conversations of a store, as turns in the order of their places, with which of them count."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipelines.finish.staged import one_chunk
from pipelines.fold import drop_duplicates
from pipelines.history.measures import all_measures, in_order_of
from pipelines.history.parts import Keys64, Mask, Scan, load_rows, union, within
from pipelines.schema import Measure
from pipelines.shard.columns import STAGED_TURN

_PLACE = ("source_file", "source_pos", "choice", "turn_key", "row")
_WHICH_COUNTS = ("answered", "body_logged", "content_state")
_IN_WHICH_ORDER = ("conversation", "conversation_source", "position", "time", "day")
ORDER = tuple(name for name in STAGED_TURN.names if name in {*_PLACE, *_WHICH_COUNTS, *_IN_WHICH_ORDER})
"""Columns that decide which turns count and how they follow each other."""


@dataclass(frozen=True)
class Turns:
    """Rows of whole conversations, duplicates included. Beside the columns asked for, `part` and `row` say where each lies."""

    rows: pa.Table
    counts: Mask
    """Which rows count."""
    measures: tuple[Measure, ...]
    """What the bits stand for, when they were asked for."""

    @property
    def counted(self) -> pa.Table:
        return self.rows.filter(pa.array(self.counts))


def whole_conversations(
    scan: Scan, conversations: Keys64, columns: tuple[str, ...] = tuple(STAGED_TURN.names)
) -> Turns:
    """All turns of the conversations (sorted keys). Whether one counts is decided with all rows that share its turn key."""
    turn_keys = union(keys.turn_key[within(keys.conversation, conversations)] for keys in scan)
    found = {keys.part: keys.row[within(keys.turn_key, turn_keys)] for keys in scan}
    found = {number: rows for number, rows in found.items() if len(rows)}
    measures = all_measures(scan.state, found) if "eligible" in columns else ()
    tables = [_no_rows(columns)]
    for number, rows in found.items():
        table = load_rows(scan, number, rows, columns)
        tables.append(in_order_of(measures, scan.state, number, table) if measures else table)
    turns = _in_order(pa.concat_tables(tables))
    turns = turns.append_column("index", pa.array(np.arange(len(turns))))
    counts = np.zeros(len(turns), np.bool_)
    counts[drop_duplicates(turns)[0]["index"].to_numpy()] = True
    whole = within(turns["conversation"].to_numpy(), conversations)
    return Turns(turns.drop_columns(["index"]).filter(pa.array(whole)), counts[whole], measures)


def _no_rows(columns: tuple[str, ...]) -> pa.Table:
    fields = [STAGED_TURN.field(name) for name in columns]
    return pa.schema([*fields, pa.field("part", pa.int64()), pa.field("row", pa.int64())]).empty_table()


def _in_order(turns: pa.Table) -> pa.Table:
    """The rows in the order of their places, in whatever parts they lie."""
    columns = {name: turns[name].cast(pa.string()) if name == "source_file" else turns[name] for name in _PLACE}
    return one_chunk(turns.take(pc.sort_indices(pa.table(columns), [(name, "ascending") for name in _PLACE])))

"""Turns as kinds: what many turns have in common stands once, and each turn names its kind by number."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from pipelines.fold.columns import Ints, combine, compress
from pipelines.schema import CUTS, GROUP, TURN

KIND = pa.schema(
    [
        TURN.field(name)
        for name in (
            *GROUP,
            *(cut for cut in CUTS if cut != "conversation_length"),
            "content_state",
            "body_logged",
            "sampling_fraction",
            "has_reasoning",
            "eligible",
            "fired",
        )
    ]
)
"""What is counted of a turn but for tokens; a log has few of them."""

ROW = pa.schema(
    [
        *(
            TURN.field(name)
            for name in (
                "conversation",
                "conversation_source",
                "source_file",
                "source_pos",
                "choice",
                "time",
                "position",
                "output_tokens",
                "reasoning_tokens",
                "extra_tokens",
            )
        ),
        pa.field("kind", pa.int64(), nullable=False),
    ]
)
"""What is left of a turn: where it stands, its tokens, and the number of its kind."""


def split(turns: pa.Table) -> tuple[pa.Table, pa.Table]:
    """ROW of TURN rows, in their order, and the KIND table that `kind` counts in."""
    first, kind, _ = combine([_codes(turns[name]) for name in KIND.names], len(turns))
    rows = turns.select(ROW.names[:-1]).append_column(ROW.field("kind"), pa.array(kind))
    return rows, turns.select(KIND.names).take(pa.array(first))


def join(parts: Sequence[tuple[pa.Table, pa.Table]]) -> tuple[pa.Table, pa.Table]:
    """One ROW table and its KIND table from several; equal kinds become one, and those without a row are gone."""
    kinds = pa.concat_tables([KIND.empty_table(), *(part for _, part in parts)]).unify_dictionaries().combine_chunks()
    rows = pa.concat_tables([ROW.empty_table(), *(part for part, _ in parts)]).unify_dictionaries().combine_chunks()
    first, same, _ = combine([_codes(kinds[name]) for name in KIND.names], len(kinds))
    before = np.cumsum([0, *(len(part) for _, part in parts)])[:-1]
    shift = np.repeat(before, [len(part) for part, _ in parts])
    kind = same[rows["kind"].to_numpy() + shift] if len(rows) else np.zeros(0, np.int64)
    used, kind = compress(kind, max(len(first), 1))
    return rows.set_column(len(ROW) - 1, ROW.field("kind"), pa.array(kind)), kinds.take(pa.array(first[used]))


def _codes(column: pa.ChunkedArray) -> tuple[Ints, int]:
    """A code for each row, null as one of them, and how many codes there are."""
    encoded = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
    encoded = encoded.unify_dictionaries().combine_chunks()
    if isinstance(encoded, pa.ChunkedArray):
        encoded = encoded.chunk(0) if encoded.num_chunks else pa.array([], encoded.type)
    indices, size = encoded.indices, len(encoded.dictionary)
    if indices.null_count:
        indices, size = indices.fill_null(size), size + 1
    return indices.to_numpy().astype(np.int64), size

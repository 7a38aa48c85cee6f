"""How many turns reasoned and how many tokens they spent, by GROUP, thinking mode and effort."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipelines.fold.columns import Ints, codes, combine, names_column, numbers, sum_ints, tally
from pipelines.fold.merge import merge_usage
from pipelines.schema import GROUP, USAGE

_KEYS = (*GROUP, "thinking_mode", "reasoning_effort")


def usage_of(rows: pa.Table, kinds: pa.Table) -> pa.Table:
    """USAGE of ROW and KIND without duplicates."""
    kind = numbers(rows, "kind").astype(np.int64)
    turns = tally(kind, len(kinds))
    keys = [codes(kinds[name]) for name in _KEYS]
    first, key, count = combine([(code, len(names)) for code, names in keys], len(kinds))

    def flagged(column: pa.ChunkedArray) -> pa.Array:
        return pa.array(sum_ints(turns * _whole(column), key, count))

    def total(column: pa.ChunkedArray) -> pa.Array:
        return pa.array(sum_ints(_whole(column), key[kind], count))

    columns = [names_column(code[first], names) for code, names in keys]
    columns += [
        flagged(kinds["body_logged"]),
        flagged(kinds["has_reasoning"].is_valid()),
        flagged(kinds["has_reasoning"]),
    ]
    for tokens in (rows["reasoning_tokens"], rows["output_tokens"]):
        columns += [total(tokens.is_valid()), total(tokens)]
    columns.append(total(rows["extra_tokens"]))
    return merge_usage([pa.Table.from_arrays(columns, schema=USAGE)])


def _whole(column: pa.ChunkedArray) -> Ints:
    """Whole numbers, flags as 1 and 0, null as 0."""
    return np.asarray(pc.fill_null(column.cast(pa.int64()), 0).to_numpy())

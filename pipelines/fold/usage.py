"""How many turns reasoned and how many tokens they spent, by GROUP, thinking mode and effort."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipelines.fold.columns import codes, combine, names_column, sum_ints
from pipelines.fold.merge import merge_usage
from pipelines.schema import GROUP, USAGE

_KEYS = (*GROUP, "thinking_mode", "reasoning_effort")


def usage_of(turns: pa.Table) -> pa.Table:
    """USAGE of TURN rows without duplicates."""
    keys = [codes(turns[name]) for name in _KEYS]
    first, row, count = combine([(code, len(names)) for code, names in keys], len(turns))

    def total(column: pa.ChunkedArray) -> pa.Array:
        return pa.array(sum_ints(np.asarray(pc.fill_null(column.cast(pa.int64()), 0).to_numpy()), row, count))

    columns = [names_column(code[first], names) for code, names in keys]
    columns.append(total(turns["body_logged"]))
    for known, summed in (
        ("has_reasoning", "has_reasoning"),
        ("reasoning_tokens", "reasoning_tokens"),
        ("output_tokens", "output_tokens"),
    ):
        columns += [total(pc.is_valid(turns[known])), total(turns[summed])]
    columns.append(total(turns["extra_tokens"]))
    return merge_usage([pa.Table.from_arrays(columns, schema=USAGE)])

"""Rates with intervals, or the reason why there is none, from counts."""

import pyarrow as pa


def rates(
    counts: pa.Table,
    *,
    coverage: pa.Table | None = None,
    minimum_coverage: float = 0.2,
    precision: pa.Table | None = None,
) -> pa.Table:
    """RATE: a row for every COUNT row of the whole GROUP, and for every cut value where a turn could fire."""
    raise NotImplementedError

"""The OpenMetrics file of a finished run, beside its result and where the user wants it."""

from collections.abc import Iterable
from datetime import UTC, datetime

import pyarrow as pa
import pyarrow.compute as pc

from pipelines import store
from pipelines.metrics import COVERAGE_COLUMNS, RATE_COLUMNS, openmetrics

METRICS = "metrics.prom"


def write_metrics(
    folder: str, file: str | None, rates: pa.Table, coverage: pa.Table, *, days: Iterable[str], finished: float
) -> None:
    """Write `metrics.prom` into the result, and the same to `file`. `rates`: RATE of `days` together; `finished`: now."""
    unsplit = rates.filter(pc.equal(rates["cut"], "all"))
    text = openmetrics(
        unsplit.select(RATE_COLUMNS).to_pylist(),
        coverage.select(COVERAGE_COLUMNS).to_pylist(),
        finished=finished,
        day=_start(max(days, default=None)),
    ).encode()
    for place in (store.join(folder, METRICS), file):
        if place is not None:
            store.write(place, text)


def _start(day: str | None) -> float | None:
    return None if day is None else datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp()

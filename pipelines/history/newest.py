"""What the newest complete days of a store say together: what is watched from day to day."""

from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from pipelines.fold import pool_days
from pipelines.history.state import State
from pipelines.history.status import status
from pipelines.outputs import load_counts, load_coverage
from pipelines.rates import rates
from pipelines.schema import COUNT


@dataclass(frozen=True)
class Newest:
    """RATE of the days together, and COVERAGE of their sources."""

    days: tuple[str, ...]
    rates: pa.Table
    coverage: pa.Table


def newest_complete(folder: str, state: State, *, most: int, now: float) -> Newest:
    """Of the last `most` complete days; empty tables where there is none."""
    days = tuple(day.day for day in status(folder, now=now).days if day.status == "complete")[-most:]
    sources = [uri for uri, source in state.sources.items() if not set(days).isdisjoint(source.days)]
    coverage = load_coverage(folder)
    coverage = coverage.filter(pc.is_in(coverage["source_uri"], pa.array(sources, pa.string())))
    counts = COUNT.empty_table()
    if days:
        counts = load_counts(folder, days[0], days[-1])
        counts = counts.filter(pc.is_in(counts["day"].cast(pa.string()), pa.array(days)))
    unsplit = counts.filter(pc.equal(counts["cut"].cast(pa.string()), "all"))
    return Newest(days, rates(pool_days(unsplit), coverage=coverage), coverage)

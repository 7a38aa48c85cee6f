"""Tables of a finished result, whether it is the output folder of one run or a store that grows by the day, as Arrow tables.

An output folder holds one file per table (`counts.parquet`), a store one per table and day (`counts/2026-11-30.parquet`).
"""

from collections.abc import Sequence
from typing import Any

import msgspec
import pyarrow as pa

from pipelines import store
from pipelines.errors import DataError, InputError
from pipelines.schema import COUNT, COVERAGE, DETECTION, RATE, TURN, UNKNOWN, USAGE

MANIFEST = "manifest.json"
STATE = "state.json"
DAY_TABLES = {"counts": COUNT, "usage": USAGE, "rates": RATE, "detections": DETECTION, "turns": TURN}
"""Tables that have a day column: a store keeps each of them by day."""
_SINGLE_FILES = ("counts", "usage", "rates")
"""Of those, what an output folder keeps in one file; the others lie in parts there."""


def is_store(uri: str) -> bool:
    """Whether the folder is a store that grows by the day, and not the output of one run."""
    return store.exists(store.join(uri, STATE))


def load_manifest(uri: str) -> dict[str, Any]:
    """What the result says of itself. Raises InputError where there is none, DataError where it is not complete."""
    if not store.exists(store.join(uri, MANIFEST)):
        if not store.names(uri):
            raise InputError(f"{uri}: no such result, or nothing in it")
        raise DataError(
            f"{uri}: no {MANIFEST}, so the run is still writing or was killed; the same command goes on with it"
        )
    manifest: dict[str, Any] = msgspec.json.decode(store.read(store.join(uri, MANIFEST)))
    return manifest


def load_counts(uri: str, since: str | None = None, until: str | None = None) -> pa.Table:
    """COUNT of the days from `since` to `until` (YYYY-MM-DD, both inclusive; turns without a day only when neither is given)."""
    return load_table(uri, "counts", since, until)


def load_usage(uri: str, since: str | None = None, until: str | None = None) -> pa.Table:
    """USAGE of the days, with shares: which part of the turns reasoned, and tokens per turn."""
    from pipelines.rates import usage_shares

    return usage_shares(load_table(uri, "usage", since, until))


def load_rates(uri: str, since: str | None = None, until: str | None = None) -> pa.Table:
    """RATE of the days, one row per GROUP × cut × measure; `.to_pandas()` for a notebook."""
    return load_table(uri, "rates", since, until)


def load_detections(uri: str, since: str | None = None, until: str | None = None) -> pa.Table:
    """DETECTION of the turns that count, of the days."""
    return load_table(uri, "detections", since, until)


def load_turns(uri: str, since: str | None = None, until: str | None = None) -> pa.Table:
    """TURN of the turns that count, of the days."""
    return load_table(uri, "turns", since, until)


def load_coverage(uri: str) -> pa.Table:
    """COVERAGE of all sources."""
    load_manifest(uri)
    return _in_schema([store.read_parquet(store.join(uri, "coverage.parquet"))], COVERAGE)


def load_table(uri: str, name: str, since: str | None = None, until: str | None = None) -> pa.Table:
    """One of DAY_TABLES, of the days from `since` to `until`. Raises as load_manifest."""
    import pyarrow.compute as pc

    load_manifest(uri)
    schema = DAY_TABLES[name]
    if is_store(uri):
        days = [file.removesuffix(".parquet") for file in store.names(store.join(uri, name))]
        files = [store.join(name, f"{day}.parquet") for day in days if day_within(day, since, until)]
        return _in_schema([store.read_parquet(store.join(uri, file)) for file in files], schema)
    files = [f"{name}.parquet"] if name in _SINGLE_FILES else _parts(uri, name)
    table = _in_schema([store.read_parquet(store.join(uri, file)) for file in files], schema)
    days = pc.unique(table["day"].cast(pa.string())).to_pylist()
    wanted = [day for day in days if day_within(day, since, until)]
    return (
        table if len(wanted) == len(days) else table.filter(pc.is_in(table["day"].cast(pa.string()), pa.array(wanted)))
    )


def day_within(day: str, since: str | None, until: str | None) -> bool:
    """Whether a day lies in the window; a turn without a day lies in the window without bounds only."""
    if day == UNKNOWN:
        return since is None and until is None
    return (since is None or day >= since) and (until is None or day <= until)


def _parts(uri: str, name: str) -> list[str]:
    return [store.join(name, part) for part in store.names(store.join(uri, name))]


def _in_schema(tables: Sequence[pa.Table], schema: pa.Schema) -> pa.Table:
    return pa.concat_tables(
        [schema.empty_table(), *(table.select(schema.names).cast(schema) for table in tables)]
    ).unify_dictionaries()

"""Tables of a finished result, whether it is the output folder of one run or a store that grows by the day, as Arrow tables.

An output folder holds one file per table (`counts.parquet`), a store one per table and day (`counts/2026-11-30.parquet`).
"""

from collections.abc import Sequence
from datetime import date
from typing import Any

import msgspec
import pyarrow as pa

from pipelines import store
from pipelines.errors import ConfigurationError, DataError, InputError
from pipelines.schema import COUNT, COVERAGE, DETECTION, LOSSES, RATE, TURN, UNKNOWN, USAGE

MANIFEST = "manifest.json"
STATE = "state.json"
DAY_TABLES = {"counts": COUNT, "usage": USAGE, "rates": RATE, "detections": DETECTION, "turns": TURN}
"""Tables that have a day column: a store keeps each of them by day."""
_SINGLE_FILES = ("counts", "usage", "rates")
"""Of those, what an output folder keeps in one file; the others lie in parts there."""
_UNREADABLE: tuple[type[Exception], ...] = (*store.DAMAGE, InputError, KeyError)


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
    try:
        manifest = msgspec.json.decode(store.read(store.join(uri, MANIFEST)), type=dict[str, Any])
        if not all(isinstance(manifest.get(name, {}), dict) for name in ("inputs", "options", "rules")):
            raise DataError(f"{uri}: {MANIFEST} was not written by leakrate")
    except (msgspec.MsgspecError, RecursionError, InputError) as error:
        raise _damaged(uri, MANIFEST) from error
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


def load_detections(
    uri: str, since: str | None = None, until: str | None = None, *, columns: Sequence[str] = tuple(DETECTION.names)
) -> pa.Table:
    """DETECTION of the turns that count, of the days; or some of its columns."""
    return load_table(uri, "detections", since, until, columns=columns)


def load_turns(uri: str, since: str | None = None, until: str | None = None) -> pa.Table:
    """TURN of the turns that count, of the days."""
    return load_table(uri, "turns", since, until)


def load_coverage(uri: str) -> pa.Table:
    """COVERAGE of all sources."""
    load_manifest(uri)
    return _in_schema([_read(uri, "coverage.parquet", COVERAGE)], COVERAGE)


class _Source(msgspec.Struct):
    seen: float
    days: tuple[str, ...] = ()


class _State(msgspec.Struct):
    """Of the state of a store what concerns others: when the last run began, and which days each file has turns of."""

    started: float
    sources: dict[str, _Source]


def incomplete_files(uri: str, since: str | None = None, until: str | None = None) -> tuple[str, ...]:
    """Files that were not read to their end, so that nobody knows how much is missing. Raises as load_manifest.

    Of a store those that have turns of the days, and those without any turn with a day that lay there at the last run.
    """
    coverage = load_coverage(uri)
    rows = zip(coverage["source_uri"].to_pylist(), coverage["detail"].to_pylist(), strict=True)
    files = sorted({file for file, detail in rows if any(name in LOSSES for name, _ in detail)})
    if not files or not is_store(uri):
        return tuple(files)
    state = msgspec.json.decode(store.read(store.join(uri, STATE)), type=_State)

    def concerned(file: str) -> bool:
        source = state.sources[file]
        dated = [day for day in source.days if day != UNKNOWN]
        return any(day_within(day, since, until) for day in dated) or (not dated and source.seen == state.started)

    return tuple(file for file in files if file in state.sources and concerned(file))


def load_table(
    uri: str, name: str, since: str | None = None, until: str | None = None, *, columns: Sequence[str] | None = None
) -> pa.Table:
    """One of DAY_TABLES, of the days from `since` to `until`; all its columns or some. Raises as load_manifest and check_window."""
    import pyarrow.compute as pc

    check_window(since, until)
    load_manifest(uri)
    whole = DAY_TABLES[name]
    schema = whole if columns is None else pa.schema([whole.field(column) for column in columns])
    if is_store(uri):
        files = [file for file in _parts(uri, name) if day_within(_day_of(file), since, until)]
        return _in_schema([_read(uri, file, schema) for file in files], schema)
    files = [f"{name}.parquet"] if name in _SINGLE_FILES else _parts(uri, name)
    needed = schema if "day" in schema.names else schema.append(whole.field("day"))
    table = _in_schema([_read(uri, file, needed) for file in files], needed)
    days = pc.unique(table["day"].cast(pa.string())).to_pylist()
    wanted = [day for day in days if day_within(day, since, until)]
    if len(wanted) < len(days):
        table = table.filter(pc.is_in(table["day"].cast(pa.string()), pa.array(wanted, pa.string())))
    return table.select(schema.names)


def check_window(since: str | None, until: str | None) -> None:
    """Raise ConfigurationError for what is no day as tables write it (they are compared as text), or a window without days."""
    for name, day in (("--since", since), ("--until", until)):
        if day is not None and not _is_day(day):
            raise ConfigurationError(f"{name} {day}: no such day; allowed: YYYY-MM-DD")
    if since is not None and until is not None and since > until:
        raise ConfigurationError(f"--since {since} lies behind --until {until}")


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def day_within(day: str, since: str | None, until: str | None) -> bool:
    """Whether a day lies in the window; a turn without a day lies in the window without bounds only."""
    if day == UNKNOWN:
        return since is None and until is None
    return (since is None or day >= since) and (until is None or day <= until)


def _day_of(file: str) -> str:
    """The day of `counts/2026-11-30.parquet`, or of one file of a day that needs several, `turns/2026-11-30.00001.parquet`."""
    return file.rsplit("/", 1)[-1].split(".")[0]


def _parts(uri: str, name: str) -> list[str]:
    return [store.join(name, part) for part in store.names(store.join(uri, name))]


def _read(uri: str, file: str, schema: pa.Schema) -> pa.Table:
    """The columns of one file of a result. Raises DataError for a file that is not there, is damaged or has other columns."""
    try:
        return store.read_parquet(store.join(uri, file), schema.names).select(schema.names).cast(schema)
    except _UNREADABLE as error:
        raise _damaged(uri, file) from error


def _damaged(uri: str, file: str) -> DataError:
    return DataError(f"{uri}: {file} is missing, damaged or of another version; judge its logs again")


def _in_schema(tables: Sequence[pa.Table], schema: pa.Schema) -> pa.Table:
    return pa.concat_tables([schema.empty_table(), *tables]).unify_dictionaries()

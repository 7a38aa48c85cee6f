"""The published part of a store put in place: days one by one, then coverage, rejects, state and manifest."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.compute as pc

from pipelines import store
from pipelines.finish.commit import audited, made_by
from pipelines.finish.coverage import coverage_table
from pipelines.finish.staged import one_chunk, with_positions
from pipelines.fold import merge_counts, pool_days
from pipelines.history.days import fold_days, read_day_coverage, write_day
from pipelines.history.parts import Scan, sweep, uri_of
from pipelines.history.state import State, write_state
from pipelines.job import Options
from pipelines.outputs import MANIFEST
from pipelines.rates import rates
from pipelines.schema import REJECT


@dataclass(frozen=True)
class Published:
    """What was put in place."""

    state: State
    days: tuple[str, ...]
    coverage: pa.Table
    pooled: pa.Table


def publish(scan: Scan, before: State, *, days: set[str], waiting: set[str], options: Options) -> Published:
    """Fold the days and replace their files, then all that speaks of the store as a whole."""
    folder, after, precision = scan.folder, scan.state, audited(options)
    noted = tuple(sorted(days | waiting))
    write_state(folder, msgspec.structs.replace(before, waiting=noted, writing=True))
    store.remove(store.join(folder, MANIFEST))
    known, counts = dict(after.days), []
    for day, parts in fold_days(scan, days):
        written = write_day(scan, day, parts, folded=after.started, precision=precision)
        known.pop(day, None)
        if written is not None:
            known[day] = written
            counts.append(merge_counts([part.counts for part in parts]))
    after = msgspec.structs.replace(
        after, days=dict(sorted(known.items())), waiting=tuple(sorted(waiting)), writing=False
    )
    coverage = _coverage(folder, after)
    store.write_parquet(store.join(folder, "coverage.parquet"), coverage)
    store.write_parquet(store.join(folder, "rejects.parquet"), _rejects(scan, after))
    write_state(folder, after)
    manifest = _manifest(after, options)
    store.write(store.join(folder, MANIFEST), msgspec.json.format(msgspec.json.encode(manifest), indent=1) + b"\n")
    sweep(folder, after.parts)
    pooled = rates(pool_days(merge_counts(counts)), coverage=coverage, precision=precision)
    return Published(after, tuple(sorted(days & known.keys())), coverage, pooled)


def _coverage(folder: str, state: State) -> pa.Table:
    files = [(uri, source.coverage[0][0]) for uri, source in state.sources.items()]
    read = ((uri, name, counts) for uri, source in state.sources.items() for name, counts in source.coverage)
    return coverage_table(files, [tuple(read), *(read_day_coverage(folder, day) for day in state.days)])


def _rejects(scan: Scan, state: State) -> pa.Table:
    tables = [REJECT.empty_table()]
    for number, part in state.parts.items():
        rows = store.read_parquet(uri_of(scan.folder, "rejects", number))
        if len(rows):
            rows = rows.filter(pc.is_in(rows["source_uri"], pa.array(sorted(scan.live[number]), pa.string())))
            tables.append(with_positions(rows, part.base))
    names = ("source_uri", "source_pos", "stage", "code")
    return one_chunk(pa.concat_tables(tables).sort_by([(name, "ascending") for name in names]))


def _manifest(state: State, options: Options) -> Mapping[str, Any]:
    return {
        **made_by(options.model),
        "store": True,
        "run": state.run,
        "inputs": {
            "digest": _digest(f"{uri}|{one.version}" for uri, one in sorted(state.sources.items())),
            "files": len(state.sources),
        },
        "options": {
            "evidence": options.evidence,
            "deployments": options.deployments,
            "mapping": options.mapping,
            "labels": options.labels,
        },
        "model": options.model,
        "days": [day for day in state.days if day[:1].isdigit()],
        "rows": {"turns": sum(day.turns for day in state.days.values())},
    }


def _digest(parts: Iterable[str]) -> str:
    return blake2b("\0".join(parts).encode("utf-8", "replace"), digest_size=16).hexdigest()

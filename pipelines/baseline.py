"""Accepted runs as one file: their COUNT tables, and in its metadata which versions of the rules made them."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from pipelines import store
from pipelines.errors import DataError, InputError
from pipelines.outputs import MANIFEST, check_window, day_within, incomplete_files, is_store
from pipelines.schema import COUNT, UNKNOWN

MAXIMUM_REJECT_RATE = 0.05
_METADATA = b"leakrate.baseline"
_FORMAT = 1
_RUN = pa.field("run", pa.string(), nullable=False)
_VERSIONS = pa.schema([pa.field("measure", pa.string(), False), pa.field("measure_version", pa.string(), False)])


@dataclass(frozen=True)
class Run:
    """One finished run: a name for people, a digest that equal runs share, what its manifest says, and its counts."""

    name: str
    digest: str
    manifest: Mapping[str, Any]
    counts: pa.Table

    @property
    def versions(self) -> tuple[tuple[str, str], ...]:
        """(measure, version) of all that was counted, sorted; one measure twice where days were judged differently."""
        pairs = self.counts.select(["measure", "measure_version"]).cast(_VERSIONS)
        return tuple(
            sorted(
                (row["measure"], row["measure_version"])
                for row in pairs.group_by(_VERSIONS.names).aggregate([]).to_pylist()
            )
        )

    @property
    def days(self) -> tuple[str, ...]:
        """The days that were counted, sorted."""
        return tuple(sorted(set(pc.unique(self.counts["day"].cast(pa.string())).to_pylist()) - {UNKNOWN}))


@dataclass(frozen=True)
class Window:
    """What is taken of a run: days from `since` to `until` (YYYY-MM-DD, inclusive), and how many rejects it may have."""

    since: str | None = None
    until: str | None = None
    maximum_reject_rate: float = MAXIMUM_REJECT_RATE


ALL = Window()


def window(since: str | None, until: str | None, maximum_reject_rate: float) -> Window:
    """The window that options name. Raises ConfigurationError for what is no day, or a window without days."""
    check_window(since, until)
    return Window(since, until, maximum_reject_rate)


def load_runs(folders: Sequence[str], window: Window = ALL) -> tuple[Run, ...]:
    """The runs in output folders or stores, in the order of their digests, each once however often it is named.

    Raises InputError for a missing folder, DataError for a run that is unfinished, unreadable or has too many rejects, and for runs
    that were judged by different versions of a rule.
    """
    runs = {run.digest: run for run in (_load(folder, window) for folder in folders)}
    ordered = tuple(runs[digest] for digest in sorted(runs))
    check_versions(ordered)
    return ordered


def check_versions(runs: Iterable[Run]) -> None:
    """Raises DataError where two runs judged one measure by different versions of its rules."""
    seen: dict[str, tuple[str, Run]] = {}
    for run in runs:
        for measure, version in run.versions:
            known, first = seen.setdefault(measure, (version, run))
            if known != version:
                names = run.name if run is first else f"{first.name} and {run.name}"
                raise DataError(
                    f"{names} judged {measure} by different versions of its rules ({known} and {version}), "
                    "so their counts cannot be taken together"
                )


def accept(runs: Sequence[Run], file: str) -> None:
    """Write the runs as a baseline, whole or not at all."""
    parts = [run.counts.append_column(_RUN, pa.array([run.digest] * len(run.counts), pa.string())) for run in runs]
    about = {
        "format": _FORMAT,
        "runs": [{"name": run.name, "digest": run.digest, "manifest": run.manifest} for run in runs],
    }
    table = pa.concat_tables(parts).unify_dictionaries().combine_chunks()
    text = json.dumps(about, sort_keys=True, ensure_ascii=True).encode()
    store.write_parquet(file, table.replace_schema_metadata({_METADATA: text}))


def read_baseline(uri: str, *, maximum_reject_rate: float = MAXIMUM_REJECT_RATE) -> tuple[Run, ...]:
    """The accepted runs of a baseline file, or the one run of an output folder or store.

    Raises InputError when there is nothing there, DataError when it is no baseline of this version or an unfinished run.
    """
    if not store.exists(uri):
        raise InputError(f"baseline {uri} does not exist; make one with: leakrate baseline accept OUT --as FILE")
    if store.names(uri):
        return load_runs([uri], Window(maximum_reject_rate=maximum_reject_rate))
    table = _parquet(uri, "baseline")
    about = json.loads((table.schema.metadata or {}).get(_METADATA, b"{}"))
    if about.get("format") != _FORMAT or table.schema.names != [*COUNT.names, _RUN.name]:
        raise DataError(f"{uri} is not a baseline that this version can read; accept its runs again")
    found = []
    for run in about["runs"]:
        counts = table.filter(pc.equal(table[_RUN.name], run["digest"])).drop_columns([_RUN.name])
        found.append(Run(run["name"], run["digest"], run["manifest"], counts.cast(COUNT).replace_schema_metadata(None)))
    return tuple(found)


def _load(folder: str, window: Window) -> Run:
    if not store.exists(folder):
        raise InputError(f"run {folder} does not exist")
    place = store.join(folder, MANIFEST)
    if not store.exists(place):
        raise DataError(
            f"run {folder} is not finished: it has no {MANIFEST}; run the same command again to complete it"
        )
    content = store.read(place)
    try:
        manifest = json.loads(content)
        manifest = {name: manifest[name] for name in ("leakrate", "inputs", "model")}
        digest = hashlib.sha256(str(manifest["inputs"]["digest"]).encode())
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise DataError(f"run {folder} has a {MANIFEST} that this version cannot read") from error
    counts = _counts(folder, window)
    _check_rejects(folder, window.maximum_reject_rate)
    _check_complete(folder, window)
    digest.update(_bytes(counts))
    return Run(folder.rstrip("/").rsplit("/", 1)[-1], digest.hexdigest()[:16], manifest, counts)


def _counts(folder: str, window: Window) -> pa.Table:
    """COUNT of the window."""
    files = [store.join(folder, "counts.parquet")]
    if is_store(folder):
        files = [store.join(folder, "counts", name) for name in store.names(store.join(folder, "counts"))]
    tables = [_parquet(file, "run") for file in files]
    if any(not set(COUNT.names) <= set(table.schema.names) for table in tables):
        raise DataError(f"run {folder} was counted by another version of leakrate; judge its logs again")
    whole = pa.concat_tables([COUNT.empty_table(), *(table.select(COUNT.names).cast(COUNT) for table in tables)])
    whole = whole.replace_schema_metadata(None)
    days = pc.unique(whole["day"].cast(pa.string())).to_pylist()
    wanted = [day for day in days if day_within(day, window.since, window.until)]
    return whole.filter(pc.is_in(whole["day"].cast(pa.string()), pa.array(wanted, pa.string())))


def _bytes(table: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    plain = table.unify_dictionaries().combine_chunks()
    with pa.ipc.new_stream(sink, plain.schema) as writer:
        writer.write_table(plain)
    return bytes(sink.getvalue())


def _parquet(uri: str, what: str) -> pa.Table:
    if not store.exists(uri):
        raise DataError(f"{what} is incomplete: {uri} is missing")
    try:
        return store.read_parquet(uri)
    except (pa.ArrowException, OSError) as error:
        raise DataError(f"{what} cannot be read: {uri} is not a Parquet file, or is damaged") from error


def _check_complete(folder: str, window: Window) -> None:
    files = incomplete_files(folder, window.since, window.until)
    if files:
        more = f" and {len(files) - 1:,} more" if len(files) > 1 else ""
        raise DataError(
            f"run {folder} is not complete: {files[0]}{more} could not be read to the end, so it cannot be judged; "
            "repair or remove what is damaged and run again"
        )


def _check_rejects(folder: str, maximum: float) -> None:
    """Items and runs of rules that failed, as a share of all items."""
    coverage = _parquet(store.join(folder, "coverage.parquet"), "run")
    items = pc.sum(coverage["items"]).as_py() or 0
    failed = pc.sum(coverage["rejected"]).as_py() or 0
    for detail in coverage["detail"].to_pylist():
        failed += sum(count for name, count in detail if name.startswith("rejected.rule."))
    if items and failed > maximum * items:
        raise DataError(
            f"run {folder} could not read {failed:,} of {items:,} items, more than the {maximum:.0%} that are allowed, "
            "so it cannot be judged"
        )

"""Rows of a store's parts: written once from finished shards, then read by key columns or by row.

A part holds the rows of one shard, duplicates included, with the bits of the measures of its time.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from pipelines import store
from pipelines.finish.chains import LINKS, follow, followed
from pipelines.finish.staged import one_chunk, staged_turns, with_positions
from pipelines.history.state import Part, State
from pipelines.job import Finished
from pipelines.schema import Measure
from pipelines.shard import part_uri
from pipelines.shard.columns import STAGED_TURN

FOLDER = "_parts"
_CHAIN = "response_chain"
HELD_ROWS = 1 << 24
"""So many rows' keys stay in memory (20 bytes a row); those of further parts are read anew in each pass."""
Mask = npt.NDArray[np.bool_]
Keys64 = npt.NDArray[np.uint64]


def uri_of(folder: str, table: str, number: int) -> str:
    return store.join(folder, FOLDER, f"{number:07d}.{table}.parquet")


def measures_name(measures: tuple[Measure, ...]) -> str:
    """Short hash of a list of measures."""
    return blake2b(msgspec.json.encode(measures), digest_size=8).hexdigest()


@dataclass(frozen=True)
class Adopted:
    """A new part, and the days of each file that has turns or rejects in it."""

    part: Part
    days_of: dict[str, set[str]]


def adopt(folder: str, number: int, *, work: str, shard: Finished, measures: str) -> Adopted:
    """Write the part of a finished shard; `measures` names the list that its bits stand for."""
    turns = staged_turns(work, [Finished(shard.sid, 0, 0, shard.turns, shard.chained)])
    turns = one_chunk(turns.select(STAGED_TURN.names))
    rejects = store.read_stream(part_uri(work, "rejects", shard.sid))
    detections = store.read_stream(part_uri(work, "detections", shard.sid))
    for table, rows in (("turns", turns), ("detections", detections), ("rejects", rejects)):
        store.write_parquet(uri_of(folder, table, number), one_chunk(rows))
    days_of: dict[str, set[str]] = {uri: set() for uri in rejects["source_uri"].to_pylist()}
    pairs = turns.group_by(["source_file", "day"]).aggregate([])
    for uri, day in zip(pairs["source_file"].to_pylist(), pairs["day"].to_pylist(), strict=True):
        days_of.setdefault(uri, set()).add(day)
    days = tuple(sorted(set().union(*days_of.values())))
    chained = shard.chained > 0 or _CHAIN in pc.unique(turns["conversation_source"].cast(pa.string())).to_pylist()
    return Adopted(Part(len(turns), shard.base, chained, measures, days), days_of)


def sweep(folder: str, keep: Iterable[int]) -> None:
    """Delete the parts that are not among `keep`."""
    wanted = {f"{number:07d}" for number in keep}
    for name in store.names(store.join(folder, FOLDER)):
        if name.split(".")[0] not in wanted:
            store.remove(store.join(folder, FOLDER, name))


@dataclass(frozen=True)
class Keys:
    """Key columns of the rows of one part that count as read; `row` is their number in the part."""

    part: int
    row: npt.NDArray[np.int64]
    turn_key: Keys64
    conversation: Keys64
    """Chains of responses followed to their beginning."""
    day: npt.NDArray[np.int32]
    """Code of the day, see Scan.days."""
    source: npt.NDArray[np.int32]
    """Code of the source, see Scan.sources."""


@dataclass
class Scan:
    """The keys of all parts of one state of a store, part by part, as often as they are asked for."""

    folder: str
    state: State
    live: dict[int, frozenset[str]] = field(init=False)
    links: pa.Table = field(init=False)
    days: list[str] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)
    _held: dict[int, Keys] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.live = self.state.live()
        self.links = _links(self.folder, self.state, self.live)

    def __iter__(self) -> Iterator[Keys]:
        for number in sorted(self.state.parts):
            yield self.keys(number)

    def keys(self, number: int) -> Keys:
        if number in self._held:
            return self._held[number]
        part = self.state.parts[number]
        columns = ["turn_key", "conversation", "day", "source_file", *(["conversation_source"] if part.chained else [])]
        table, row = live_rows(store.read_parquet(uri_of(self.folder, "turns", number), columns), self.live[number])
        if part.chained:
            table = follow(table, self.links)
        keys = Keys(
            part=number,
            row=row,
            turn_key=_whole(table, "turn_key"),
            conversation=_whole(table, "conversation"),
            day=_coded(table["day"], self.days),
            source=_coded(table["source_file"], self.sources),
        )
        if sum(len(held.row) for held in self._held.values()) + len(row) <= HELD_ROWS:
            self._held[number] = keys
        return keys


def live_rows(table: pa.Table, live: frozenset[str]) -> tuple[pa.Table, npt.NDArray[np.int64]]:
    """The rows of the sources that count, and their numbers."""
    names = one_chunk(table)["source_file"]
    used = set(pc.unique(names.cast(pa.string())).to_pylist())
    if used <= live:
        return table, np.arange(len(table), dtype=np.int64)
    mask = pc.is_in(names.cast(pa.string()), pa.array(sorted(live), pa.string())).to_numpy()
    return table.filter(pa.array(mask)), np.flatnonzero(mask)


def load_rows(scan: Scan, number: int, rows: npt.NDArray[np.int64], columns: Sequence[str]) -> pa.Table:
    """Rows of one part by number, as they count now: positions in their file, chains followed, `part` and `row` beside them."""
    part = scan.state.parts[number]
    table = store.read_parquet(uri_of(scan.folder, "turns", number), list(columns)).take(pa.array(rows))
    table = follow(with_positions(table.select(columns), part.base), scan.links)
    table = table.append_column("part", pa.array(np.full(len(rows), number, np.int64)))
    return table.append_column("row", pa.array(rows))


def within(keys: Keys64, known: Keys64) -> Mask:
    """Which keys are among the sorted `known` ones."""
    if not len(known):
        return np.zeros(len(keys), np.bool_)
    place = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    return np.asarray(known[place] == keys)


def union(parts: Iterable[npt.NDArray[Any]]) -> npt.NDArray[Any]:
    """The distinct values of all parts, sorted."""
    distinct = [np.unique(part) for part in parts]
    return np.unique(np.concatenate(distinct)) if distinct else np.zeros(0, np.uint64)


def _links(folder: str, state: State, live: Mapping[int, frozenset[str]]) -> pa.Table:
    pairs: list[tuple[int, int]] = []
    for number, part in sorted(state.parts.items()):
        if part.chained:
            columns = ["response", "conversation", "source_file"]
            table, _ = live_rows(store.read_parquet(uri_of(folder, "turns", number), columns), live[number])
            table = table.filter(table["response"].is_valid())
            pairs += zip(table["response"].to_pylist(), table["conversation"].to_pylist(), strict=True)
    return followed(dict(sorted(pairs))) if pairs else LINKS.empty_table()


def _whole(table: pa.Table, name: str) -> Keys64:
    return np.ascontiguousarray(table[name].to_numpy())


def _coded(column: pa.ChunkedArray, known: list[str]) -> npt.NDArray[np.int32]:
    """Codes of the names in `known`, to which new names are added."""
    encoded = pa.table({"": column}).unify_dictionaries().combine_chunks()[""]
    if not encoded.num_chunks:
        return np.zeros(0, np.int32)
    chunk = encoded.chunk(0)
    names = chunk.dictionary.to_pylist()
    known += sorted(set(names) - set(known))
    code = {name: place for place, name in enumerate(known)}
    codes: npt.NDArray[np.int32] = np.array([code[name] for name in names], np.int32)
    return np.asarray(codes[chunk.indices.to_numpy()])

"""What a store knows of its sources, parts and days; one file, replaced whole, says what the published days hold.

Whatever else lies in the store and is not named here is the rest of a run that was killed.
"""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta

import msgspec

from pipelines import store
from pipelines.errors import DataError
from pipelines.outputs import STATE
from pipelines.schema import Measure

VERSION = 1
Counts = tuple[tuple[str, dict[str, int]], ...]


class Source(msgspec.Struct, frozen=True):
    """One file that was read, as it was then."""

    version: str
    """Size and version in its file system: equal means that it has not changed."""
    salt: str
    """Hash of code, options and deployment history with which it was read."""
    seen: float
    """Start of the last run that listed it, seconds since 1970."""
    read: float = 0.0
    """Start of the run that read it."""
    joins: bool = False
    """Its rows have partners in other files."""
    lends: bool = False
    """Its rows are no turns and complete those of other files."""
    parts: tuple[int, ...] = ()
    days: tuple[str, ...] = ()
    coverage: Counts = ()
    """(format, counter → number) of its items, whatever became of their turns."""


class Part(msgspec.Struct, frozen=True):
    """TURN, DETECTION and REJECT rows of one shard."""

    rows: int
    base: int
    """Places of its file before it: added to its positions."""
    chained: bool
    measures: str
    """Which list of measures its bits stand for."""
    days: tuple[str, ...]


class Day(msgspec.Struct, frozen=True):
    """One published day."""

    folded: float
    """Start of the run that last folded it, seconds since 1970."""
    turns: int
    """That count."""
    responses: int
    sources: int


class State(msgspec.Struct, frozen=True):
    """All that a store knows."""

    version: int = VERSION
    run: int = 0
    """Number of the last run that changed anything."""
    started: float = 0.0
    max_reject_rate: float = 0.05
    sources: dict[str, Source] = {}
    parts: dict[int, Part] = {}
    days: dict[str, Day] = {}
    waiting: tuple[str, ...] = ()
    """Days with turns that are not published as they should be: outside the window of the runs, or a run was killed."""
    writing: bool = False
    """A run began to publish and did not end."""
    measures: dict[str, tuple[Measure, ...]] = {}
    """Lists of measures by name, in the order of their bits."""
    current: str = ""
    """Name of the list of the last run."""

    def live(self) -> dict[int, frozenset[str]]:
        """The sources whose rows count, by part."""
        found: dict[int, set[str]] = {number: set() for number in self.parts}
        for uri, source in self.sources.items():
            for number in source.parts:
                found[number].add(uri)
        return {number: frozenset(uris) for number, uris in found.items()}


_decoder = msgspec.json.Decoder(State)


def read_state(folder: str) -> State | None:
    """The state of a store, None where there is none yet. Raises DataError for a file that is not one."""
    uri = store.join(folder, STATE)
    if not store.exists(uri):
        return None
    try:
        state = _decoder.decode(store.read(uri))
    except msgspec.MsgspecError as error:
        raise DataError(f"{uri}: not the state of a store; take it and the folder out of a backup") from error
    if state.version != VERSION:
        raise DataError(f"{uri}: written by another version of leakrate ({state.version}, this one reads {VERSION})")
    return state


def write_state(folder: str, state: State) -> None:
    store.write(store.join(folder, STATE), msgspec.json.encode(state))


def without_unused(state: State) -> State:
    """The state without parts of which no row counts, and without lists of measures that no part needs."""
    used = {number for source in state.sources.values() for number in source.parts}
    parts = {number: part for number, part in state.parts.items() if number in used}
    lists = {state.current, *(part.measures for part in parts.values())}
    measures = {name: measures for name, measures in state.measures.items() if name in lists}
    return msgspec.structs.replace(state, parts=parts, measures=measures)


def last_day(started: float) -> str:
    """The day behind that of a run that started then: what is dated later has a wrong clock.

    Such turns are published, and nothing else goes by them.
    """
    return (datetime.fromtimestamp(started, UTC) + timedelta(days=1)).date().isoformat()


def newest_day(days: Iterable[str], until: str) -> str | None:
    """The last dated day not behind `until`."""
    dated = [day for day in days if day[:1].isdigit() and day <= until]
    return max(dated, default=None)


def totals(coverage: Counts) -> Mapping[str, int]:
    """Counters of a source over its formats."""
    found: dict[str, int] = {}
    for _, counts in coverage:
        for name, count in counts.items():
            found[name] = found.get(name, 0) + count
    return found

"""Which files a run of a store has to read, and how: those that are new, that have changed, or whose partners have.

A file that lies unchanged is not opened at all. When only code, options or deployment history have changed, the files of the
lookback are read again; older days keep the numbers that were published.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from hashlib import blake2b

import msgspec

from pipelines import store
from pipelines.history.state import Source, State, last_day, newest_day, totals
from pipelines.job import Options
from pipelines.plan import Plan, code_version, plan
from pipelines.shard.suspects import measures

_ANOTHER_TIME = frozenset({"rejected.unreadable_file", "rejected.piece_given_up"})


@dataclass(frozen=True)
class Listing:
    """The inputs of a run as they lie there, by URI: size and version."""

    versions: dict[str, str]
    named: frozenset[str]
    """Those that were asked for by name."""

    def changed(self, state: State) -> list[str]:
        """Files that are new or have changed, and those of which something was lost that may be there another time."""
        known = state.sources
        return [
            uri
            for uri, version in self.versions.items()
            if uri not in known
            or known[uri].version != version
            or not _ANOTHER_TIME.isdisjoint(totals(known[uri].coverage))
        ]


def listing(inputs: Iterable[str], folder: str) -> Listing:
    """All files of the inputs, local ones by their absolute path, so that a file has one name from wherever it is asked for.

    Raises InputError for an input that is missing.
    """
    found = {entry.uri: entry for entry in store.all_entries(map(absolute, inputs), without=absolute(folder))}
    versions = {uri: f"{entry.size}|{entry.version}" for uri, entry in sorted(found.items())}
    return Listing(versions, frozenset(uri for uri, entry in found.items() if entry.named))


def absolute(uri: str) -> str:
    """The absolute path of a local name, any other URL as it is."""
    return store.filesystem(uri)[1] if store.is_local(uri) else uri


def salt_of(options: Options, log_format: str) -> str:
    """Hash of everything but the file itself that decides what is read out of it."""
    fixed = msgspec.structs.replace(options, work="", labels=None, since=None, until=None)
    files = [store.read(uri) for uri in (options.deployments, options.mapping) if uri is not None]
    judged = msgspec.json.encode(measures(options.model))
    parts = (msgspec.json.encode(fixed), judged, log_format.encode(), code_version().encode(), *files)
    return blake2b(b"\0".join(parts), digest_size=16).hexdigest()


def lookback_of(days: Iterable[str], lookback: int, *, started: float, until: str | None = None) -> tuple[str, str]:
    """First and last day of the lookback: `lookback` days before the newest one, up to it; "" before there is any.

    Days behind `until`, and those in the future of a run that started then, are not the newest one.
    """
    last = last_day(started)
    newest = newest_day(days, last if until is None else min(last, until))
    return ("", "") if newest is None else (_days_before(newest, lookback), newest)


def _days_before(newest: str, lookback: int) -> str:
    return date.fromordinal(max(date.fromisoformat(newest).toordinal() - lookback, 1)).isoformat()


@dataclass(frozen=True)
class Recent:
    """What lies in the lookback: files with a turn on or after its first day, and files without one that has a day, read since then."""

    day: str
    seconds: float
    last: str
    """Behind it are days in the future."""

    def __contains__(self, source: Source) -> bool:
        newest = newest_day(source.days, self.last)
        return source.read >= self.seconds if newest is None else newest >= self.day


def plan_of_changes(
    state: State, files: Listing, *, salt: str, recent: Recent, options: Options, log_format: str
) -> Plan:
    """The plan over the files to read.

    Files that depend on each other are read together as far as they are recent: rows of one call that lie in several files,
    and rows that complete those of other files (which lend) with the files that they may complete.
    """
    wanted = set(files.changed(state))
    known = {uri: state.sources[uri] for uri in files.versions if uri not in wanted and state.sources[uri] in recent}
    wanted |= {uri for uri, source in known.items() if source.salt != salt}
    found = plan(sorted(wanted), options, format=log_format, named=files.named)
    more: set[str] = set()
    if found.decisions:
        more |= {uri for uri, source in known.items() if source.lends}
    if any(decision.lends for decision in found.decisions):
        more |= {uri for uri, source in known.items() if not source.lends}
    if any(decision.joins for decision in found.decisions):
        more |= {uri for uri, source in known.items() if source.joins}
    return plan(sorted(wanted | more), options, format=log_format, named=files.named) if more - wanted else found

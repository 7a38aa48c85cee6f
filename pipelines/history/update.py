"""One run of a store: what is new is read, the days that it moves are folded anew, and the store is as one run over everything had made it.

The order makes it safe to kill at any point: parts are written under new numbers, then the days to be published are noted, then
they are replaced one by one, then the state says so. A run that finds such a note publishes those days too.
"""

from collections.abc import Callable, Collection, Set
from contextlib import AbstractContextManager
from dataclasses import dataclass

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipelines import store
from pipelines.errors import ConfigurationError
from pipelines.history.affected import moved_days, other_contents, rows_per_day, same_turns
from pipelines.history.choose import Listing, Recent, listing, lookback_of, plan_of_changes, salt_of
from pipelines.history.parts import Keys, Mask, Scan, measures_name, sweep
from pipelines.history.publish import publish
from pipelines.history.reading import Reading, read_into_parts
from pipelines.history.state import Source, State, last_day, read_state, without_unused
from pipelines.job import Options, Seen, Stage
from pipelines.leak_rates import MARK, UNFINISHED, WORK, Engine, check_options
from pipelines.outputs import MANIFEST, day_within
from pipelines.plan import Plan
from pipelines.shard.suspects import measures

_SECONDS_OF_DAY = 86400
Progress = Callable[[Plan], AbstractContextManager[Seen]]


@dataclass(frozen=True)
class Asked:
    """What a run of a store was asked for, beside its options."""

    inputs: tuple[str, ...]
    started: float
    """When the run began, seconds since 1970."""
    log_format: str = "auto"
    lookback: int = 2
    since: str | None = None
    until: str | None = None
    max_reject_rate: float = 0.05
    fresh: bool = False


@dataclass(frozen=True)
class Updated:
    """What a run of a store did: the files that it read, and what it published."""

    folder: str
    plan: Plan
    days: tuple[str, ...]
    """Published anew."""
    coverage: pa.Table
    """COVERAGE of the files that were read."""
    pooled: pa.Table
    """RATE of the days that were published anew, together."""
    other_contents: tuple[str, ...]
    """Files that hold none of the turns that they held when they were read before."""
    state: State


def update(folder: str, options: Options, asked: Asked, *, engine: Engine, progress: Progress) -> Updated:
    """Bring a store up to date with the inputs; `progress` opens, for a plan, what is told of each shard that is done.

    Raises ConfigurationError and InputError before any work.
    """
    before = claim(folder)
    check_options(msgspec.structs.replace(options, since=asked.since, until=asked.until))
    files, salt = listing(asked.inputs, folder), salt_of(options, asked.log_format)
    options = msgspec.structs.replace(options, work=store.join(folder, WORK, salt), since=None, until=None)
    plan = plan_of_changes(
        before, files, salt=salt, recent=_recent(before, asked), options=options, log_format=asked.log_format
    )
    _clear(folder, before, keep=None if asked.fresh else salt)
    start = Source(version="", salt=salt, seen=asked.started, read=asked.started)
    first = max(before.parts, default=0) + 1
    with progress(plan) as seen:
        reading = read_into_parts(folder, options, plan=plan, first=first, start=start, engine=engine, seen=seen)
        after = _after(before, reading, files=files, asked=asked, model=options.model)
        former, scan = Scan(folder, before), Scan(folder, after)
        seen(Stage("looking for days that changed"))
        recent, changed = _lookback(scan, asked), _changed(before, files, plan)
        moved = _moved(former, reading, scan, changed=changed, first=min(recent, default="")) | set(before.waiting)
        other = other_contents(former, scan, reading.sources.keys() & before.sources.keys())
        days = {day for day in moved | recent if day_within(day, asked.since, asked.until)}
        seen(Stage(f"publishing {len(days)} days"))
        published = publish(scan, before, days=days, waiting=moved - days, options=options)
    store.remove(store.join(folder, WORK))
    read = pa.array(sorted(reading.sources), pa.string())
    return Updated(
        folder=folder,
        plan=plan,
        days=published.days,
        coverage=published.coverage.filter(pc.is_in(published.coverage["source_uri"], read)),
        pooled=published.pooled,
        other_contents=other,
        state=published.state,
    )


def claim(folder: str) -> State:
    """The state of a store; an empty one for a folder that is new, empty or a store that never finished a run.

    Raises ConfigurationError for a folder with anything else in it, before anything in it is touched.
    """
    state = read_state(folder)
    if state is not None:
        return state
    names = store.names(folder)
    if MANIFEST in names:
        raise ConfigurationError(
            f"--store {folder}: holds the output of a single run; name a new folder, or use --output"
        )
    if names and not store.exists(store.join(folder, WORK, MARK)):
        raise ConfigurationError(f"--store {folder}: the folder holds what leakrate did not write; name a new one")
    return State()


def _recent(before: State, asked: Asked) -> Recent:
    first, _ = lookback_of(before.days, asked.lookback, started=asked.started, until=asked.until)
    return Recent(first, asked.started - (asked.lookback + 1) * _SECONDS_OF_DAY, last_day(asked.started))


def _clear(folder: str, before: State, *, keep: str | None) -> None:
    """Throw away what killed runs left, but for unfinished work of the same code and options (`keep`)."""
    sweep(folder, before.parts)
    work = store.join(folder, WORK)
    for name in store.names(work):
        if name not in (keep, MARK):
            store.remove(store.join(work, name))
    store.write(store.join(work, MARK), UNFINISHED)


def _after(before: State, reading: Reading, *, files: Listing, asked: Asked, model: str | None) -> State:
    """The state with the files that were read in place of what they were before; files that are gone keep what they had."""
    sources = dict(before.sources)
    for uri, source in reading.sources.items():
        sources[uri] = msgspec.structs.replace(source, version=files.versions[uri])
    for uri in files.versions:
        sources[uri] = msgspec.structs.replace(sources[uri], seen=asked.started)
    found = measures(model)
    name = measures_name(found)
    after = msgspec.structs.replace(
        before,
        run=before.run + 1,
        started=asked.started,
        max_reject_rate=asked.max_reject_rate,
        sources=sources,
        parts={**before.parts, **reading.parts},
        measures={**before.measures, name: found},
        current=name,
    )
    return without_unused(after)


def _moved(former: Scan, reading: Reading, scan: Scan, *, changed: Collection[str], first: str) -> set[str]:
    """Days whose numbers move because rows have come or gone.

    `changed`: files that hold other rows than before. The others were read again by other code or options; days before `first` that
    have the same turns as before are left as they were published.
    """
    moved = _moved_by(former, reading, scan, files=reading.sources.keys() & set(changed))
    judged_anew = reading.sources.keys() - set(changed)
    if not judged_anew:
        return moved
    more = _moved_by(former, reading, scan, files=judged_anew) - moved
    return moved | more - same_turns(former, scan, {day for day in more if day[:1].isdigit() and day < first})


def _moved_by(former: Scan, reading: Reading, scan: Scan, *, files: Set[str]) -> set[str]:
    if not files:
        return set()

    def gone(keys: Keys) -> Mask:
        return _of(files, keys, former)

    def come(keys: Keys) -> Mask:
        return _of(files, keys, scan) if keys.part in reading.parts else np.zeros(len(keys.row), np.bool_)

    return moved_days(former, scan, gone=gone, come=come)


def _of(files: Set[str], keys: Keys, scan: Scan) -> Mask:
    """Which rows are of these files."""
    return np.isin(keys.source, [code for code, uri in enumerate(scan.sources) if uri in files])


def _changed(before: State, files: Listing, plan: Plan) -> set[str]:
    """Files whose rows may be others than before; where some complete others, all that are read."""
    if any(decision.joins or decision.lends for decision in plan.decisions):
        return {decision.uri for decision in plan.decisions}
    return set(files.changed(before))


def _lookback(scan: Scan, asked: Asked) -> set[str]:
    days = rows_per_day(scan).keys()
    first, newest = lookback_of(days, asked.lookback, started=asked.started, until=asked.until)
    return {day for day in days if first <= day <= newest}

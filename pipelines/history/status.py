"""What is known of each day of a store: complete, partial with the reason, or missing."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Literal

from pipelines import store
from pipelines.errors import DataError, InputError
from pipelines.history.state import Day, Source, State, last_day, read_state, totals
from pipelines.leak_rates import WORK
from pipelines.schema import LOSSES

_FIRST_OF_ALL = "2020-01-01"
"""No model's answers went through a gateway before; a clock that was not set says 1970."""
Kind = Literal["complete", "partial", "missing"]


@dataclass(frozen=True)
class DayStatus:
    """One day. `folded`: start of the run that last folded it, seconds since 1970; None for a day without a turn."""

    day: str
    status: Kind
    reason: str
    over: bool
    """The day has ended."""
    turns: int
    responses: int
    sources: int
    folded: float | None


@dataclass(frozen=True)
class Status:
    """All days from the first to the last one with a turn, those of wrong clocks left out, and what is known of the whole store."""

    days: tuple[DayStatus, ...]
    started: float
    """Start of the last run that ended, seconds since 1970; 0 before there is one."""
    unfinished: bool
    """A run is at work, or was killed."""
    undated_turns: int
    future_turns: int
    """Dated later than the day after the last run."""
    ancient_turns: int
    """Dated before there were such logs."""
    files_without_turns: int
    incomplete_files: int
    """Files that were not read to their end, and of which no turn with a day is known, so that they make no day partial."""

    @property
    def complete(self) -> bool:
        """Every day that is over is complete, no run is unfinished, and no file is left that could not be read at all."""
        return not (self.unfinished or self.incomplete_files) and all(
            day.status == "complete" for day in self.days if day.over
        )


def status(folder: str, *, now: float) -> Status:
    """The status of a store at a time. Raises InputError where nothing is, DataError where no store is."""
    state = read_state(folder)
    if state is None:
        if not store.names(folder):
            raise InputError(f"{folder}: no such store, or nothing in it")
        if not store.names(store.join(folder, WORK)):
            raise DataError(f"{folder}: not a store; `leakrate run --store` makes one")
        state = State()
    believable = _believable(state)
    first, last = min(believable, default=None), max(believable, default=None)
    undated = [day for name, day in state.days.items() if not name[:1].isdigit()]
    by_day = _sources_by_day(state)
    return Status(
        days=tuple(_day_status(state, day, sources=by_day.get(day, []), now=now) for day in _from_to(first, last)),
        started=state.started,
        unfinished=state.writing or bool(store.names(store.join(folder, WORK))),
        undated_turns=sum(day.turns for day in undated),
        future_turns=turns_ahead(state),
        ancient_turns=sum(day.turns for name, day in state.days.items() if name < _FIRST_OF_ALL),
        files_without_turns=sum(not source.days for source in state.sources.values()),
        incomplete_files=sum(
            _lossy(one) and not _dated(one.days) and one.seen == state.started for one in state.sources.values()
        ),
    )


def _believable(state: State) -> list[str]:
    """Dated days, without those that only a wrong clock can give."""
    behind = last_day(state.started)
    return [day for day in _dated(state.days) if _FIRST_OF_ALL <= day <= behind]


def turns_ahead(state: State) -> int:
    """How many turns are dated later than the day after the last run."""
    behind = last_day(state.started)
    return sum(day.turns for name, day in state.days.items() if name[:1].isdigit() and name > behind)


def _dated(days: Iterable[str]) -> list[str]:
    return [day for day in days if day[:1].isdigit()]


def _from_to(first: str | None, last: str | None) -> list[str]:
    if first is None or last is None:
        return []
    start = date.fromisoformat(first)
    count = (date.fromisoformat(last) - start).days + 1
    return [(start + timedelta(days=number)).isoformat() for number in range(count)]


def _sources_by_day(state: State) -> Mapping[str, list[Source]]:
    found: dict[str, list[Source]] = {}
    for source in state.sources.values():
        for day in source.days:
            found.setdefault(day, []).append(source)
    return found


def _lossy(source: Source) -> bool:
    return not totals(source.coverage).keys().isdisjoint(LOSSES)


def _day_status(state: State, day: str, *, sources: list[Source], now: float) -> DayStatus:
    end = (datetime.fromisoformat(day).replace(tzinfo=UTC) + timedelta(days=1)).timestamp()
    known = state.days.get(day, Day(0.0, 0, 0, 0))
    over = now >= end
    kind, reason = _judged(state, day, sources=sources, end=end, over=over)
    return DayStatus(day, kind, reason, over, known.turns, known.responses, known.sources, known.folded or None)


def _judged(state: State, day: str, *, sources: list[Source], end: float, over: bool) -> tuple[Kind, str]:
    if day in state.waiting:
        why = "a run was to publish it and did not end" if state.writing else "rows wait outside --since and --until"
        return "partial", why
    if day not in state.days:
        return "missing", "no turn"
    if not over:
        return "partial", "the day is not over"
    if max((source.seen for source in sources), default=0.0) < end:
        return "partial", "last read before the day was over"
    lossy = sum(map(_lossy, sources))
    if lossy:
        return (
            "partial",
            f"{lossy:,} of its {len(sources):,} files {'was' if lossy == 1 else 'were'} not read to the end",
        )
    items = sum(totals(source.coverage).get("items", 0) for source in sources)
    rejected = sum(totals(source.coverage).get("rejected", 0) for source in sources)
    if items and rejected > state.max_reject_rate * items:
        return "partial", f"{rejected:,} of {items:,} items of its files were rejected"
    return "complete", ""

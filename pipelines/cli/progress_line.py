"""One line for a log that says how far a run is: per cent, bytes, records, time left."""

from dataclasses import dataclass

_UNITS = (("GB", 1e9, 1), ("MB", 1e6, 0), ("KB", 1e3, 0))
"""Unit, bytes, decimals; a unit is used from ten of them on."""


@dataclass(frozen=True)
class Standing:
    """How far a run is. `seconds_left` None: not known yet; `stage`: what it does once everything is read."""

    size: int
    total: int
    records: int
    seconds_left: float | None = None
    stage: str | None = None


def plain_line(standing: Standing) -> str:
    """The sentence."""
    if standing.stage is not None:
        return f"{standing.stage}, {_records(standing)}"
    left = _left(standing.seconds_left)
    return f"read {_bytes(standing)} ({_share(standing):.0%}), {_records(standing)}" + (f", {left}" if left else "")


def _share(standing: Standing) -> float:
    return standing.size / standing.total if standing.total else 1.0


def _records(standing: Standing) -> str:
    return f"{standing.records:,} records"


def _bytes(standing: Standing) -> str:
    unit, scale, decimals = next((unit for unit in _UNITS if standing.total >= 10 * unit[1]), _UNITS[-1])
    size, total = (f"{count / scale:,.{decimals}f}" for count in (standing.size, standing.total))
    return f"{size} of {total} {unit}"


def _left(seconds: float | None) -> str:
    if seconds is None:
        return ""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02} left" if hours else f"{minutes}:{rest:02} left"

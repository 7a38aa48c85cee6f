"""One line that says how far a run is, as wide as the terminal allows: bar, per cent, time left, bytes, records."""

from dataclasses import dataclass

_LONGEST_BAR, _BAR_STEP = 40, 10
"""The bar has steps, so that it does not change its length with every number beside it."""
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


def bar_line(standing: Standing, columns: int, *, signs: str = "█░") -> str:
    """At most `columns` characters; on a narrow terminal the bar goes first, then records, bytes, and the time left.

    `signs`: one for what is read, one for what is not.
    """
    if standing.stage is not None:
        return f"{standing.stage} … {_records(standing)}"[:columns]
    share = _share(standing)
    parts = [f"{share:4.0%}", _left(standing.seconds_left), _bytes(standing), _records(standing)]
    texts = [part for part in parts if part]
    while len(texts) > 1 and len("  ".join(texts)) > columns:
        texts.pop()
    text = "  ".join(texts)
    width = min(_LONGEST_BAR, columns - len(text) - 1) // _BAR_STEP * _BAR_STEP
    if width <= 0:
        return text[:columns]
    filled = round(share * width)
    return f"{signs[0] * filled}{signs[1] * (width - filled)} {text}"


def plain_line(standing: Standing) -> str:
    """The same as a sentence for a log."""
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

"""Typed looks into decoded JSON that nobody has checked: the value when it has the expected type, else None."""

import re
from datetime import UTC, datetime

import msgspec

Mapping = dict[str, object]

_NOTHING: Mapping = {}
_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_LEAP_SECOND = re.compile(r"(:\d\d):60", re.ASCII)
_BLANK_BEFORE_ZONE = re.compile(r" (?=[Z+-])", re.ASCII)
_BEFORE_2096 = 4e9
_BEYOND = 1 << 62


def mapping(value: object) -> Mapping:
    """The value when it is an object, else an empty one."""
    return value if isinstance(value, dict) else _NOTHING


def sequence(value: object) -> list[object]:
    """The value when it is an array, else an empty one."""
    if isinstance(value, list):
        return value
    return list(value) if isinstance(value, tuple) else []


def text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def filled(*values: object) -> str | None:
    """The first of the values that is a string with something in it."""
    for value in values:
        if isinstance(value, str) and value:
            return value
    return None


def well_formed(value: str) -> str:
    """The text with half surrogates, which RE2 cannot take, replaced; text out of a log has none, only a decoder's caller may."""
    return value if value.isascii() else value.encode("utf-8", "replace").decode()


def whole(value: object) -> int | None:
    """The value as an int of at most 62 bits; None for booleans and for anything that is no whole number."""
    if type(value) is int:
        return value if abs(value) < _BEYOND else None
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = int(value)
    except (ValueError, OverflowError):
        return None
    return number if abs(number) < _BEYOND else None


def flag(value: object) -> bool | None:
    return value if isinstance(value, bool) else None


def compact(value: object) -> str:
    """JSON text without blanks, for arguments that a log holds as an object; unencodable values become their type's name."""
    try:
        return msgspec.json.encode(value, enc_hook=lambda other: type(other).__name__).decode()
    except (msgspec.MsgspecError, TypeError, ValueError, RecursionError):
        return ""


def decoded(value: object) -> object:
    """A string that holds JSON as the value it stands for; anything else, also a string that holds none, as it is."""
    if not isinstance(value, str) or not value.strip().startswith(("{", "[", '"')):
        return value
    try:
        return msgspec.json.decode(value)
    except (msgspec.MsgspecError, UnicodeEncodeError, RecursionError):
        return value


def seconds(value: object) -> float | None:
    """Seconds since 1970 UTC from ISO text (no zone: UTC) or an epoch in s, ms, µs or ns, told apart by its size; None if neither."""
    if type(value) is float and 0 < value < _BEFORE_2096:
        return value
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return _epoch(float(value)) if abs(value) < 1e30 else None
    if isinstance(value, datetime):
        return _stamp(value)
    if not isinstance(value, str):
        return None
    stripped = value.strip()
    if _DATE.match(stripped):
        return _iso(stripped)
    try:
        return _epoch(float(stripped))
    except (ValueError, OverflowError):
        return _iso(stripped) if stripped[:4].isdigit() else None


def _epoch(number: float) -> float | None:
    if not 0 < number < 4e18:
        return None
    while number >= _BEFORE_2096:
        number /= 1000
    return number


def _iso(stripped: str) -> float | None:
    if stripped.endswith(" UTC"):
        stripped = stripped[:-4]
    try:
        return _stamp(datetime.fromisoformat(stripped))
    except ValueError:
        return _rarely_written(stripped)


def _rarely_written(text: str) -> float | None:
    """Of ISO text that Python does not take: small letters, a leap second, a blank in front of the zone."""
    plain = _LEAP_SECOND.sub(r"\1:59", _BLANK_BEFORE_ZONE.sub("", text.upper()))
    try:
        return None if plain == text else _stamp(datetime.fromisoformat(plain))
    except ValueError:
        return None


def _stamp(moment: datetime) -> float | None:
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    try:
        return aware.timestamp()
    except (ValueError, OverflowError):
        return None

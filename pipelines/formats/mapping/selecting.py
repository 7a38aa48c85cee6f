"""Values that the selectors of a mapping find in a row, decoded as the mapping says; never raises on data."""

from collections.abc import Iterable, Iterator

import re2

from pipelines.formats._dialects.events import read_events
from pipelines.formats.format import Item, Place
from pipelines.formats.literals import cut_json, decoded_base64, json_value, otlp_any, otlp_attributes, python_literal
from pipelines.formats.mapping.declaration import Condition, Declaration, Selector
from pipelines.formats.mapping.paths import replaced, values
from pipelines.formats.values import seconds, well_formed, whole

_FOLDER = re2.compile(r"^(\d{4})[/-](\d\d)[/-](\d\d)(?:[/-](\d\d))?$")
_UNITS = {"s": 1.0, "ms": 1e3, "us": 1e6, "ns": 1e9}


def decoded_row(declaration: Declaration, row: Item) -> Item:
    """The row with every value that a field decodes put in its place, so that other paths can go on below it."""
    wanted = [(one.path, one.decode) for selectors in declaration.fields.values() for one in selectors]
    for path, how in (*declaration.decode, *wanted):
        found = next(values(path, row), None) if how != "none" else None
        if found is not None:
            row = replaced(path, row, decode(how, found))
    return row


def decode(how: str, value: object) -> object:
    """A value decoded; text that is no such thing stays text, JSON whose end was cut off is what is left of it."""
    if how == "otlp_any":
        return otlp_attributes(value) if isinstance(value, list) else otlp_any(value)
    if not isinstance(value, str):
        return value
    if how in ("json", "json_if_string"):
        opened = json_value(value)
        return (cut_json(value) or value) if isinstance(opened, str) and opened == value else opened
    if how == "python_literal":
        return python_literal(value)
    if how == "base64":
        plain = decoded_base64(value)
        return json_value(plain) if isinstance(plain, str) else plain
    return read_events(value) if how == "sse" else value


def is_cut(declaration: Declaration, row: Item, field: str) -> bool:
    """Whether the text that a field is decoded from was cut off, so that only its beginning is there."""
    for selector in declaration.fields.get(field, ()):
        found = next(values(selector.path, row), None) if selector.decode in ("json", "json_if_string") else None
        if isinstance(found, str) and found.lstrip().startswith(("{", "[")) and json_value(found) == found:
            return True
    return False


def first(selectors: Iterable[Selector], row: Item, place: Place) -> object:
    """The first value that a selector finds; None where none does."""
    return next(every(selectors, row, place), None)


def every(selectors: Iterable[Selector], row: Item, place: Place) -> Iterator[object]:
    """All values of the first selector that finds any."""
    for selector in selectors:
        found = [kept for value in _origin(selector, row, place) if (kept := _matched(selector, value)) is not None]
        if found:
            yield from found
            return


def _origin(selector: Selector, row: Item, place: Place) -> Iterable[object]:
    if selector.when and not holds(selector.when, row):
        return ()
    if selector.constant is not None:
        return (selector.constant,)
    return (place.uri,) if selector.from_uri else values(selector.path, row)


def _matched(selector: Selector, value: object) -> object:
    """The value as the selector means it: the first group (else the whole) of a match, a translation, or what a found path stands for."""
    if value == "":
        return None
    if selector.regex is not None:
        match = selector.regex.search(well_formed(value)) if isinstance(value, str) else None
        if match is None:
            return None
        value = match.group(1) if match.re.groups else match.group(0)
    if selector.translate:
        value = selector.translate.get(str(value).lower() if isinstance(value, bool) else str(value))
    if selector.then is not None:
        return selector.then
    return {selector.wrap: value} if selector.wrap and value is not None else value


def moment(selectors: Iterable[Selector], row: Item, place: Place) -> float | None:
    """Seconds since 1970 UTC, in the selector's unit or told by size and form."""
    for selector in selectors:
        for value in every((selector,), row, place):
            factor = _UNITS.get(selector.unit)
            number = whole(value) if factor and not (isinstance(value, str) and "-" in value) else None
            found = number / factor if number is not None and factor else _hour(value) or seconds(value)
            if found is not None:
                return found
    return None


def _hour(value: object) -> float | None:
    """Folders of an object store: 2026/11/30 or 2026/11/30/08."""
    match = _FOLDER.match(well_formed(value)) if isinstance(value, str) else None
    if match is None:
        return None
    year, month, day, hour = match.groups()
    return seconds(f"{year}-{month}-{day}T{hour or '00'}:00:00Z")


def word(selectors: Iterable[Selector], row: Item, place: Place) -> str | None:
    """The first value as text: numbers are written out, objects are none."""
    for value in every(selectors, row, place):
        if isinstance(value, str):
            return value
        if isinstance(value, int | float) and not isinstance(value, bool):
            return str(value)
    return None


def refused(conditions: Iterable[Condition], row: Item) -> str | None:
    """Why a row is not kept: the reason of the first condition whose value is there and not among the allowed ones."""
    for condition in conditions:
        found = next(values(condition.path, row), None)
        if found is not None and not _among(found, condition.values):
            return condition.reason
    return None


def holds(conditions: Iterable[Condition], row: Item) -> bool:
    """Whether every condition's value is there and among those named."""
    return all(_among(next(values(one.path, row), None), one.values) for one in conditions)


def _among(value: object, allowed: tuple[object, ...]) -> bool:
    """Equal to an allowed value of the same kind; numbers in CSV are texts, so a text that spells an allowed value counts."""
    if isinstance(value, str):
        return value in allowed or any(str(one).lower() == value.lower() for one in allowed)
    return any(value == one and isinstance(value, bool) == isinstance(one, bool) for one in allowed)

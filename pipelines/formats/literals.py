"""Values out of text that only looks like JSON: Python's repr, JSON that was cut off, and OTLP's AnyValue. Bounded; never raises."""

import ast
import base64
import binascii
import warnings

import msgspec

MOST_CHARACTERS = 8 << 20
"""Longer text is left as it is."""
MOST_REPR = 1 << 20
"""Python builds a syntax tree of a repr, some hundred times its size."""
DEEPEST = 100


def python_literal(text: str) -> object:
    """The value whose Python repr this is; the text itself where it is none, is too long or too deep."""
    if len(text) > MOST_REPR or not text.lstrip().startswith(("{", "[", "(", "'", '"')) or _depth(text) > DEEPEST:
        return text
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return text


def _depth(text: str) -> int:
    """Upper bound of the nesting: brackets inside strings count too."""
    depth = deepest = 0
    for character in text:
        if character in "[{(":
            depth += 1
            deepest = max(deepest, depth)
        elif character in "]})":
            depth = max(0, depth - 1)
    return deepest


def json_value(text: str) -> object:
    """The value of JSON text; the text itself where it is none."""
    try:
        return msgspec.json.decode(text)
    except (msgspec.MsgspecError, UnicodeEncodeError, RecursionError):
        return text


def cut_json(text: str) -> object | None:
    """What stands in an array or object whose end was cut off, its last string as far as it goes; None where it is no such text."""
    if not text.lstrip().startswith(("{", "[")) or len(text) > MOST_CHARACTERS:
        return None
    closers, end, quoted, last = _open_ends(text)
    if len(closers) > DEEPEST:
        return None
    kept = text[:end] + '"' if quoted else text[:end].rstrip()
    for candidate in (kept, text[:last]):
        value = json_value(candidate.rstrip().rstrip(",") + "".join(reversed(closers)))
        if not isinstance(value, str):
            return value
    return None


def _open_ends(text: str) -> tuple[list[str], int, bool, int]:
    """Brackets still to close, where the whole characters end, whether a string is open there, and the end of the last whole member."""
    closers: list[str] = []
    quoted, place, last = False, 0, 0
    while place < len(text):
        character = text[place]
        if quoted and character == "\\":
            width = 6 if text[place + 1 : place + 2] == "u" else 2
            if place + width > len(text):
                return closers, place, True, last
            place += width
            continue
        if character == '"':
            quoted = not quoted
        elif not quoted and character in "{[":
            closers.append("}" if character == "{" else "]")
        elif not quoted and character in "}]" and closers:
            closers.pop()
        place += 1
        if not quoted and character in "{[,":
            last = place
    return closers, place, quoted, last


def otlp_any(value: object, depth: int = 0) -> object:
    """The plain value of an OTLP AnyValue (JSON encoding, int64 as string; an empty one is null); anything else as it is."""
    if value == {}:
        return None
    if not isinstance(value, dict) or len(value) != 1 or depth > DEEPEST:
        return value
    kind, inner = next(iter(value.items()))
    if kind == "intValue":
        return _int(inner)
    if kind == "arrayValue":
        items = inner.get("values") if isinstance(inner, dict) else None
        return [otlp_any(item, depth + 1) for item in items] if isinstance(items, list) else []
    if kind == "kvlistValue":
        return otlp_attributes(inner.get("values") if isinstance(inner, dict) else None, depth + 1)
    if kind == "bytesValue":
        return decoded_base64(inner)
    return inner if kind in ("stringValue", "boolValue", "doubleValue") else value


def otlp_attributes(attributes: object, depth: int = 0) -> dict[str, object]:
    """Attributes of OTLP (`[{"key", "value"}]`) as one dict; of equal keys the last counts, entries of another type are left out."""
    found: dict[str, object] = {}
    for entry in attributes if isinstance(attributes, list) else []:
        if isinstance(entry, dict) and isinstance(entry.get("key"), str):
            found[entry["key"]] = otlp_any(entry.get("value"), depth)
    return found


def _int(value: object) -> object:
    if isinstance(value, str) and len(value) < 24:
        try:
            return int(value)
        except ValueError:
            return value
    return value


def decoded_base64(value: object) -> object:
    """Text whose UTF-8 is written in base64; the value itself where it is none."""
    if not isinstance(value, str):
        return value
    try:
        return base64.b64decode(value, validate=True).decode()
    except (binascii.Error, ValueError):
        return value

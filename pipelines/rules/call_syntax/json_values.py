"""JSON values inside a text: where one ends, and the calls that it holds."""

import json

from pipelines.rules.call_syntax.call import ParsedCall

_DECODER = json.JSONDecoder(strict=False)
_NAMES = ("name", "tool_name", "function_name", "tool")
_ARGUMENTS = ("arguments", "parameters", "args", "input", "tool_input", "params")
_ENVELOPE = frozenset({*_NAMES, "function", "id", "type", "call_id", "tool_call_id", "index"})
_TYPES = frozenset({"string", "str", "integer", "int", "number", "float", "boolean", "bool", "object", "array", "list"})
LIMIT = 200_000
"""Longest text in which one value is read, in code points; a call beyond that is not readable."""


def value_at(text: str, place: int) -> tuple[object, int] | None:
    """The JSON object or array that begins at `place` and where it ends; None when none is whole there."""
    if text[place : place + 1] not in ("{", "["):
        return None
    try:
        value, length = _DECODER.raw_decode(text[place : place + LIMIT])
    except (ValueError, RecursionError):
        return None
    return value, place + length


def begins_json(text: str, place: int) -> bool:
    """Whether an object or an array of objects begins at `place`, whole or cut."""
    sign, following = text[place : place + 1], text[skip(text, place + 1) : skip(text, place + 1) + 1]
    return (sign == "{" and following in ('"', "}", "'", "{", "")) or (sign == "[" and following in ("{", "]", ""))


def skip(text: str, place: int, signs: str = " \t\r\n") -> int:
    """First place from `place` on that holds none of `signs`."""
    while place < len(text) and text[place] in signs:
        place += 1
    return place


def calls_of(value: object, loose: bool = False) -> tuple[ParsedCall, ...] | None:
    """The calls that a JSON value stands for (one object, or an array of them); None when it is something else. `loose`: arguments may
    stand beside the name."""
    if isinstance(value, dict) and isinstance(value.get("tool_calls"), list):
        value = value["tool_calls"]
    if isinstance(value, list):
        calls = [call_of(item, loose) for item in value]
        return tuple(call for call in calls if call) if calls and all(calls) else None
    call = call_of(value, loose)
    return (call,) if call else None


def call_of(value: object, loose: bool = False) -> ParsedCall | None:
    """One call from an object: name and arguments under any of their usual keys, or the name itself as only key."""
    if not isinstance(value, dict):
        return None
    function = value.get("function")
    if isinstance(function, dict):
        return call_of(function, loose)
    name = (
        function
        if isinstance(function, str)
        else next((value[key] for key in _NAMES if isinstance(value.get(key), str)), None)
    )
    if isinstance(name, str):
        key = next((key for key in _ARGUMENTS if key in value), None)
        if key and key != "arguments" and is_schema(value[key]):
            return None
        beside = {other: item for other, item in value.items() if other not in _ENVELOPE} if loose else {}
        return ParsedCall(_bare(name), arguments_of(value[key]) if key else beside)
    if len(value) == 1:
        ((name, arguments),) = value.items()
        if isinstance(arguments, dict) and name not in ("arguments", "parameters", "error", "result"):
            return ParsedCall(name, arguments)
    return None


def is_schema(value: object) -> bool:
    """Whether a value describes arguments and gives none: a JSON schema of an object, or names of types."""
    if not isinstance(value, dict):
        return False
    if value.get("type") == "object" and isinstance(value.get("properties"), dict):
        return True
    return bool(value) and all(isinstance(item, str) and item in _TYPES for item in value.values())


def arguments_of(value: object) -> dict[str, object] | None:
    """Arguments as an object; JSON text is read, null is none."""
    if value is None:
        return {}
    if isinstance(value, str):
        try:
            value = _DECODER.decode(value) if value.strip() else {}
        except (ValueError, RecursionError):
            return None
    return value if isinstance(value, dict) else None


def _bare(name: str) -> str:
    return name.removeprefix("functions.")

"""Whether a text is what the request's format asks for: JSON of a schema, a match of a pattern, one of the choices."""

import json

import re2

from pipelines.schema import Record

JSON_KINDS = ("json_object", "json_schema")


def follows(record: Record, text: str) -> bool | None:
    """Whether the whole text is in the requested format; None where none was requested or it cannot be checked."""
    wanted = record.response_format or {}
    kind = wanted.get("type")
    if kind in JSON_KINDS:
        value = parsed(text)
        return value is not None and fits(record, value)
    if kind == "regex":
        return _matches(wanted.get("regex"), text)
    choices = wanted.get("choice")
    return text.strip() in map(str, choices) if kind == "choice" and isinstance(choices, list) else None


def schema_of(record: Record) -> dict[str, object]:
    """The requested JSON Schema, {} where none was sent."""
    wanted = record.response_format or {}
    inner = wanted.get("json_schema")
    schema = inner.get("schema") if isinstance(inner, dict) else None
    return schema if isinstance(schema, dict) else {}


def parsed(text: str) -> object:
    """The value of strict JSON, None where it is none (also for `null`, which no request asks for)."""
    try:
        return json.loads(text.strip(), parse_constant=refuse)
    except (ValueError, RecursionError):
        return None


def refuse(name: str) -> object:
    """For constants that Python reads and JSON does not have."""
    raise ValueError("not in JSON")


def fits(record: Record, value: object) -> bool:
    """Whether the requested schema accepts the value; without one, whether it is an object."""
    schema = schema_of(record)
    if not schema:
        return isinstance(value, dict)
    from pipelines.rules.json_schema import fits as accepted

    return accepted(schema, value) is not False


def _matches(pattern: object, text: str) -> bool | None:
    """Whether the whole text matches; None for a pattern that is no linear-time regular expression."""
    options = re2.Options()
    options.log_errors = False
    try:
        return bool(
            re2.compile(f"^(?:{pattern})$", options).search(text)
            or re2.compile(f"^(?:{pattern})$", options).search(text.strip())
        )
    except re2.error:
        return None

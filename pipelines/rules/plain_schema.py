"""Whether a value fits a JSON Schema of the usual keywords; any other schema is left to the validator of the library.

Nearly all schemas of tools use these keywords only, and jsonschema takes a tenth of a second to import.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache

import msgspec

Check = Callable[[object], bool]

_ANNOTATIONS = frozenset({"title", "description", "default", "examples", "format", "deprecated", "strict", "$comment"})
"""Keywords that decide nothing."""


class _Uncommon(Exception):
    """The schema has something in it that is not read here."""


def fits(schema: Mapping[str, object], value: object) -> bool | None:
    """Whether `value` is valid against `schema` (2020-12); None when the schema itself cannot be used."""
    fitting = _plain_fits(schema, value)
    if fitting is not None:
        return fitting
    from pipelines.rules import json_schema

    return json_schema.fits(schema, value)


def _plain_fits(schema: Mapping[str, object], value: object) -> bool | None:
    """The same, None when that takes a whole validator."""
    try:
        check = _check_of(msgspec.json.encode(schema))
        return None if check is None else check(value)
    except (msgspec.MsgspecError, TypeError, ValueError, ArithmeticError, RecursionError):
        return None


@lru_cache(maxsize=256)
def _check_of(schema: bytes) -> Check | None:
    try:
        return _checks(msgspec.json.decode(schema))
    except _Uncommon:
        return None


def _checks(schema: object) -> Check:
    """One check for all keywords of a schema."""
    if isinstance(schema, bool):
        return lambda value: schema
    if not isinstance(schema, dict):
        raise _Uncommon
    named = schema.get("properties", {})
    checks: list[Check] = []
    for keyword, wanted in schema.items():
        if keyword == "additionalProperties":
            checks.append(_additional(wanted, named))
        elif keyword not in _ANNOTATIONS:
            if keyword not in _KEYWORDS:
                raise _Uncommon
            checks.append(_KEYWORDS[keyword](wanted))
    return lambda value: all(check(value) for check in checks)


def _type(wanted: object) -> Check:
    names = wanted if isinstance(wanted, list) else [wanted]
    kinds = [_TYPES[name] for name in names if isinstance(name, str) and name in _TYPES]
    if len(kinds) != len(names):
        raise _Uncommon
    return kinds[0] if len(kinds) == 1 else lambda value: any(kind(value) for kind in kinds)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float | complex) and not isinstance(value, bool)


def _is_integer(value: object) -> bool:
    whole = isinstance(value, int) and not isinstance(value, bool)
    return whole or (isinstance(value, float) and value.is_integer())


_TYPES: dict[str, Check] = {
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "number": _is_number,
    "integer": _is_integer,
}


def _properties(wanted: object) -> Check:
    if not isinstance(wanted, dict):
        raise _Uncommon
    checks = {name: _checks(schema) for name, schema in wanted.items()}
    return lambda value: (
        not isinstance(value, dict) or all(check(value[name]) for name, check in checks.items() if name in value)
    )


def _additional(wanted: object, named: object) -> Check:
    if not isinstance(named, dict):
        raise _Uncommon
    check = _checks(wanted)
    return lambda value: (
        not isinstance(value, dict) or all(check(inner) for name, inner in value.items() if name not in named)
    )


def _required(wanted: object) -> Check:
    if not isinstance(wanted, list):
        raise _Uncommon
    return lambda value: not isinstance(value, dict) or all(name in value for name in wanted)


def _items(wanted: object) -> Check:
    check = _checks(wanted)
    return lambda value: not isinstance(value, list) or all(check(inner) for inner in value)


def _enum(wanted: object) -> Check:
    """Texts only: how other values compare is a chapter of its own."""
    if not isinstance(wanted, list) or not all(isinstance(item, str) for item in wanted):
        raise _Uncommon
    return lambda value: value in wanted


def _any_of(wanted: object) -> Check:
    checks = _each(wanted)
    return lambda value: any(check(value) for check in checks)


def _all_of(wanted: object) -> Check:
    checks = _each(wanted)
    return lambda value: all(check(value) for check in checks)


def _each(wanted: object) -> list[Check]:
    if not isinstance(wanted, list):
        raise _Uncommon
    return [_checks(schema) for schema in wanted]


def _bound(applies: Check, holds: Callable[[object, float], bool]) -> Callable[[object], Check]:
    def keyword(wanted: object) -> Check:
        if not isinstance(wanted, int | float) or isinstance(wanted, bool):
            raise _Uncommon
        return lambda value: not applies(value) or holds(value, wanted)

    return keyword


_KEYWORDS: dict[str, Callable[[object], Check]] = {
    "type": _type,
    "properties": _properties,
    "required": _required,
    "items": _items,
    "enum": _enum,
    "anyOf": _any_of,
    "allOf": _all_of,
    "minimum": _bound(_is_number, lambda value, bound: not value < bound),  # type: ignore[operator]
    "maximum": _bound(_is_number, lambda value, bound: not value > bound),  # type: ignore[operator]
    "exclusiveMinimum": _bound(_is_number, lambda value, bound: not value <= bound),  # type: ignore[operator]
    "exclusiveMaximum": _bound(_is_number, lambda value, bound: not value >= bound),  # type: ignore[operator]
    "minLength": _bound(_TYPES["string"], lambda value, bound: len(value) >= bound),  # type: ignore[arg-type]
    "maxLength": _bound(_TYPES["string"], lambda value, bound: len(value) <= bound),  # type: ignore[arg-type]
    "minItems": _bound(_TYPES["array"], lambda value, bound: len(value) >= bound),  # type: ignore[arg-type]
    "maxItems": _bound(_TYPES["array"], lambda value, bound: len(value) <= bound),  # type: ignore[arg-type]
}

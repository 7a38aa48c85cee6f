"""Whether a value fits a JSON Schema of a request, without network and without backtracking patterns.

The schema comes out of a log: references are resolved inside it only, and its patterns run on re2; a pattern that re2 cannot
express is not checked. Imported late by its users: jsonschema takes 0.2 s to import.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache

import msgspec
import re2
from jsonschema import Draft202012Validator, ValidationError
from jsonschema.exceptions import SchemaError, UndefinedTypeCheck, UnknownType
from jsonschema.validators import extend
from referencing import Registry
from referencing.exceptions import NoSuchResource, Unresolvable

Schema = Mapping[str, object]


def _pattern(validator: object, pattern: object, instance: object, schema: object) -> Iterator[ValidationError]:
    compiled = _compiled(pattern)
    if compiled is not None and isinstance(instance, str) and not compiled.search(instance.encode("utf-8", "replace")):
        yield ValidationError("does not match the pattern")


def _pattern_properties(
    validator: Draft202012Validator, patterns: object, instance: object, schema: object
) -> Iterator[ValidationError]:
    if not isinstance(patterns, dict) or not isinstance(instance, dict):
        return
    for pattern, subschema in patterns.items():
        compiled = _compiled(pattern)
        for key, value in instance.items():
            if compiled is not None and compiled.search(str(key).encode("utf-8", "replace")):
                yield from validator.descend(value, subschema)


def _additional_properties(
    validator: Draft202012Validator, allowed: object, instance: object, schema: object
) -> Iterator[ValidationError]:
    if not isinstance(instance, dict) or not isinstance(schema, dict):
        return
    patterns = [_compiled(pattern) for pattern in schema.get("patternProperties", {})]
    named = schema.get("properties", {})
    for key, value in instance.items():
        if key in named or any(
            pattern is None or pattern.search(str(key).encode("utf-8", "replace")) for pattern in patterns
        ):
            continue
        if allowed is False:
            yield ValidationError("has a property that is not allowed")
        elif isinstance(allowed, dict):
            yield from validator.descend(value, allowed)


def _compiled(pattern: object) -> "re2._Regexp | None":
    return _compiled_text(pattern) if isinstance(pattern, str) else None


@lru_cache(maxsize=1024)
def _compiled_text(pattern: str) -> "re2._Regexp | None":
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(pattern.encode("utf-8", "replace"), options)
    except re2.error:
        return None


_Validator = extend(  # type: ignore[no-untyped-call]
    Draft202012Validator,
    {"pattern": _pattern, "patternProperties": _pattern_properties, "additionalProperties": _additional_properties},
)
_UNREADABLE = (
    SchemaError,
    UndefinedTypeCheck,
    UnknownType,
    Unresolvable,
    NoSuchResource,
    ArithmeticError,
    TypeError,
    ValueError,
    AttributeError,
    LookupError,
    RecursionError,
)
"""What a schema that is no JSON Schema makes the validator raise."""


def fits(schema: Schema, value: object) -> bool | None:
    """Whether `value` is valid against `schema` (2020-12); None when the schema itself cannot be used."""
    try:
        return bool(_validator(msgspec.json.encode(schema)).is_valid(value))
    except _UNREADABLE:
        return None


@lru_cache(maxsize=256)
def _validator(schema: bytes) -> Draft202012Validator:
    """The validator of a schema; few different ones recur in a log."""
    validator: Draft202012Validator = _Validator(msgspec.json.decode(schema), registry=Registry())
    return validator

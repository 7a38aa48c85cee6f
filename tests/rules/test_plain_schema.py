"""The check of usual schemas says what the library's validator says, and leaves to it what it does not read."""

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from pipelines.rules import json_schema
from pipelines.rules.plain_schema import _plain_fits, fits

NUMBERS = st.one_of(st.integers(-3, 3), st.sampled_from([0.0, 1.0, 1.5, -2.5]))
NAMES = st.sampled_from(["a", "b", "c"])
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), NUMBERS, st.sampled_from(["", "a", "bb", "é🫖c"])),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(NAMES, inner, max_size=3)),
    max_leaves=6,
)
TYPES = st.sampled_from(["string", "boolean", "null", "object", "array", "number", "integer"])


def schemas(inner: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    bound = st.integers(-2, 3)
    return st.fixed_dictionaries(
        {},
        optional={
            "type": st.one_of(TYPES, st.lists(TYPES, min_size=1, max_size=3)),
            "properties": st.dictionaries(NAMES, inner, max_size=3),
            "required": st.lists(NAMES, max_size=2),
            "additionalProperties": st.one_of(st.booleans(), inner),
            "items": inner,
            "enum": st.lists(st.sampled_from(["a", "bb", ""]), min_size=1, max_size=3),
            "anyOf": st.lists(inner, min_size=1, max_size=2),
            "allOf": st.lists(inner, min_size=1, max_size=2),
            "minimum": bound,
            "exclusiveMaximum": NUMBERS,
            "maximum": bound,
            "exclusiveMinimum": bound,
            "minLength": bound,
            "maxLength": bound,
            "minItems": bound,
            "maxItems": bound,
            "description": st.just("x"),
            "pattern": st.just("^a"),
        },
    )


SCHEMAS = st.recursive(st.booleans(), schemas, max_leaves=5)


@settings(max_examples=400, deadline=None)
@given(schema=schemas(SCHEMAS), value=VALUES)
def test_both_say_the_same(schema: dict[str, object], value: object) -> None:
    whole = json_schema.fits(schema, value)
    assert fits(schema, value) == whole
    assert _plain_fits(schema, value) in (whole, None)


@pytest.mark.parametrize(
    ("schema", "value", "right"),
    [
        ({"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}, {"city": "Oslo"}, True),
        ({"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}, {}, False),
        ({"properties": {"n": {"type": "integer"}}, "additionalProperties": False}, {"n": 1.0}, True),
        ({"properties": {"n": {"type": "integer"}}, "additionalProperties": False}, {"m": 1}, False),
        ({"type": "integer"}, True, False),
        ({"minimum": 2}, float("nan"), True),
        ({"anyOf": [{"type": "null"}, {"enum": ["x", "y"]}]}, "y", True),
        ({"items": {"maxLength": 1}}, ["🫖", "ab"], False),
    ],
)
def test_usual_schemas_need_no_library(schema: dict[str, object], value: object, right: bool) -> None:
    assert _plain_fits(schema, value) is right
    assert json_schema.fits(schema, value) is right


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#/$defs/a", "$defs": {"a": {}}},
        {"pattern": "^a"},
        {"enum": [1]},
        {"type": "date"},
        {"type": ["string", "date"]},
        {"required": "a"},
        {"properties": {"a": 1}},
        {"minimum": "1"},
        {"items": [{}]},
        {"oneOf": [{}]},
    ],
)
def test_other_schemas_are_left_to_the_library(schema: dict[str, object]) -> None:
    assert _plain_fits(schema, {"a": 1}) is None
    assert fits(schema, {"a": 1}) == json_schema.fits(schema, {"a": 1})

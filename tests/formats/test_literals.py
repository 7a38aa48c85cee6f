"""Text that only looks like JSON: whatever it is, reading it ends, and what is read was there."""

import json

from hypothesis import given
from hypothesis import strategies as st

from pipelines.formats.literals import cut_json, decoded_base64, json_value, otlp_any, python_literal

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(1 << 53), 1 << 53) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)
CONTAINERS = st.lists(JSON, max_size=4) | st.dictionaries(st.text(max_size=6), JSON, max_size=4)


def is_start_of(part: object, whole: object) -> bool:
    """Whether a value is what a cut leaves of another: containers end early, the last text is shorter, the last value may be missing."""
    if isinstance(part, dict) and isinstance(whole, dict):
        return all(name in whole and is_start_of(value, whole[name]) for name, value in part.items())
    if isinstance(part, list) and isinstance(whole, list):
        return len(part) <= len(whole) and all(map(is_start_of, part, whole))
    if isinstance(part, str) and isinstance(whole, str):
        return whole.startswith(part)
    return part == whole or (isinstance(part, int) and isinstance(whole, int) and str(whole).startswith(str(part)))


@given(CONTAINERS, st.floats(0, 1), st.booleans())
def test_what_is_left_of_cut_json_stood_there(value: object, share: float, ascii_only: bool) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only)
    found = cut_json(text[: max(1, int(len(text) * share))])
    assert found is not None
    assert is_start_of(found, value)


@given(JSON)
def test_a_repr_is_the_value_it_shows(value: object) -> None:
    text = repr(value)
    read = python_literal(text)
    assert read == value or read is text


@given(st.text(max_size=60) | st.text("[]{}(),'\"\\:0aNonetrue ", max_size=60))
def test_any_text_is_read_to_an_end(text: str) -> None:
    cut_json(text)
    python_literal(text)
    json_value(text)
    decoded_base64(text)


@given(JSON)
def test_any_value_passes_where_an_otlp_value_is_expected(value: object) -> None:
    otlp_any(value)
    otlp_any({"arrayValue": value})
    otlp_any({"kvlistValue": {"values": value}})
    otlp_any({"intValue": value})
    otlp_any({"bytesValue": value})

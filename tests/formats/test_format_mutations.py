"""Rows with any field of another type, missing or doubled: an outcome each, and never an exception."""

import json
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipelines.formats import FORMATS, by_name
from pipelines.formats.format import Item, Partner, Place, Rejected, Skipped
from pipelines.formats.litellm.payload import FORMAT as LITELLM
from pipelines.formats.stream import Stream
from pipelines.schema import Record
from tests.formats_agree import disagreements
from tests.sample_files import SAMPLES, items

SOURCES = {
    "litellm": ("litellm/payloads.jsonl", "litellm/hand_made.jsonl", "litellm/redacted.jsonl", "litellm/tables.jsonl"),
    "litellm_spendlogs": ("spendlogs/rows.jsonl",),
    "pair": ("pair/pairs.jsonl",),
    "openai_batch": ("batch/input.jsonl", "batch/output.jsonl"),
    "sse": (
        "sse/several.txt",
        "sse/responses_litellm.txt",
        "sse/messages_vllm033_think_leak.txt",
        "sse/chat_litellm_tool_calls.txt",
    ),
}
ROWS = {name: [item for path in paths for item in items(SAMPLES / path)[0]] for name, paths in SOURCES.items()}

odd_values = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=8),
    st.sampled_from(["\ud800", "redacted-by-litellm", "data: {", "[]", "{}", "nan", "9" * 400, 10**30, -1, 1e300]),
    st.lists(st.one_of(st.none(), st.integers(), st.text(max_size=3), st.just({})), max_size=3),
    st.dictionaries(st.sampled_from(["text", "type", "content", "id", "choices", "x"]), st.integers(), max_size=3),
)


def spots(value: Any) -> list[tuple[Any, Any]]:
    """Every place in a decoded value that can hold another value: (container, key)."""
    found: list[tuple[Any, Any]] = []
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        found.append((value, key))
        found.extend(spots(value[key]))
    return found


def mutated(draw: st.DrawFn, row: Item) -> Item:
    changed = deepcopy(row)
    target = changed.events if isinstance(changed, Stream) else changed
    for _ in range(draw(st.integers(1, 3))):
        places = spots(target)
        if not places:
            break
        container, key = draw(st.sampled_from(places))
        if not isinstance(container, dict) or draw(st.integers(0, 3)):
            if isinstance(container, dict) or key < len(container):
                container[key] = draw(odd_values)
        else:
            container.pop(key, None)
    return changed


@st.composite
def mutations(draw: st.DrawFn, name: str) -> Item:
    return mutated(draw, draw(st.sampled_from(ROWS[name])))


@pytest.mark.parametrize("name", sorted(SOURCES))
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(data=st.data())
def test_a_mutated_row_gives_outcomes(name: str, data: st.DataObject) -> None:
    item = data.draw(mutations(name))
    reads, place = by_name(name), Place("log", 3)
    given_item = (Partner(item, place),) if reads.join_key else item
    if reads.join_key:
        reads.join_key(item)
    reads.recognise(item)
    found = list(reads.parse(given_item, place))
    assert found
    for outcome in found:
        assert isinstance(outcome, Record | Skipped | Rejected)
        if isinstance(outcome, Record):
            assert isinstance(outcome.content, str | None) and isinstance(outcome.reasoning, str | None)
            assert isinstance(outcome.source_id, str) and isinstance(outcome.choice, int)
            assert all(isinstance(call.arguments, str | None) for call in outcome.tool_calls)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(data=st.data())
def test_light_and_full_reading_of_a_mutated_payload_agree(data: st.DataObject) -> None:
    item = data.draw(mutations("litellm"))
    try:
        line = json.dumps(item).encode()
    except ValueError:
        return
    assert disagreements(line) == []


json_values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=6)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(
                [
                    "id",
                    "choices",
                    "message",
                    "delta",
                    "content",
                    "type",
                    "role",
                    "output",
                    "response",
                    "request",
                    "custom_id",
                    "messages",
                    "tools",
                    "body",
                    "events",
                    "text",
                    "parts",
                    "usage",
                    "tool_calls",
                    "function",
                    "error",
                ]
            ),
            inner,
            max_size=5,
        ),
    ),
    max_leaves=12,
)


@settings(max_examples=300, deadline=None)
@given(item=json_values)
def test_any_json_value_gives_outcomes_in_every_format(item: Item) -> None:
    for reads in FORMATS:
        reads.recognise(item)
        assert list(reads.parse(item, Place("log", 0)))
    assert LITELLM.light is not None
    LITELLM.light("log")(json.dumps(item).encode(), 0)

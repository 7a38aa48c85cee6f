"""No format raises on data: any value at any place of a real row is a record with flags, a skip or a reject without text of the log."""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipelines.formats import by_name
from pipelines.formats.format import Format, Item, Partner, Place, Rejected, Skipped
from pipelines.schema import Record
from tests.sample_files import SAMPLES, items

FOLDER = Path(__file__).parent.parent / "golden" / "sources"
SOURCES = {answer.stem: tomllib.loads(answer.read_text()) for answer in sorted(FOLDER.glob("*.toml"))}
STEMS = {stem: str(answer["format"]) for stem, answer in SOURCES.items() if not str(answer["source"]).endswith(".log")}
SECRET = "the-secret-of-the-log"
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(1 << 70), 1 << 70)
    | st.floats(allow_nan=True)
    | st.text(max_size=12)
    | st.sampled_from(
        ["", "[", '{"a":', "{'a': None}", "[[]]", '"x"', "data: {}\n\n", "__REDACTED__", "\ud800", SECRET]
    )
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)


def rows(stem: str) -> list[Item]:
    return items(SAMPLES / str(SOURCES[stem]["source"]))[0]


def steps(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every node below a value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, below in inner:
        yield (*way, key)
        yield from steps(below, (*way, key))


def changed(value: Any, way: tuple[Any, ...], new: Any) -> Any:
    if not way:
        return new
    key, rest = way[0], way[1:]
    if isinstance(value, dict):
        return {**value, key: changed(value[key], rest, new)}
    return [*value[:key], changed(value[key], rest, new), *value[key + 1 :]]


def check(found: Format, item: Item) -> None:
    found.recognise(item)
    place = Place("memory://x", 3)
    for one in found.explode(item) if found.explode else [item]:
        key = found.join_key(one) if found.join_key else None
        assert key is None or isinstance(key, str)
        given = (Partner(one, place), Partner(one, place)) if found.join_key else one
        outcomes = [*found.parse(given, place), *(found.lend(given, place) if found.lend else ())]
        assert outcomes, "an item without any outcome would vanish from coverage"
        for outcome in outcomes:
            if isinstance(outcome, Rejected):
                assert SECRET not in outcome.code + outcome.message
            elif isinstance(outcome, Record):
                check_record(outcome, found)
            else:
                assert isinstance(outcome, Skipped)


def check_record(record: Record, found: Format) -> None:
    assert record.format == found.name
    assert isinstance(record.source_id, str) and record.source_id
    assert record.content is None or isinstance(record.content, str)
    if record.content_state in ("null", "absent", "redacted", "external_ref", "encrypted"):
        assert not record.content
    if record.content_state in ("text", "truncated"):
        assert record.content
    assert bool(record.reasoning) == (record.reasoning_state == "present")
    assert bool(record.tool_calls) == (record.tool_calls_state == "present")
    assert record.time is None or isinstance(record.time, float)
    assert 0 < record.sampling_fraction <= 1
    for name in (
        "model_deployed",
        "model_requested",
        "engine",
        "engine_version",
        "api_base",
        "provider",
        "call_id",
        "trace_id",
    ):
        assert getattr(record, name) is None or isinstance(getattr(record, name), str), name


@pytest.mark.parametrize("stem", sorted(STEMS))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_any_value_at_any_place(stem: str, data: st.DataObject) -> None:
    row = data.draw(st.sampled_from(rows(stem)))
    way = data.draw(st.sampled_from(list(steps(row))))
    check(by_name(STEMS[stem]), changed(row, way, data.draw(VALUES)))


@pytest.mark.parametrize("name", sorted(set(STEMS.values()) | {"vllm"}))
@settings(max_examples=60, deadline=None)
@given(item=VALUES)
def test_any_item_at_all(name: str, item: Item) -> None:
    check(by_name(name), item)


@pytest.mark.parametrize("stem", sorted(STEMS))
def test_every_field_missing_once(stem: str) -> None:
    found = by_name(STEMS[stem])
    row = rows(stem)[0]
    for way in steps(row):
        if isinstance(way[-1], str):
            check(found, without(row, way))


def without(value: Any, way: tuple[Any, ...]) -> Any:
    key, rest = way[0], way[1:]
    if rest:
        return changed(value, (key,), without(value[key], rest))
    return {name: below for name, below in value.items() if name != key}


@pytest.mark.parametrize("stem", [stem for stem in sorted(STEMS) if STEMS[stem] != "otlp"])
def test_strings_that_hold_json_cut_anywhere(stem: str) -> None:
    found = by_name(STEMS[stem])
    for row in rows(stem)[:3]:
        for way in steps(row):
            value = row
            for key in way:
                value = value[key]
            if isinstance(value, str) and value.startswith(("{", "[")):
                for end in range(0, len(value), max(1, len(value) // 40)):
                    check(found, changed(row, way, value[:end]))

"""Sample files of all sources beside their answers: TOML files in tests/golden/sources, written by reading the samples.

A record names the fields that matter at it, in the order of the file; "unknown" stands for None. Where content or reasoning is not
named, none may be there.
"""

import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from pipelines.formats import FORMATS, by_name, recognise
from pipelines.formats.format import Format, Item, Outcome, Partner, Place, Rejected, Skipped
from pipelines.schema import Record
from tests.sample_files import SAMPLES
from tests.sample_files import items as items_of

FOLDER = Path(__file__).parent.parent / "golden" / "sources"
ANSWERS = sorted(FOLDER.glob("*.toml"))


def source_of(answer: Path) -> Path:
    return SAMPLES / str(tomllib.loads(answer.read_text())["source"])


def outcomes_of(found: Format, items: list[Item], uri: str) -> tuple[int, list[Outcome]]:
    """How many items there are once lines are taken apart, and what they yield, partners together."""
    apart = [
        (inner, number)
        for number, item in enumerate(items)
        for inner in (found.explode(item) if found.explode else [item])
    ]
    read = found.lend or found.parse
    if found.join_key is None:
        return len(apart), [outcome for item, number in apart for outcome in read(item, Place(uri, number))]
    groups: dict[str, list[Partner]] = {}
    for order, (item, number) in enumerate(apart):
        groups.setdefault(found.join_key(item) or f"alone {order}", []).append(Partner(item, Place(uri, number)))
    return len(apart), [outcome for group in groups.values() for outcome in found.parse(tuple(group), group[0].place)]


def seen(record: Record, field: str) -> Any:
    """A field in the words of the answers."""
    value = getattr(record, field)
    if value is None:
        return "unknown"
    if field == "messages":
        return [[message.role, message.content] for message in value]
    if field == "tools":
        return [tool.name for tool in value]
    if field == "tool_calls":
        return [[call.name, call.arguments, call.id or ""] for call in value]
    if field == "usage":
        names = ("input", "output", "reasoning")
        return {name: getattr(value, name) for name in names if getattr(value, name) is not None}
    return list(value) if isinstance(value, tuple) else value


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda path: path.stem)
def test_source_is_read_as_its_answer_says(answer: Path) -> None:
    expected = tomllib.loads(answer.read_text())
    source = source_of(answer)
    items, framing = items_of(source)
    found = recognise(items, framing)
    assert found is not None, "no format recognises the file"
    assert found.name == expected["format"]
    count, outcomes = outcomes_of(found, items, f"memory://{source.relative_to(SAMPLES)}")
    assert count == expected["items"]
    assert [outcome for outcome in outcomes if isinstance(outcome, Rejected)] == []
    skipped = Counter(outcome.reason for outcome in outcomes if isinstance(outcome, Skipped))
    assert skipped == expected.get("skipped", {})
    records = sorted(
        (one for one in outcomes if isinstance(one, Record)), key=lambda one: (one.time or 0, one.source_pos)
    )
    wanted = expected["record"]
    assert len(records) == len(wanted)
    for record, answers in zip(_in_order(records, wanted), wanted, strict=True):
        for field, value in answers.items():
            assert seen(record, field) == value, f"{answers.get('source_id')}: {field}"
        if answers.get("content_state", "text") not in ("text", "truncated"):
            assert record.content in (None, "")
        if record.content and "content" in answers:
            assert answers.get("content_state", "text") == record.content_state
        if answers.get("reasoning_state", "present") != "present":
            assert record.reasoning is None


def _in_order(records: list[Record], wanted: list[dict[str, Any]]) -> list[Record]:
    """The records in the order of the answers where both name their ids, else by time."""
    by_id = {record.source_id: record for record in records}
    return [by_id.get(answer.get("source_id", ""), record) for answer, record in zip(wanted, records, strict=True)]


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda path: path.stem)
def test_exactly_one_format_knows_each_item(answer: Path) -> None:
    for item in items_of(source_of(answer))[0]:
        names = [candidate.name for candidate in FORMATS if candidate.recognise(item)]
        assert names == [tomllib.loads(answer.read_text())["format"]]


@pytest.mark.parametrize("stem", ["sglang", "vllm", "envoy_access_log"])
def test_rows_that_are_lent_are_never_turns(stem: str) -> None:
    items, _ = items_of(source_of(FOLDER / f"{stem}.toml"))
    found = next(one for one in FORMATS if one.recognise(items[0]))
    assert found.lend is not None
    outcomes = [
        outcome for number, item in enumerate(items) for outcome in found.parse(item, Place("memory://x", number))
    ]
    assert len(outcomes) == len(items)
    assert all(isinstance(outcome, Skipped) for outcome in outcomes)


def test_records_carry_the_place_of_the_span_that_shows_the_answer() -> None:
    items, _ = items_of(SAMPLES / "otlp" / "litellm_v1.jsonl")
    _, outcomes = outcomes_of(by_name("otlp"), items, "memory://spans")
    places = [one.source_pos for one in outcomes if isinstance(one, Record)]
    assert sorted(places) == list(range(9)), "lines 9 to 11 hold only the upstream side of three calls"


def test_one_call_as_spans_of_two_exporters_is_one_turn() -> None:
    items = [
        item for name in ("v2", "openinference") for item in items_of(SAMPLES / "otlp" / f"litellm_{name}.jsonl")[0]
    ]
    count, outcomes = outcomes_of(by_name("otlp"), items, "memory://spans")
    assert count == 22
    assert sum(isinstance(one, Record) for one in outcomes) == 13
    assert sum(one == Skipped("duplicate") for one in outcomes) == 9

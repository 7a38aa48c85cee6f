"""Rows without the end that they share with rows before: never another meaning, and only ends that say nothing are shared."""

import json

import msgspec
import pytest

from pipelines.formats.litellm.light import light_reader
from pipelines.formats.litellm.shared_ends import SharedEnds
from tests.sample_files import SAMPLES, content

MAP = {"model_map_key": "m", "model_map_value": {"key": "m", "input_cost_per_token": None}}


def line(*, end: dict[str, object] | None = None, **fields: object) -> bytes:
    return json.dumps({**fields, "model_map_information": MAP, **(end or {})}).encode() + b"\n"


def test_the_second_row_of_a_model_ends_before_its_map() -> None:
    ends = SharedEnds()
    first, second = line(id="a", error=1), line(id="b")
    assert ends.cut(first) == first
    assert ends.cut(second) == b'{"id": "b"}'
    assert ends.cut(first) == b'{"id": "a", "error": 1}'


@pytest.mark.parametrize(
    "end",
    [
        {"error_str": "Client disconnected the request"},
        {"guardrail_information": [{"guardrail_name": "x"}]},
        {"litellm_call_id": "c"},
        {"session_id": None},
        {"messages": []},
    ],
    ids=str,
)
def test_an_end_from_which_something_is_read_is_never_cut_off(end: dict[str, object]) -> None:
    ends = SharedEnds()
    for _ in range(2):
        assert ends.cut(line(id="a", end=end)) == line(id="a", end=end)


def test_what_follows_the_map_may_be_nothing() -> None:
    ends = SharedEnds()
    ends.cut(line(id="a", end={"error_str": None, "cost": {"total": 0}}))
    assert ends.cut(line(id="b", end={"error_str": None, "cost": {"total": 0}})) == b'{"id": "b"}'


@pytest.mark.parametrize(
    "other",
    [
        b'{"inner": {"id": "a", "model_map_information": {"model_map_key": "m"}}}',
        b'{"content": "text, \\"model_map_information\\": {}}',
        b'{"id": "a", "model_map_information": {"model_map_key": "m"}',
        b'"model_map_information"',
        b"",
    ],
)
def test_a_map_that_is_no_field_of_the_row_is_left_alone(other: bytes) -> None:
    ends = SharedEnds()
    assert [ends.cut(other) for _ in range(2)] == [other, other]


def test_a_row_that_only_looks_as_if_it_ended_so_is_refused_by_the_decoder() -> None:
    ends = SharedEnds()
    ends.cut(line(id="a"))
    inner = b'{"id": "a", "response": {"x": 1' + line(id="a")[len('{"id": "a"') :]
    with pytest.raises(msgspec.DecodeError):
        msgspec.json.decode(ends.cut(inner))
    with pytest.raises(msgspec.DecodeError):
        msgspec.json.decode(inner)


def test_rows_whose_ends_are_never_alike_are_learned_from_no_longer() -> None:
    ends = SharedEnds()
    for number in range(200):
        ends.cut(line(id="a", end={"number": number}))
    assert ends.cut(line(id="b", end={"number": 0})) == b'{"id": "b"}'
    assert ends.cut(line(id="b", end={"number": 199})) == line(id="b", end={"number": 199})


@pytest.mark.parametrize("name", ["untrimmed.jsonl", "payloads.jsonl", "hand_made.jsonl", "version_1_80_5.jsonl"])
def test_a_reader_that_remembers_reads_what_one_without_memory_reads(name: str) -> None:
    remembering = light_reader("log")
    rows = content(SAMPLES / "litellm" / name).splitlines(keepends=True) * 2
    for number, row in enumerate(rows):
        light, other = remembering(row, number), light_reader("log")(row, number)
        assert (light is None) == (other is None)
        if light is not None and other is not None:
            assert light.record == other.record
            assert (light.content, light.reasoning, light.history) == (other.content, other.reasoning, other.history)

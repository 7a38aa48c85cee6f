"""The whole record of a row that was read light is the one that decoding all of it yields."""

import json

import pytest

from pipelines.formats.format import Outcome, Place
from pipelines.formats.litellm.full import read_full
from pipelines.formats.litellm.light import light_reader
from pipelines.formats.litellm.payload import FORMAT
from pipelines.schema import Record
from tests.sample_files import SAMPLES, content, items

FILES = ("payloads.jsonl", "hand_made.jsonl", "untrimmed.jsonl", "redacted.jsonl", "disconnect.jsonl", "tables.jsonl")
PLACE = Place("log", 5)
PLAIN = items(SAMPLES / "litellm" / "hand_made.jsonl")[0][7]
CALLS = [
    {"id": "c", "type": "function", "index": 0, "function": {"name": "get_weather", "arguments": '{"city": "Oslo"}'}}
]


def both(row: bytes) -> tuple[Record | None, Outcome] | None:
    light = light_reader(PLACE.uri)(row, PLACE.position)
    if light is None:
        return None
    (parsed,) = FORMAT.parse(json.loads(row), PLACE)
    return read_full(row, light), parsed


def answered(streamed: bool = False, **message: object) -> bytes:
    row = json.loads(json.dumps(PLAIN | {"stream": streamed}))
    row["response"]["choices"][0]["message"] |= message
    return json.dumps(row).encode()


@pytest.mark.parametrize("name", FILES)
def test_every_sample_row(name: str) -> None:
    for number, row in enumerate(content(SAMPLES / "litellm" / name).splitlines()):
        read = both(row)
        assert read is None or read[0] == read[1], number


@pytest.mark.parametrize(
    "row",
    [
        answered(content="é🫖\n<think>"),
        answered(content=""),
        answered(content=None),
        answered(content="Yes.", reasoning_content="Look."),
        answered(content="Yes.", reasoning_content=""),
        answered(content=None, tool_calls=CALLS),
        answered(content="Yes.", tool_calls=[*CALLS, "no call"]),
        answered(streamed=True, content="Yes.", reasoning_content="Look.\n"),
        json.dumps(PLAIN | {"messages": [{"role": "assistant", "content": None, "tool_calls": CALLS}]}).encode(),
        json.dumps(PLAIN | {"messages": [{"role": "user", "content": [{"type": "text", "text": "a"}]}]}).encode(),
        json.dumps(PLAIN | {"messages": []}).encode(),
    ],
    ids=range(11),
)
def test_what_an_answer_and_a_history_may_hold(row: bytes) -> None:
    read = both(row)
    assert read is not None
    assert read[0] == read[1]


@pytest.mark.parametrize(
    "row",
    [
        answered(content="redacted-by-litellmredacted-by-litellm"),
        answered(streamed=True, content="<think>a</think>b").replace(b'"<think>', b'"\\u003cthink>'),
        answered(content="Yes.", reasoning_content="Look.\n").replace(b'Look.\\n"', b'Look.\\u000a"'),
        json.dumps(PLAIN | {"model_parameters": {"messages": []}}).encode(),
    ],
    ids=range(4),
)
def test_a_row_that_takes_more_is_not_read(row: bytes) -> None:
    light = light_reader(PLACE.uri)(row, PLACE.position)
    assert light is not None
    assert read_full(row, light) is None

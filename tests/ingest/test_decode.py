"""The ladder of decoding: what real logs hold is taken, what is no JSON or hostile becomes a reject without a word of its text."""

import io
import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.formats.format import Rejected
from pipelines.ingest import values as values_module
from pipelines.ingest.decode import DEEPEST, decode, decoded_line
from pipelines.ingest.values import values

TAKEN = {
    "plain": (b'{"a": "c"}', {"a": "c"}),
    "line end of another system": (b'{"a": "c"}\r\n', {"a": "c"}),
    "byte order mark": (b'\xef\xbb\xbf{"a": "c"}', {"a": "c"}),
    "broken UTF-8": (b'{"a": "c\xff"}', {"a": "c\ufffd"}),
    "zero byte in a string": (b'{"a": "c\x00d"}', {"a": "c\x00d"}),
    "escaped zero": (b'{"a": "c\\u0000d"}', {"a": "c\x00d"}),
    "half a surrogate": (b'{"a": "c\\ud800d"}', {"a": "c\ufffdd"}),
    "NaN": (b'{"a": "c", "b": Infinity}', {"a": "c", "b": float("inf")}),
    "the last of two equal keys": (b'{"a": "b", "a": "c"}', {"a": "c"}),
    "record separator": (b'\x1e{"a": "c"}\n', {"a": "c"}),
    "zero bytes of a file that was cut and grew again": (b'\x00\x00{"a": "c"}', {"a": "c"}),
}
REJECTED = {
    "cut off": (b'{"a": "secret', "truncated_json"),
    "no JSON": (b"secret text", "invalid_json"),
    "two objects": (b'{"a": "c"}{"a": "secret"}', "several_values"),
    "behind the object": (b'{"a": "c"} secret', "several_values"),
    "behind the number": (b"2026-11-30 secret", "invalid_json"),
    "behind the list": (b"[1] secret", "invalid_json"),
    "too deep": (b'{"a": ' + b"[" * 5000 + b"]" * 5000 + b"}", "too_deep"),
    "far too deep": (b"[" * 200_000, "too_deep"),
    "just too deep": (b"[" * (DEEPEST + 1) + b"]" * (DEEPEST + 1), "too_deep"),
}


@pytest.mark.parametrize(("raw", "item"), TAKEN.values(), ids=TAKEN)
def test_taken(raw: bytes, item: object) -> None:
    assert decode(raw) == item


@pytest.mark.parametrize(("raw", "code"), REJECTED.values(), ids=REJECTED)
def test_rejected_by_code_without_its_text(raw: bytes, code: str) -> None:
    outcome = decode(raw)
    assert isinstance(outcome, Rejected)
    assert outcome.code == code
    assert "secret" not in outcome.message


LINES: dict[str, tuple[bytes, list[object]]] = {
    "one": (b'{"a": 1}', [{"a": 1}]),
    "none": (b"text", [Rejected("invalid_json", "4 bytes")]),
    "two": (b'{"a": 1}{"a": 2}\n', [{"a": 1}, {"a": 2}]),
    "three, with blanks, commas and separators": (
        b'{"a": 1}\x00 {"a": 2},\t\x1e{"a": 3} \r\n',
        [{"a": 1}, {"a": 2}, {"a": 3}],
    ),
    "what strict decoders refuse": (b'{"a": Infinity}{"a": "\xff"}', [{"a": float("inf")}, {"a": "\ufffd"}]),
    "half a surrogate": (b'{"a": 1}{"a": "\\ud800"}', [{"a": 1}, {"a": "\ufffd"}]),
    "the last one cut off": (b'{"a": 1}{"a": "secret', [{"a": 1}, Rejected("truncated_json", "13 bytes")]),
    "the last one broken": (b'{"a": 1}{"a": secret}', [{"a": 1}, Rejected("invalid_json", "13 bytes")]),
    "text behind": (b'{"a": 1} secret', [{"a": 1}, Rejected("invalid_json", "6 bytes")]),
    "a number behind": (b'{"a": 1} 2026', [{"a": 1}, Rejected("invalid_json", "4 bytes")]),
    "an array behind": (b'{"a": 1} [{"a": 2}]', [{"a": 1}, Rejected("invalid_json", "10 bytes")]),
    "the first one broken": (b'{"a": secret}{"a": 2}', [Rejected("invalid_json", "21 bytes")]),
}


@pytest.mark.parametrize(("line", "expected"), LINES.values(), ids=LINES)
def test_every_item_of_a_line(line: bytes, expected: list[object]) -> None:
    assert list(decoded_line(line, decode(line))) == expected


def test_an_object_too_deep_costs_only_itself() -> None:
    deep = b'{"a": ' + b"[" * (DEEPEST + 1) + b"]" * (DEEPEST + 1) + b"}"
    found = list(decoded_line(b'{"a": 1}' + deep + b'{"a": 2}', decode(b'{"a": 1}{"a": 2}')))
    assert found == [{"a": 1}, Rejected("too_deep", f"{len(deep)} bytes"), {"a": 2}]


HOSTILE = {
    "empty objects": b"{}" * 200_000,
    "openings": b"{}" + b'{"a":[' * 100_000,
    "cut strings": b"{}" + b'{"a":"{}' * 100_000,
    "brackets": b"{}" + b"[" * 500_000,
    "commas": b"{}" + b"," * 1_000_000 + b"x",
}


@pytest.mark.parametrize("line", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_line_is_read_once(line: bytes) -> None:
    began = time.process_time()
    items = sum(1 for _ in decoded_line(line, decode(line)))
    assert items <= 200_000
    assert time.process_time() - began < 5


def test_a_number_without_end_is_no_number() -> None:
    outcome = decode(b'{"a": ' + b"1" * 10_000 + b"}")
    assert isinstance(outcome, Rejected | dict)


@given(st.binary(max_size=60))
def test_whatever_the_bytes_there_is_an_answer(raw: bytes) -> None:
    decode(raw)


OBJECTS = [{"id": 1, "text": "[{,}]"}, {"id": 2, "inner": {"id": [1, {"id": 3}]}}, {"id": 4}]
SHAPES = {
    "array": json.dumps(OBJECTS),
    "pretty array": json.dumps(OBJECTS, indent=2),
    "concatenated": "".join(map(json.dumps, OBJECTS)),
    "arrays, one a line": "".join(json.dumps([item]) + "\n" for item in OBJECTS),
    "pretty objects": "\n".join(json.dumps(item, indent=1) for item in OBJECTS),
    "sequence": "".join("\x1e" + json.dumps(item) + "\n" for item in OBJECTS),
}


@pytest.mark.parametrize("text", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize("piece", [7, 1 << 20])
def test_objects_one_after_the_other(text: str, piece: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(values_module, "PIECE", piece)
    assert list(values(io.BytesIO(text.encode()))) == OBJECTS


def test_a_broken_object_costs_only_itself() -> None:
    text = '[{"id": 1, "text": "a"},\n{"id": 2, "text": },\n{"id": 3, "text": "c"},\n{"id": 4, "te'
    found = list(values(io.BytesIO(text.encode())))
    assert [getattr(item, "code", None) or item["id"] for item in found] == [1, "invalid_json", 3, "truncated_json"]

"""Cutting bytes into streams: any cut of the bytes, any line end, interleaved and broken streams."""

import json
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.formats import by_name
from pipelines.formats.format import Place, Rejected, Skipped
from pipelines.formats.sse import Stream, looks_like_events, streams
from pipelines.formats.stream import MOST_OPEN
from pipelines.schema import Record
from tests.sample_files import SAMPLES

SEVERAL = (SAMPLES / "sse" / "several.txt").read_bytes()
ALL = b"\n".join(path.read_bytes() for path in sorted((SAMPLES / "sse").glob("*_*.txt")))


def event(identifier: str | None, content: str | None = None, **more: object) -> bytes:
    delta = {} if content is None else {"content": content}
    body = {
        "object": "chat.completion.chunk",
        "choices": [{"index": 0, "delta": delta | dict(more.pop("delta", {})), **more}],
    }  # type: ignore[call-overload]
    return b"data: " + json.dumps(body if identifier is None else body | {"id": identifier}).encode() + b"\n\n"


def contents(data: bytes) -> list[str | None]:
    found = [list(by_name("sse").parse(stream, Place("s", 0))) for stream in streams([data])]
    return [outcome.content for outcomes in found for outcome in outcomes if isinstance(outcome, Record)]


@settings(max_examples=60, deadline=None)
@given(cuts=st.lists(st.integers(0, len(SEVERAL)), max_size=12))
def test_any_cut_of_the_bytes_gives_the_same_streams(cuts: list[int]) -> None:
    places = [0, *sorted(cuts), len(SEVERAL)]
    chunks = [SEVERAL[start:end] for start, end in pairwise(places)]
    assert list(streams(chunks)) == list(streams([SEVERAL]))


@pytest.mark.parametrize("size", [1, 7, 4096])
def test_a_file_of_many_captures_gives_each_stream_once(size: int) -> None:
    found = list(streams(ALL[at : at + size] for at in range(0, len(ALL), size)))
    assert len(found) == 12
    assert [stream.events for stream in found] == [stream.events for stream in streams([ALL])]


@pytest.mark.parametrize("ending", [b"\n", b"\r\n", b"\r"])
def test_line_ends_make_no_difference(ending: bytes) -> None:
    data = event("a", "Ye") + b": comment\n" + event("a", "s.", finish_reason="stop") + b"data: [DONE]\n\n"
    assert contents(data.replace(b"\n", ending)) == ["Yes."]


def test_a_log_without_blank_lines_is_read_line_by_line() -> None:
    data = (event("a", "Ye") + event("a", "s.", finish_reason="stop") + b"data: [DONE]\n\n").replace(b"\n\n", b"\n")
    assert contents(data) == ["Yes."]


def test_data_over_several_lines_is_one_event() -> None:
    assert contents(b'data: {"choices": [{"index": 0,\ndata: "delta": {"content": "Yes."}}]}\n\n') == ["Yes."]


def test_interleaved_streams_are_kept_apart_by_their_id() -> None:
    data = event("a", "A1", delta={"role": "assistant"}) + event("b", "B1", delta={"role": "assistant"})
    data += event("a", "A2", finish_reason="stop") + event("b", "B2", finish_reason="stop")
    assert contents(data) == ["A1A2", "B1B2"]


def test_streams_that_share_an_id_are_kept_apart_when_one_has_ended() -> None:
    one = event("same", "A", delta={"role": "assistant"}) + event("same", None, finish_reason="stop")
    assert contents(one + b"data: [DONE]\n\n" + one) == ["A", "A"]
    assert contents(one + one) == ["A", "A"]


def test_a_stream_that_changes_its_id_in_the_middle_goes_on() -> None:
    assert contents(event("a", "Ye", delta={"role": "assistant"}) + event("b", "s.", finish_reason="stop")) == ["Yes."]


def test_streams_without_ids_end_at_done() -> None:
    assert contents(event(None, "A") + b"data: [DONE]\n\n" + event(None, "B") + b"data: [DONE]\n\n") == ["A", "B"]


def test_many_open_streams_are_bounded_and_none_is_lost() -> None:
    data = b"".join(event(f"s{number}", "A", delta={"role": "assistant"}) for number in range(MOST_OPEN * 3))
    assert len(list(streams([data]))) == MOST_OPEN * 3


CUT: list[tuple[bytes, str]] = [
    (event("a", "Partial"), "no end"),
    (event("a", "Partial") + b'data: {"error": {"message": "no"}}\n\n', "an error"),
    (event("a", "Partial") + b'data: {"choices": [{"ind', "half an event"),
    (event("a", "Partial") + b'event: error\ndata: {"message": "no"}\n\n', "a named error"),
]


@pytest.mark.parametrize(("data", "why"), CUT, ids=lambda value: value if isinstance(value, str) else "")
def test_a_cut_stream_keeps_what_the_client_saw_without_a_finish(data: bytes, why: str) -> None:
    (stream,) = streams([data])
    (record,) = by_name("sse").parse(stream, Place("s", 0))
    assert isinstance(record, Record), why
    assert (record.content, record.content_state, record.finish_reason) == ("Partial", "text", None)
    assert record.gateway_rewrites == {"stream_cut"}


NO_TURN: list[tuple[bytes, object]] = [
    (b'data: {"error": {"message": "no"}}\n\n', Skipped("failed")),
    (event("a", None, delta={"role": "assistant", "content": ""}), Skipped("cut_before_first_token")),
    (b'event: error\ndata: {"message": "no"}\n\n', Skipped("failed")),
    (event("a", None) + b'data: {"error": {"message": "no"}}\n\n', Skipped("failed")),
    (b'data: {"hello": 1}\n\n', Skipped("not_a_call")),
    (b"data: {broken\n\n", Rejected("invalid_json", "no event of the stream holds JSON")),
]


@pytest.mark.parametrize(("data", "outcome"), NO_TURN)
def test_a_stream_without_an_answer_is_counted_with_its_reason(data: bytes, outcome: object) -> None:
    (stream,) = streams([data])
    assert list(by_name("sse").parse(stream, Place("s", 0))) == [outcome]


def test_nothing_but_comments_is_no_stream() -> None:
    assert list(streams([b": keep-alive\n\n", b"event: ping\n\n", b"data: [DONE]\n\n", b""])) == []


def test_a_stream_beyond_the_bounds_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipelines.formats.stream.MOST_BYTES", 100)
    (stream,) = streams([event("a", "x" * 200) + event("a", "y", finish_reason="stop")])
    assert stream.too_large and stream.events == []
    assert by_name("sse").parse(stream, Place("s", 0)) == (
        Rejected("stream_too_large", "a stream beyond the limit of events or bytes"),
    )


def test_an_endless_line_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipelines.formats.stream.LONGEST_LINE", 50)
    data = [b"data: " + b"x" * 80, b"y" * 80 + b"\n\n", event("a", "Yes.", finish_reason="stop")]
    (stream,) = streams(data)
    assert (stream.malformed, len(stream.events), stream.finished) == (1, 1, True)


@pytest.mark.parametrize(
    ("opening", "expected"),
    [
        (b'data: {"id": 1}', True),
        (b": keep-alive\n\ndata: {}", True),
        (b"event: message_start\r\ndata: {}", True),
        (b'\xef\xbb\xbfdata: {"a": 1}', True),
        (b'{"data": 1}', False),
        (b"INFO: data", False),
        (b"", False),
    ],
)
def test_event_text_is_recognised_by_its_opening(opening: bytes, expected: bool) -> None:
    assert looks_like_events(opening) is expected


def test_a_stream_is_recognised_whatever_it_holds() -> None:
    assert not by_name("sse").recognise({"events": []})
    assert by_name("sse").recognise(Stream())

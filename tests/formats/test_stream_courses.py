"""Where one stream ends and the next begins, and what is said of a stream that ended in one way or another: captures as literals."""

import json
from typing import Any

import pytest

from pipelines.formats import by_name
from pipelines.formats._dialects import read_body
from pipelines.formats.format import Outcome, Place, Skipped
from pipelines.formats.sse import looks_like_events, streams
from pipelines.formats.stream import Streams
from pipelines.schema import Record

DONE = b"data: [DONE]\n\n"


def data(**event: Any) -> bytes:
    return b"data: " + json.dumps(event).encode() + b"\n\n"


def text(index: int, text: str, finish: str | None = None, **fields: Any) -> bytes:
    return data(choices=[{"index": index, "text": text, "finish_reason": finish}], **fields)


def chat(delta: dict[str, Any], finish: str | None = None, *, index: int = 0, **fields: Any) -> bytes:
    return data(choices=[{"index": index, "delta": delta, "finish_reason": finish}], **fields)


def said(content: str, finish: str | None = None, *, index: int = 0, **fields: Any) -> bytes:
    """A chunk of an engine that names the role in every delta."""
    return chat({"role": "assistant", "content": content}, finish, index=index, **fields)


def message(kind: str, **fields: Any) -> bytes:
    return f"event: {kind}\n".encode() + data(type=kind, **fields)


def claude(words: str, identifier: str | None = None) -> bytes:
    """A Messages stream that was cut."""
    start = {"role": "assistant", "content": []} | ({} if identifier is None else {"id": identifier})
    return (
        message("message_start", message=start)
        + message("content_block_start", index=0, content_block={"type": "text", "text": ""})
        + message("content_block_delta", index=0, delta={"type": "text_delta", "text": words})
    )


def response(words: str) -> bytes:
    """A Responses stream without ids that was cut."""
    return (
        message("response.created", response={"status": "in_progress", "output": []})
        + message("response.in_progress", response={"status": "in_progress", "output": []})
        + message("response.output_text.delta", output_index=0, content_index=0, delta=words)
    )


END = message("message_delta", delta={"stop_reason": "end_turn"}) + message("message_stop")
FILTERS = data(id="", object="", choices=[], prompt_filter_results=[])
SPENT = {"usage": {"prompt_tokens": 3, "completion_tokens": 9}}
NOT_YET = {"usage": {"prompt_tokens": 3, "completion_tokens": 0}}

Shown = list[list[tuple[int, str | None, str | None]]]
"""Of each stream in the order in which they end, choice, content and finish reason of each record."""

CUT_APART: dict[str, tuple[bytes, Shown]] = {
    "two text completions, the first ends early": (
        text(0, "Paris.", id="c")
        + text(1, "Hm, ", id="c")
        + text(0, "", "stop", id="c")
        + text(1, "wait. ", id="c")
        + text(1, "Rome.", id="c")
        + text(1, "", "length", id="c")
        + data(id="c", choices=[], **SPENT)
        + DONE,
        [[(0, "Paris.", "stop"), (1, "Hm, wait. Rome.", "length")]],
    ),
    "two chat choices with the role in every delta": (
        said("A", id="c")
        + said("B", index=1, id="c")
        + said("", "stop", id="c")
        + said("b", index=1, id="c")
        + said("", "stop", index=1, id="c")
        + DONE,
        [[(0, "A", "stop"), (1, "Bb", "stop")]],
    ),
    "the second choice begins when the first has ended": (
        said("", id="c")
        + chat({"content": "A"}, id="c")
        + chat({}, "stop", id="c")
        + said("", index=1, id="c")
        + chat({"content": "B"}, "stop", index=1, id="c")
        + DONE,
        [[(0, "A", "stop"), (1, "B", "stop")]],
    ),
    "usage with the role in it": (
        said("A", id="c") + said("", "stop", id="c") + said("", id="c", **SPENT) + DONE,
        [[(0, "A", "stop")]],
    ),
    "usage with the role in it, where the role opens a stream": (
        said("", id="c") + chat({"content": "A"}, "stop", id="c") + said("", id="c", **SPENT) + DONE,
        [[(0, "A", "stop")]],
    ),
    "usage with the role in it, without ids": (
        said("A") + said("", "stop") + said("", **SPENT) + DONE + said("B", "stop") + DONE,
        [[(0, "A", "stop")], [(0, "B", "stop")]],
    ),
    "an empty chunk behind the finish, the role in every delta": (
        said("A", id="c") + said("a", id="c") + said("", "stop", id="c") + said("", id="c") + DONE,
        [[(0, "Aa", "stop")]],
    ),
    "an id again when its choice has ended": (
        said("", id="c", **NOT_YET)
        + chat({"content": "A"}, "stop", id="c")
        + said("", id="c", **NOT_YET)
        + chat({"content": "B"}, "stop", id="c"),
        [[(0, "A", "stop")], [(0, "B", "stop")]],
    ),
    "an id again after one chunk that was a whole answer": (
        said("A", "stop", id="c") + said("", id="c") + chat({"content": "B"}, "stop", id="c"),
        [[(0, "A", "stop")], [(0, "B", "stop")]],
    ),
    "chats without ids, the first one cut": (
        said("one") + chat({"content": " cut"}) + said("two") + chat({"content": " whole"}, "stop") + DONE,
        [[(0, "two whole", "stop")], [(0, "one cut", None)]],
    ),
    "a chat without ids whose calls name the role again": (
        said("")
        + chat({"content": "I look."})
        + chat({"role": "assistant", "tool_calls": [{"index": 0, "function": {"name": "f", "arguments": "{}"}}]})
        + chat({}, "tool_calls")
        + DONE,
        [[(0, "I look.", "tool_calls")]],
    ),
    "text completions without ids or `[DONE]`": (
        text(0, "A") + text(0, "a", "stop") + text(0, "B") + text(0, "", "stop"),
        [[(0, "Aa", "stop")], [(0, "B", "stop")]],
    ),
    "messages without ids, the first one cut": (
        claude("one") + claude("two") + END,
        [[(0, "one", None)], [(0, "two", "stop")]],
    ),
    "a message again under its id": (
        claude("one", "m") + claude("two", "m") + END,
        [[(0, "one", None)], [(0, "two", "stop")]],
    ),
    "responses without ids, the first one cut": (
        response("one") + response("two"),
        [[(0, "one", None)], [(0, "two", None)]],
    ),
    "a chat without ids behind a message that was cut": (
        claude("one", "m") + said("two", "stop") + DONE,
        [[(0, "two", "stop")], [(0, "one", None)]],
    ),
    "a ping before a message": (message("ping") + claude("one", "m") + END, [[(0, "one", "stop")]]),
    "prompt filters before a chat": (
        (FILTERS + said("A", "stop", id="a") + DONE) + (FILTERS + said("B", "stop", id="b") + DONE),
        [[(0, "A", "stop")], [(0, "B", "stop")]],
    ),
    "an event of the server before a chat": (
        message("sglext_ids", rid="r") + said("A", "stop", id="a") + DONE,
        [[(0, "A", "stop")]],
    ),
    "a greeting that is no JSON before a chat": (
        b"data: connected\n\n" + said("A", "stop", id="a") + DONE,
        [[(0, "A", "stop")]],
    ),
}


def outcomes(capture: bytes) -> list[list[Outcome]]:
    return [list(by_name("sse").parse(stream, Place("s", 0))) for stream in streams([capture])]


def shown(capture: bytes) -> list[list[object]]:
    return [
        [
            (outcome.choice, outcome.content, outcome.finish_reason) if isinstance(outcome, Record) else outcome
            for outcome in found
        ]
        for found in outcomes(capture)
    ]


@pytest.mark.parametrize(("capture", "expected"), CUT_APART.values(), ids=CUT_APART)
def test_each_stream_is_one_item_with_all_its_choices(capture: bytes, expected: Shown) -> None:
    assert shown(capture) == expected


def test_a_choice_that_goes_on_does_not_make_its_stream_wait_as_an_ended_one() -> None:
    state = Streams()
    begun = b"".join(text(0, "A", "stop", id=f"c{number}") + text(1, "B", id=f"c{number}") for number in range(9))
    assert list(state.feed(begun)) == []
    ended = b"".join(text(1, "b", "stop", id=f"c{number}") for number in range(9))
    assert [len(stream.events) for stream in [*state.feed(ended), *state.close()]] == [3] * 9


ENDINGS: dict[str, tuple[bytes, list[tuple[int, str | None, set[str]]]]] = {
    "one finish for three choices": (
        said("A", id="c")
        + said("B", index=1, id="c")
        + chat({"reasoning": "Hm"}, index=2, id="c")
        + chat({}, "stop", id="c")
        + chat({"content": "a"}, id="c")
        + DONE,
        [(0, "stop", set()), (1, None, {"finish_reason_lost"}), (2, None, {"finish_reason_lost"})],
    ),
    "no finish at all": (said("A", id="c") + DONE, [(0, None, {"finish_reason_lost"})]),
    "an error before `[DONE]`": (
        said("A", id="c") + data(error={"message": "no"}) + DONE,
        [(0, None, {"stream_cut"})],
    ),
    "no end": (
        said("A", "stop", id="c") + said("B", index=1, id="c"),
        [(0, "stop", {"stream_cut"}), (1, None, {"stream_cut"})],
    ),
    "a message without its stop": (claude("one", "m") + DONE, [(0, None, {"stream_cut"})]),
    "every finish": (
        said("A", "stop", id="c") + said("B", "length", index=1, id="c"),
        [(0, "stop", set()), (1, "length", set())],
    ),
}


@pytest.mark.parametrize(("capture", "expected"), ENDINGS.values(), ids=ENDINGS)
def test_how_a_stream_ended(capture: bytes, expected: list[tuple[int, str | None, set[str]]]) -> None:
    (found,) = outcomes(capture)
    records = [outcome for outcome in found if isinstance(outcome, Record)]
    assert [(record.choice, record.finish_reason, set(record.gateway_rewrites)) for record in records] == expected


def test_nothing_but_a_role_is_no_turn_whatever_ends_it() -> None:
    assert outcomes(said("", id="c") + DONE) == [[Skipped("cut_before_first_token")]]


def test_texts_that_a_gateway_gave_one_number_are_not_judged() -> None:
    capture = text(0, "<thi", id="c") + text(0, "Rome", id="c") + text(0, "", "stop", id="c") + text(0, "nk>", id="c")
    ((record,),) = outcomes(capture + DONE)
    assert isinstance(record, Record)
    assert (record.content_state, record.choices_merged, record.finish_reason, record.chunks) == (
        "shuffled",
        True,
        None,
        None,
    )


ODD: list[dict[str, Any]] = [
    {"type": [], "choices": {}, "id": []},
    {"type": {}, "choices": [{"index": [], "delta": [], "text": {}, "finish_reason": []}], "usage": "much"},
    {"type": 1, "error": [], "response": {"id": {}}, "message": [], "choices": [None, [], 1]},
    {"choices": [{"index": -1, "delta": {"role": [1], "content": {}}}], "usage": {"completion_tokens": []}},
    {"choices": [{"index": 1 << 70, "delta": {"role": 1}}], "usage": [1]},
]


@pytest.mark.parametrize("odd", ODD)
def test_fields_of_another_type_do_not_end_the_reading(odd: dict[str, Any]) -> None:
    for capture in (data(**odd) + CALL, said("", id="c") + data(**odd) + CALL, CALL + data(**odd) + DONE + CALL):
        assert any((0, "A", "stop") in found for found in shown(capture + DONE))


CALL = said("A", "stop", id="c")
KEPT_ALIVE = {
    "comment": b":keep-alive\n\n",
    "comments": b":keep-alive\n\n: keep-alive\n\n" * 200,
    "comment of nothing": b":\r\n\r\n",
    "comment of nothing, old line ends": b":\r\r",
    "mark, blank lines and a comment": b"\xef\xbb\xbf\r\n\n:x\n",
    "comment and a name": b":x\n\nretry: 3000\n\n",
}


@pytest.mark.parametrize("opening", KEPT_ALIVE.values(), ids=KEPT_ALIVE)
def test_comments_do_not_hide_a_stream(opening: bytes) -> None:
    assert looks_like_events(opening + CALL + DONE)
    assert shown(opening + CALL + DONE) == [[(0, "A", "stop")]]
    row = {"id": "p", "request": {"messages": []}, "chunks": (opening + CALL + DONE).decode()}
    (record,) = by_name("pair").parse(row, Place("p", 0))
    assert isinstance(record, Record) and (record.content, record.finish_reason) == ("A", "stop")


@pytest.mark.parametrize("opening", [b":\ntext\ndata: {}", b":x\n:y\n{}", b":x\n\nINFO: data"])
def test_comments_alone_make_no_stream_of_what_follows(opening: bytes) -> None:
    assert not looks_like_events(opening)


def test_a_file_of_comments_holds_no_stream() -> None:
    assert looks_like_events(b":keep-alive\n\n")
    assert outcomes(b":keep-alive\n\n") == []


@pytest.mark.parametrize("answer", [":) fine", ": so be it", "data: see the table", "event: none", '{"plant": "leek"}'])
def test_an_answer_that_looks_like_a_stream_or_an_object_stays_text(answer: str) -> None:
    for body in (read_body(answer), read_body(answer, "plain_text")):
        assert body is not None and [one.content for one in body.answers] == [answer]


EVENT = CALL.decode().removeprefix("data: ").strip()
LOGGED: list[tuple[object, object]] = [
    ([json.loads(EVENT)], "A"),
    ([json.loads(EVENT), "[DONE]"], "A"),
    ([EVENT, "[DONE]"], "A"),
    ([f"data: {EVENT}\n\n", "data: [DONE]\n\n"], "A"),
    (f"[{EVENT}]", "A"),
    (EVENT, "A"),
    (":keep-alive\n\n", Skipped("no_body")),
    ("the connection was closed", Skipped("no_body")),
    ('"A"', Skipped("no_body")),
    (["A"], Skipped("no_body")),
]


@pytest.mark.parametrize(("chunks", "expected"), LOGGED)
def test_the_chunks_of_a_pair_are_events_and_never_the_answer_itself(chunks: object, expected: object) -> None:
    (outcome,) = by_name("pair").parse({"id": "p", "chunks": chunks}, Place("p", 0))
    assert (outcome.content if isinstance(outcome, Record) else outcome) == expected

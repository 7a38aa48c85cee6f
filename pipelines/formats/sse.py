"""Captured server-sent events: chat completions, text completions, Responses and Messages streams, one or many in a file.

`streams` cuts the bytes of a file into streams as they come; `FORMAT` reads one stream into the message that a correct client would have.
Comments, `\\r\\n`, missing blank lines, missing `event:` lines, a missing end, errors inside a stream and interleaved streams are all
met in captures.
"""

from collections.abc import Iterable, Iterator

from pipelines.formats._dialects import Request, read_body
from pipelines.formats._dialects.body import is_nothing
from pipelines.formats._dialects.events import is_event_text
from pipelines.formats.format import Format, Item, Outcome, Place, Rejected, Skipped
from pipelines.formats.record import record_of, rewrites_of_stream
from pipelines.formats.stream import Stream, Streams
from pipelines.formats.values import mapping

__all__ = ["FORMAT", "Stream", "looks_like_events", "streams"]

_OPENING = 1 << 16
"""Bytes that are looked at: an hour of comments that keep a waiting connection open."""


def looks_like_events(opening: bytes) -> bool:
    """Whether a file that begins so holds server-sent events."""
    return is_event_text(opening[:_OPENING].decode("utf-8", "replace"))


def streams(chunks: Iterable[bytes]) -> Iterator[Stream]:
    """The streams in the bytes of one file, in the order in which they end. Memory holds one chunk, a line, and the streams that are
    open at the same time; what is larger than the bounds of `Stream` comes as a stream marked so."""
    state = Streams()
    for chunk in chunks:
        yield from state.feed(chunk)
    yield from state.close()


def recognise(item: Item) -> bool:
    return isinstance(item, Stream)


def parse(item: Item, place: Place) -> Iterable[Outcome]:
    if not isinstance(item, Stream):
        return (Rejected("not_a_stream", "server-sent events were expected"),)
    if item.too_large:
        return (Rejected("stream_too_large", "a stream beyond the limit of events or bytes"),)
    body = read_body(item.events)
    if body is None:
        return (_without_body(item),)
    known = {"format": "sse", "gateway": "sse", "call_id": body.id, "stream": True, "assembled_by": "us"}
    records = []
    for answer in body.answers:
        if body.complete or not is_nothing(answer):
            record = record_of(place, Request(), body, answer, **known)
            record.gateway_rewrites |= rewrites_of_stream(body, answer)
            records.append(record)
    return records or (Skipped("failed" if body.failed else "cut_before_first_token"),)


def _without_body(stream: Stream) -> Outcome:
    if any("error" in mapping(event) or mapping(event).get("type") == "error" for event in stream.events):
        return Skipped("failed")
    if stream.malformed:
        return Rejected("invalid_json", "no event of the stream holds JSON")
    return Skipped("not_a_call")


FORMAT = Format(
    name="sse",
    title="Captured streams (server-sent events)",
    recognise=recognise,
    parse=parse,
    framing="sse",
    shows=("content", "reasoning", "tool_calls", "chunks", "finish_reason", "time"),
    sources=("vLLM 0.33.0 and SGLang 0.5.23 response classes; streams of a LiteLLM 1.108.7 proxy, 2026-11-30",),
)

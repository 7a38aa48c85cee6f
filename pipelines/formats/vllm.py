"""vLLM's server log (`--enable-log-requests --enable-log-outputs`): what the engine produced, never judged."""

from collections.abc import Iterator

import re2

from pipelines.formats._dialects import Answer, Body, Request
from pipelines.formats.format import Format, Item, Outcome, Place, Rejected, Skipped
from pipelines.formats.lending import unlent
from pipelines.formats.literals import python_literal
from pipelines.formats.record import record_of
from pipelines.formats.values import well_formed
from pipelines.schema import Record

_GENERATED = re2.compile(
    r"Generated response (\S+?)(?: \(streaming (delta|complete)\))?: output: (.*?), (?:output_token_ids: .*, )?"
    r"finish_reason: (\S+)\s*$"
)
_PLACE = re2.compile(
    r"\[(?:entrypoints/)?(?:\w+/)*request_logger\.py:\d+\]|^(?:INFO|DEBUG|WARNING|ERROR) \d\d-\d\d \d\d:\d\d:\d\d "
)
_REASONS = ("None", "streaming_complete")


def recognise(item: Item) -> bool:
    return isinstance(item, str) and bool(_PLACE.search(well_formed(item[:400])))


def parse(item: Item, place: Place) -> Iterator[Outcome]:
    """No turns: what the rows know is lent to the gateway's rows."""
    return unlent(lend(item, place), "engine_row")


def lend(item: Item, place: Place) -> Iterator[Outcome]:
    """One record per whole generation; deltas and lines about other things are skipped."""
    if not isinstance(item, str):
        yield Rejected("not_text", "a server log consists of lines")
        return
    match = _GENERATED.search(well_formed(item))
    if match is None:
        yield Skipped("not_a_call")
    elif match.group(2) == "delta":
        yield Skipped("stream_delta")
    else:
        yield _record(match.group(1), match.group(3), match.group(4), place=place, streamed=bool(match.group(2)))


def _record(identity: str, shown: str, reason: str, *, place: Place, streamed: bool) -> Record:
    """`streaming complete` prints the text before the parsers, a plain response what they made of it (content, or calls in a wrapper)."""
    opened = python_literal(shown)
    answer = Answer(
        finish_reason=None if reason in _REASONS else reason,
        content_state="absent",
        reasoning_state="dropped_by_format",
        tool_calls_state="dropped_by_format",
    )
    known: dict[str, object] = {
        "format": "vllm",
        "source_id": identity,
        "call_id": identity,
        "response_id": identity,
        "engine": "vllm",
        "stream": streamed,
        "raw_text": opened if isinstance(opened, str) else shown,
        "body_logged": False,
    }
    return record_of(place, Request(), Body(dialect="engine", api="unknown"), answer, **known)


FORMAT = Format(
    name="vllm",
    title="vLLM server log with outputs: text as the engine produced it, joined to the gateway's rows by request id",
    recognise=recognise,
    parse=parse,
    lend=lend,
    framing="text",
    engine_raw=True,
    shows=("raw_text", "finish_reason"),
    sources=("vLLM 0.33.0, entrypoints/serve/utils/request_logger.py, read 2026-11-30",),
)

"""SGLang's request log (`--log-requests-format json`): what the engine generated before its parsers, never judged."""

from collections.abc import Iterator

from pipelines.formats._dialects import Answer, Body, Request
from pipelines.formats.format import Format, Item, Outcome, Place, Rejected, Skipped
from pipelines.formats.lending import unlent
from pipelines.formats.record import record_of
from pipelines.formats.values import Mapping, filled, mapping, seconds, text, whole
from pipelines.schema import Record, Usage

_EVENTS = ("request.received", "request.received.openai", "request.finished")
SHORTENED = 2048
"""`--log-requests-level 2` leaves out the middle of texts beyond so many characters and puts three dots there."""


def recognise(item: Item) -> bool:
    given = mapping(item)
    return given.get("event") in _EVENTS and "timestamp" in given and isinstance(given.get("obj"), dict)


def parse(item: Item, place: Place) -> Iterator[Outcome]:
    """No turns: what the rows know is lent to the gateway's rows."""
    return unlent(lend(item, place), "engine_row")


def lend(item: Item, place: Place) -> Iterator[Outcome]:
    """One record per finished generation, its text in `raw_text`."""
    if not isinstance(item, dict):
        yield Rejected("not_an_object", "an event is an object")
    elif item.get("event") != "request.finished":
        yield Skipped("engine_request")
    else:
        out = item.get("out")
        for one in map(mapping, out if isinstance(out, list) and out else [out]):
            generated = text(one.get("text"))
            if generated is None or _is_shortened(generated):
                yield Skipped("no_body" if generated is None else "shortened")
            else:
                yield _record(item, one, place)


def _is_shortened(generated: str) -> bool:
    middle = len(generated) // 2
    return SHORTENED <= len(generated) <= SHORTENED + 8 and "..." in generated[middle - 8 : middle + 8]


def _record(item: Mapping, out: Mapping, place: Place) -> Record:
    meta = mapping(out.get("meta_info"))
    finish = mapping(meta.get("finish_reason"))
    matched = finish.get("matched")
    identity = filled(meta.get("id"), mapping(item.get("obj")).get("rid"), item.get("rid"))
    answer = Answer(
        finish_reason=filled(finish.get("type")),
        stop_detail=str(matched) if isinstance(matched, str | int) else None,
        content_state="absent",
        reasoning_state="dropped_by_format",
        tool_calls_state="dropped_by_format",
    )
    known: dict[str, object] = {
        "format": "sglang",
        "source_id": identity,
        "call_id": identity,
        "response_id": identity,
        "time": seconds(item.get("timestamp")),
        "engine": "sglang",
        "raw_text": text(out.get("text")),
        "body_logged": False,
        "usage": Usage(input=whole(meta.get("prompt_tokens")), output=whole(meta.get("completion_tokens"))),
    }
    return record_of(place, Request(), Body(dialect="engine", api="unknown"), answer, **known)


FORMAT = Format(
    name="sglang",
    title="SGLang request log: text before the parsers, joined to the gateway's rows by request id",
    recognise=recognise,
    parse=parse,
    lend=lend,
    engine_raw=True,
    shows=("raw_text", "finish_reason", "time"),
    sources=("SGLang 0.5.23, srt/utils/request_logger.py, read 2026-11-30",),
)

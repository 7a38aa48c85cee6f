"""The pair format, our own: one JSON object a line with `id`, `request`, `response` and/or `chunks`, `raw_text`, `metadata`.

What a home-made proxy logs, what replays write, and what any other log can be turned into. With both, `response` is judged and
`chunks` are evidence; `raw_text` is the engine's text before its parsers. Times are ISO or epoch.
"""

from collections.abc import Iterable, Iterator

from pipelines.formats._dialects import Body, read_body, read_request
from pipelines.formats._dialects.body import is_nothing
from pipelines.formats._dialects.events import events_of
from pipelines.formats.format import Format, Item, Outcome, Place, Rejected, Skipped
from pipelines.formats.record import declared, hide_reasoning, ignored, record_of, rewrites_of_stream
from pipelines.formats.remediation import read_remediation
from pipelines.formats.values import Mapping, decoded, filled, mapping, seconds, text
from pipelines.schema import Record

_KEYS = frozenset({"id", "time", "request", "response", "chunks", "raw_text", "metadata"})


def recognise(item: Item) -> bool:
    row = mapping(item)
    return "id" in row and _has_body(row) and row.keys() <= _KEYS


def near_miss(item: Item) -> str | None:
    """What makes an item no pair that is one but for a little; None for all others. Another log with the same keys among its own
    may mean other things by them, so it is not taken for pairs unless its user says so."""
    row = mapping(item)
    own, others = row.keys() & _KEYS, len(row.keys() - _KEYS)
    if own.isdisjoint(("request", "response", "chunks")) or others > len(own):
        return None
    if "id" not in own:
        return "like a pair, but without `id`"
    if not _has_body(row):
        return "like a pair, but without a `response` object or `chunks`"
    return f"like a pair, but with other top-level keys ({others}): put them into `metadata`, or read it with --format pair"


def _has_body(row: Mapping) -> bool:
    return isinstance(row.get("response"), dict) or bool(row.get("chunks"))


def parse(item: Item, place: Place) -> Iterable[Outcome]:
    row = mapping(item)
    if not row:
        return (Rejected("not_an_object", "a pair is a JSON object"),)
    if _id(row) is None:
        return (Rejected("missing_id", "`id` is missing, empty or no string"),)
    if not row.get("response") and not row.get("chunks"):
        return (Rejected("missing_body", "neither `response` nor `chunks` is there"),)
    body = _body(row)
    if body is None:
        return (Skipped("failed" if mapping(row.get("response")).get("error") else "no_body"),)
    outcomes = list(_records(row, body, place))
    return outcomes or (Skipped("failed" if body.failed else "no_body"),)


def _id(row: Mapping) -> str | None:
    given = row.get("id")
    return str(given) if type(given) is int else filled(given)


def _body(row: Mapping) -> Body | None:
    """The response with the chunks of each choice beside it; without a response, what the chunks make."""
    streamed = read_body(events_of(row["chunks"])) if row.get("chunks") else None
    body = (read_body(row["response"]) if row.get("response") else None) or streamed
    if body is None or streamed is None or body is streamed:
        return body
    evidence = {answer.choice: answer.chunks for answer in streamed.answers}
    for answer in body.answers:
        answer.chunks = evidence.get(answer.choice)
    return body


def _records(row: Mapping, body: Body, place: Place) -> Iterator[Record]:
    request = read_request(decoded(row.get("request")))
    metadata = mapping(row.get("metadata"))
    actions, visible = read_remediation(metadata.get("remediation"))
    streamed = True if row.get("chunks") or body.streamed else request.stream
    known = {
        "format": "pair",
        "gateway": "pair",
        "source_id": _id(row),
        "call_id": _id(row),
        "time": seconds(row.get("time")),
        "stream": streamed,
        "remediation": actions,
        "remediation_visible": visible,
        "ignored_metadata": (*ignored(metadata), *(key for key in row if key not in _KEYS)),
        **({"assembled_by": "gateway"} if streamed and not body.streamed else {}),
        **declared(metadata),
    }
    for answer in body.answers:
        if not body.complete and is_nothing(answer):
            continue
        raw_text = text(row.get("raw_text")) if len(body.answers) == 1 else None
        record = hide_reasoning(record_of(place, request, body, answer, raw_text=raw_text, **known))
        record.gateway_rewrites |= rewrites_of_stream(body, answer)
        yield record


FORMAT = Format(
    name="pair",
    title="Request and response pairs",
    recognise=recognise,
    parse=parse,
    shows=("content", "reasoning", "tool_calls", "tools", "messages", "chunks", "raw_text", "finish_reason", "time"),
    sources=("this project's own definition",),
)

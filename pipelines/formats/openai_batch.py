"""OpenAI Batch and `vllm run-batch` files: each output line joined with its input line on `custom_id`.

Input: `custom_id`, `method`, `url`, `body`. Output: `id`, `custom_id`, `response` (`status_code`, `request_id`, `body`), `error`. An
output without its input is judged too, its request unknown; an error, or an input without output, is no turn.
"""

from collections.abc import Iterable, Iterator, Sequence

from pipelines.formats._dialects import Request, read_body, read_request
from pipelines.formats.format import Format, Item, Outcome, Partner, Place, Rejected, Skipped
from pipelines.formats.record import hide_reasoning, record_of
from pipelines.formats.values import Mapping, decoded, filled, mapping, whole


def recognise(item: Item) -> bool:
    row = mapping(item)
    return "custom_id" in row and (_is_output(row) or ("body" in row and "url" in row))


def join_key(item: Item) -> str | None:
    return filled(mapping(item).get("custom_id"))


def parse(item: Item, place: Place) -> Iterable[Outcome]:
    """`item` is the tuple of partners of one custom id (or one row alone, at `place`)."""
    partners: Sequence[Partner] = item if isinstance(item, tuple) else (Partner(item, place),)
    outputs = [partner for partner in partners if _is_output(mapping(partner.item))]
    inputs = [partner for partner in partners if not _is_output(mapping(partner.item))]
    for partner in inputs:
        yield _of_input(mapping(partner.item), bool(outputs))
    for partner in outputs:
        yield from _of_output(mapping(partner.item), _request_of(partner, inputs), partner.place)


def _is_output(row: Mapping) -> bool:
    return "response" in row or ("error" in row and "body" not in row)


def _of_input(row: Mapping, answered: bool) -> Outcome:
    if not isinstance(row.get("body"), dict):
        return Rejected("not_a_batch_row", "neither a batch input nor a batch output line")
    return Skipped("request_joined" if answered else "request_without_response")


def _request_of(output: Partner, inputs: Sequence[Partner]) -> Request:
    """The request of the one input that fits; those of the same folder go first, since custom ids are often numbers that repeat.
    Several that differ: unknown."""
    folder = output.place.uri.rpartition("/")[0]
    near = [partner for partner in inputs if partner.place.uri.rpartition("/")[0] == folder] or inputs
    bodies = [mapping(partner.item).get("body") for partner in near]
    return read_request(bodies[0]) if bodies and all(body == bodies[0] for body in bodies) else Request()


def _of_output(row: Mapping, request: Request, place: Place) -> Iterator[Outcome]:
    response = mapping(decoded(row.get("response")))
    status = whole(response.get("status_code"))
    if row.get("error") or (status is not None and status >= 400) or not response.get("body"):
        yield Skipped("failed")
        return
    body = read_body(response["body"]) if isinstance(decoded(response["body"]), dict) else None
    if body is None or not body.answers:
        yield Skipped("not_a_call" if body is None else "no_body")
        return
    known = {
        "format": "openai_batch",
        "gateway": "openai_batch",
        "source_id": filled(row.get("custom_id"), row.get("id")),
        "call_id": filled(row.get("id"), response.get("request_id"), row.get("custom_id")),
        "stream": False,
    }
    for answer in body.answers:
        yield hide_reasoning(record_of(place, request, body, answer, **known))


FORMAT = Format(
    name="openai_batch",
    title="OpenAI Batch and vLLM run-batch",
    recognise=recognise,
    parse=parse,
    join_key=join_key,
    shows=("content", "reasoning", "tool_calls", "tools", "messages", "finish_reason", "time"),
    sources=("OpenAI Batch API reference; vLLM 0.33.0 run-batch, 2026-11-30",),
)

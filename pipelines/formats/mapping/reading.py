"""Records out of a row, as a mapping declares it."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from pipelines.formats._dialects import Answer, Body, Request, read_body, read_request
from pipelines.formats.format import Item, Outcome, Partner, Place, Rejected, Skipped
from pipelines.formats.mapping.declaration import Declaration
from pipelines.formats.mapping.selecting import decoded_row, every, first, holds, is_cut, moment, refused, word
from pipelines.formats.record import DECLARED, hide_reasoning, note_cut, record_of
from pipelines.formats.remediation import ACTIONS
from pipelines.formats.values import Mapping, flag, mapping, sequence, text, whole
from pipelines.schema import Record, Remediation, Usage

_WORDS = (
    *("source_id", "call_id", "response_id", "trace_id", "caller", "gateway_version", "provider", "api_base"),
    *("model_id", "model_requested", "model_deployed", "raw_text"),
)
_OF_REQUEST = (
    *("messages", "instructions", "tools", "tool_choice", "response_format", "stop", "max_tokens"),
    *("reasoning_effort", "separate_reasoning", "stream"),
)

_CONTENTS = ("messages", "input", "prompt", "contents")
"""A request body has one of these; anything else in its place (encrypted, a reference) says nothing of the request."""


class Row(msgspec.Struct):
    """A row, decoded, with its place and the text that it had before."""

    item: Item
    raw: Item
    place: Place


def parse(declaration: Declaration, partners: Item, place: Place) -> Iterator[Outcome]:
    """The outcomes of one row, or of rows that share a call: each field comes from the first row that has it."""
    known = partners if isinstance(partners, tuple) else (Partner(partners, place),)
    rows: list[Row] = []
    for partner in known:
        item = decoded_row(declaration, partner.item) if isinstance(partner.item, dict) else None
        reason = refused(declaration.keep, item) if item is not None else None
        if item is None:
            yield Rejected("not_an_object", "a row of a mapped source is an object")
        elif reason or first(declaration.error, item, partner.place):
            yield Skipped(reason or "failed")
        else:
            rows.append(Row(item, partner.item, partner.place))
    if rows:
        yield from _call(declaration, rows)


def _call(declaration: Declaration, rows: Sequence[Row]) -> Iterator[Outcome]:
    """Rows that show a response come first, so that the turn stands where its answer stands."""
    rows = sorted(rows, key=lambda row: _response(declaration, [row]) is None)
    response = _response(declaration, rows)
    body = (
        None
        if response is None
        else read_body(response, _dialect(declaration)) or read_body(_message(declaration, rows))
    )
    if response is not None and body is None and not _state(declaration, rows):
        yield Rejected("body_not_known", "the response is no body of a known shape")
        yield from (Skipped("duplicate") for _ in rows[1:])
        return
    if body is not None and body.failed and not body.answers:
        yield from (Skipped("failed") for _ in rows)
        return
    for answer in body.answers if body and body.answers else (_unseen(),):
        yield _record(declaration, rows, body=body or Body(dialect="none", api="unknown"), answer=answer)
    yield from (Skipped("duplicate") for _ in rows[1:])


def _dialect(declaration: Declaration) -> str | None:
    return next((one.dialect for one in declaration.fields.get("response", ()) if one.dialect), None)


def _find(declaration: Declaration, rows: Sequence[Row], field: str) -> object:
    selectors = declaration.fields.get(field, ())
    return next((value for row in rows if (value := first(selectors, row.item, row.place)) is not None), None)


def _response(declaration: Declaration, rows: Sequence[Row]) -> object:
    """The response body, or a message put together from its fields; None where the rows hold neither."""
    body = _find(declaration, rows, "response")
    return _message(declaration, rows) if body in (None, "", [], {}) else body


def _message(declaration: Declaration, rows: Sequence[Row]) -> object:
    message = {name: _find(declaration, rows, name) for name in ("content", "reasoning", "tool_calls")}
    if all(value is None for value in message.values()):
        return None
    shown = {name: value for name, value in message.items() if value is not None or name == "content"}
    return {"role": "assistant", **shown}


def _unseen() -> Answer:
    return Answer(content_state="absent", reasoning_state="dropped_by_format", tool_calls_state="dropped_by_format")


def _request(declaration: Declaration, rows: Sequence[Row]) -> Request:
    found = mapping(_find(declaration, rows, "request"))
    body = found if any(key in found for key in _CONTENTS) else {}
    parts = {**mapping(_find(declaration, rows, "parameters")), **body}
    for name in _OF_REQUEST:
        value = _find(declaration, rows, name)
        if value is not None:
            parts[name] = _stop(declaration, rows) if name == "stop" else value
    request = read_request(parts, whole_body=bool(body) and declaration.request_is_whole)
    if not body or not declaration.request_is_whole:
        _open(request, declaration, parts)
    spelled = text(parts.get("stream"))
    if spelled is not None:
        request.stream = {"true": True, "false": False}.get(spelled.lower())
    return request


def _stop(declaration: Declaration, rows: Sequence[Row]) -> list[object]:
    found = [value for row in rows for value in every(declaration.fields["stop"], row.item, row.place)]
    return [one for value in found for one in (value if isinstance(value, list) else [value])]


def _open(request: Request, declaration: Declaration, parts: Mapping) -> None:
    """What no field of the mapping says stays unknown, unless parameters are there, which name whatever was sent."""
    declared = declaration.fields
    tells_all = declaration.request_is_whole and "parameters" in declared and isinstance(parts, dict)
    if "tools" not in parts and not ("tools" in declared and tells_all):
        request.tools = None
        request.tool_choice = request.tool_choice if "tool_choice" in parts else None
    if "stop" not in parts and not tells_all:
        request.stop = None
    if request.response_format_state == "none" and not tells_all:
        request.response_format_state = "unknown"


def _record(declaration: Declaration, rows: Sequence[Row], *, body: Body, answer: Answer) -> Record:
    row = rows[0]
    request = _request(declaration, rows)
    known = _known(declaration, rows)
    answer.finish_reason = answer.finish_reason or text(_find(declaration, rows, "finish_reason"))
    answer.stop_detail = answer.stop_detail or word(declaration.fields.get("stop_detail", ()), row.item, row.place)
    usage = known.pop("usage")
    if isinstance(usage, Usage) and body.usage.output is None:
        body.usage = usage
    body.fingerprint = body.fingerprint or text(_find(declaration, rows, "fingerprint"))
    record = hide_reasoning(record_of(row.place, request, body, answer, **known))
    _note_states(declaration, rows, record)
    return record


def _known(declaration: Declaration, rows: Sequence[Row]) -> dict[str, object]:
    known: dict[str, object] = {"format": declaration.name, "gateway": declaration.gateway}
    for name in _WORDS:
        known[name] = _word(declaration, rows, name)
    known["call_id"] = known["call_id"] or known["source_id"]
    known["session"] = _word(declaration, rows, "conversation")
    known["time"] = _first(moment(declaration.fields.get("time", ()), row.item, row.place) for row in rows)
    known["api"] = _word(declaration, rows, "api")
    known["stream"] = flag(_find(declaration, rows, "stream"))
    known["assembled_by"] = declaration.assembled_by
    for name, selectors in declaration.dims.items():
        value = _first(word(selectors, row.item, row.place) for row in rows)
        known[DECLARED.get(name, name)] = value if value is not None else known.get(DECLARED.get(name, name))
    known["usage"] = Usage(
        input=whole(_find(declaration, rows, "input_tokens")),
        output=whole(_find(declaration, rows, "output_tokens")),
        reasoning=whole(_find(declaration, rows, "reasoning_tokens")),
    )
    weight = _first(first(declaration.weight, row.item, row.place) for row in rows)
    known["sampling_fraction"] = _share(weight)
    known["remediation"], known["remediation_visible"] = _remediation(declaration, rows)
    return known


def _word(declaration: Declaration, rows: Sequence[Row], field: str) -> str | None:
    selectors = declaration.fields.get(field, ())
    return next((found for row in rows if (found := word(selectors, row.item, row.place)) is not None), None)


def _first(found: Iterator[Any]) -> Any:
    return next((value for value in found if value is not None), None)


def _share(weight: object) -> float | None:
    """A sampling fraction in (0, 1]; anything else counts as 1."""
    try:
        share = float(weight) if isinstance(weight, int | float | str) and not isinstance(weight, bool) else None
    except ValueError:
        return None
    return share if share is not None and 0 < share <= 1 else None


def _remediation(declaration: Declaration, rows: Sequence[Row]) -> tuple[tuple[Remediation, ...], bool]:
    words = {**ACTIONS, **declaration.remediation_words}
    said = [value for row in rows for value in every(declaration.remediation_actions, row.item, row.place)]
    names = [text(one) for value in said for one in (sequence(value) or [value])]
    tokens = whole(_first(first(declaration.remediation_tokens, row.item, row.place) for row in rows)) or 0
    found = [Remediation(action, 0) for name in names if (action := words.get((name or "").lower(), "none")) != "none"]
    if found:
        found[0].extra_tokens = max(0, tokens)
    return tuple(found), bool(said)


def _state(declaration: Declaration, rows: Sequence[Row]) -> str | None:
    """The state that a mapping gives to rows which hold one of its paths."""
    for state, selectors in declaration.states.items():
        if any(first(selectors, row.item, row.place) is not None for row in rows):
            return state
    return None


def _note_states(declaration: Declaration, rows: Sequence[Row], record: Record) -> None:
    """Visibility: what the source keeps elsewhere, hides, cuts, or never shows."""
    state = _state(declaration, rows)
    marked = record.content is not None and _is_marked(declaration, record.content)
    if marked or (state and not record.content):
        record.content, record.parts = None, ()
        record.content_state = "redacted" if marked else state  # type: ignore[assignment]
        record.reasoning, record.reasoning_fields, record.tool_calls = None, {}, ()
        record.reasoning_state = record.tool_calls_state = "redacted" if marked else "dropped_by_format"
    elif record.content_state != "absent" and (
        state == "truncated" or any(is_cut(declaration, row.raw, "response") for row in rows)
    ):
        note_cut(record)
    for drop in declaration.drops:
        if any(holds(drop.when, row.item) for row in rows) or not drop.when:
            _drop(record, drop.fields)
    record.body_logged = record.content_state not in ("absent", "redacted", "external_ref", "encrypted")


def _is_marked(declaration: Declaration, content: str) -> bool:
    return content in declaration.redaction_equals or any(mark in content for mark in declaration.redaction_contains)


def _drop(record: Record, fields: Sequence[str]) -> None:
    """Fields that the source cannot show become unknown, unless it shows them after all."""
    if "reasoning" in fields and not record.reasoning:
        record.reasoning_state = "dropped_by_format"
    if "tool_calls" in fields and not record.tool_calls:
        record.tool_calls_state = "dropped_by_format"
    if "finish_reason" in fields:
        record.finish_reason = None
    if "tools" in fields and not record.tools:
        record.tools = record.tool_choice = None
    if "messages" in fields:
        record.messages = None

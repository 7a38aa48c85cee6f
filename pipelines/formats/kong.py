"""Kong AI Proxy payload logs: serializer lines of file-log and http-log with `ai.proxy.payload.{request,response}`."""

from collections.abc import Iterator

from pipelines.formats._dialects import Body, Request, read_body, read_request
from pipelines.formats.format import Format, Item, Outcome, Place, Rejected, Skipped
from pipelines.formats.litellm.team import header_metadata
from pipelines.formats.literals import cut_json
from pipelines.formats.record import declared, hide_reasoning, note_cut, record_of
from pipelines.formats.remediation import read_remediation
from pipelines.formats.values import Mapping, decoded, filled, mapping, seconds, text, whole
from pipelines.schema import Record, Usage


def recognise(item: Item) -> bool:
    given = mapping(item)
    return isinstance(given.get("ai"), dict) and "id" in mapping(given.get("request")) and "latencies" in given


def parse(item: Item, place: Place) -> Iterator[Outcome]:
    """One record per choice; a line whose bodies were not logged is a record without content."""
    if not isinstance(item, dict):
        yield Rejected("not_an_object", "a line of Kong's log is an object")
        return
    proxy = _proxy(item)
    response = mapping(item.get("response"))
    if not proxy and not any(str(name).startswith("x-kong-llm") for name in mapping(response.get("headers"))):
        yield Skipped("not_a_call")
    elif (whole(response.get("status")) or 200) >= 400:
        yield Skipped("failed")
    else:
        yield from _records(item, proxy, place)


def _proxy(item: Mapping) -> Mapping:
    """`ai.proxy`; older versions name the entry after the plugin."""
    entries = mapping(item.get("ai"))
    found = [mapping(entry) for entry in (entries.get("proxy"), *entries.values())]
    return next((entry for entry in found if {"meta", "usage", "payload"} & entry.keys()), {})


def _records(item: Mapping, proxy: Mapping, place: Place) -> Iterator[Outcome]:
    payload = mapping(proxy.get("payload"))
    request = read_request(decoded(payload.get("request")))
    logged = payload.get("response")
    opened = decoded(logged)
    is_cut = isinstance(opened, str) and opened.lstrip().startswith(("{", "["))
    body = read_body(cut_json(opened) if is_cut else opened) if logged not in (None, "") else None  # type: ignore[arg-type]
    if body is None and logged not in (None, ""):
        yield Rejected("body_not_known", "ai.proxy.payload.response holds no body of a known shape")
        return
    streamed = _is_composite(mapping(opened))
    known = _known(item, proxy, request, body)
    for answer in body.answers if body else read_body("", "plain_text").answers:  # type: ignore[union-attr]
        record = record_of(place, request, body or Body(dialect="none", api="chat"), answer, **known)
        _note_visibility(record, streamed=streamed, is_cut=is_cut, is_logged=body is not None)
        yield hide_reasoning(record)


def _is_composite(body: Mapping) -> bool:
    """Kong's own object for a stream: the text of the first choice twice, without the engine's id."""
    return isinstance(body.get("response"), str) and "choices" in body and "id" not in body


def _note_visibility(record: Record, *, streamed: bool, is_cut: bool, is_logged: bool) -> None:
    """Composites hold text and nothing else; their finish reason is that of the last frame, or made up."""
    record.assembled_by = "gateway" if streamed else "engine"
    if streamed:
        record.stream = True
        record.reasoning_state = record.tool_calls_state = "dropped_by_format"
    if is_cut:
        note_cut(record)
    if not is_logged:
        record.content, record.content_state, record.body_logged = None, "absent", False


def _known(item: Mapping, proxy: Mapping, request: Request, body: Body | None) -> dict[str, object]:
    meta, usage = mapping(proxy.get("meta")), mapping(proxy.get("usage"))
    asked, service = mapping(item.get("request")), mapping(item.get("service"))
    metadata = header_metadata(asked.get("headers"))
    headers = mapping(asked.get("headers"))
    actions, visible = read_remediation(headers.get("x-remediation"))
    told = body.usage if body and body.usage.output is not None else None
    counted = Usage(input=whole(usage.get("prompt_tokens")), output=whole(usage.get("completion_tokens")))
    return {
        "format": "kong",
        "gateway": "kong",
        "source_id": filled(asked.get("id")),
        "call_id": filled(asked.get("id")),
        "time": seconds(item.get("started_at")),
        "caller": filled(mapping(item.get("consumer")).get("id"), mapping(item.get("authenticated_entity")).get("id")),
        "provider": filled(meta.get("provider_name")),
        "api_base": filled(service.get("host"), service.get("name")),
        "model_deployed": filled(meta.get("response_model"), body.model if body else None, _header_model(item)),
        "model_requested": filled(meta.get("request_model"), request.model_requested),
        "usage": told or counted,
        "session": filled(headers.get("x-session-id")),
        "remediation": actions,
        "remediation_visible": visible,
        **declared(metadata),
    }


def _header_model(item: Mapping) -> str | None:
    """The model in the header that the plugin sets, `provider/model`."""
    named = text(mapping(mapping(item.get("response")).get("headers")).get("x-kong-llm-model")) or ""
    return named.partition("/")[2] or None


FORMAT = Format(
    name="kong",
    title="Kong AI Proxy payload logs (file-log, http-log)",
    recognise=recognise,
    parse=parse,
    shows=("content", "reasoning", "tool_calls", "tools", "messages", "finish_reason", "time"),
    sources=("Kong/kong 22246ef2, kong/llm/plugin/shared-filters, read 2026-11-30",),
)

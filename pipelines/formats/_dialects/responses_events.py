"""The events of a Responses stream: the final object where it came, else the items that the deltas make."""

from pipelines.formats._dialects import openai_responses
from pipelines.formats._dialects.body import Body
from pipelines.formats.values import Mapping, mapping, sequence, text, whole
from pipelines.schema import Delta, ToolCall

_FINAL = ("response.completed", "response.incomplete", "response.failed", "response.cancelled", "response.done")
_TEXT = {
    "response.output_text.delta": ("message", "output_text"),
    "response.reasoning_text.delta": ("reasoning", "reasoning_text"),
    "response.reasoning_summary_text.delta": ("reasoning", "summary_text"),
    "response.refusal.delta": ("message", "refusal"),
}
_ARGUMENTS = ("response.function_call_arguments.delta", "response.custom_tool_call_input.delta")


def recognise(body: object) -> bool:
    return any((text(mapping(event).get("type")) or "").startswith("response.") for event in sequence(body))


def read(body: object) -> Body:
    events = [event for event in sequence(body) if isinstance(event, dict)]
    responses = [response for event in events if isinstance(response := event.get("response"), dict)]
    final = [mapping(event.get("response")) for event in events if event.get("type") in _FINAL]
    complete = bool(final and final[-1].get("output"))
    built = final[-1] if complete else {**(responses[-1] if responses else {}), "output": _items(events)}
    if not final:
        built = {**built, "status": "in_progress"}
    result = openai_responses.read(built)
    failed = any(event.get("type") in ("error", "response.failed") or event.get("error") for event in events)
    result.dialect, result.streamed = "responses_events", True
    result.failed |= failed
    result.complete = result.complete and bool(final) and not failed
    for answer in result.answers:
        answer.chunks = _deltas(events, answer.finish_reason)
    return result


def _items(events: list[Mapping]) -> list[Mapping]:
    """The output items as far as added, done and delta events tell, in order of their output index."""
    items: dict[int, Mapping] = {}
    for event in events:
        number = whole(event.get("output_index")) or 0
        kind = text(event.get("type")) or ""
        if kind in ("response.output_item.added", "response.output_item.done") and isinstance(event.get("item"), dict):
            known = items.get(number, {})
            items[number] = {
                **known,
                **{key: value for key, value in mapping(event["item"]).items() if value or key not in known},
            }
        elif kind in _TEXT or kind in _ARGUMENTS:
            _extend(items.setdefault(number, {"type": _TEXT.get(kind, ("function_call",))[0]}), kind, event)
    return [items[number] for number in sorted(items)]


def _extend(item: Mapping, kind: str, event: Mapping) -> None:
    added = text(event.get("delta")) or ""
    if kind in _ARGUMENTS:
        item["arguments"] = (text(item.get("arguments")) or "") + added
        return
    block_type = _TEXT[kind][1]
    field = "summary" if block_type == "summary_text" else "content"
    key = "refusal" if block_type == "refusal" else "text"
    blocks = item[field] = [block for block in sequence(item.get(field)) if isinstance(block, dict)]
    place = whole(event.get("content_index", event.get("summary_index"))) or 0
    while len(blocks) <= min(place, 1000):
        blocks.append({"type": block_type})
    block = mapping(blocks[min(place, 1000)])
    block[key] = (text(block.get(key)) or "") + added


def _deltas(events: list[Mapping], finish_reason: str | None) -> tuple[Delta, ...]:
    deltas = []
    for event in events:
        kind, added = text(event.get("type")) or "", text(event.get("delta"))
        if kind == "response.output_text.delta":
            deltas.append(Delta(content=added))
        elif kind == "response.reasoning_text.delta":
            deltas.append(Delta(reasoning=added))
        elif kind in _ARGUMENTS:
            call = ToolCall(name=None, arguments=added, index=whole(event.get("output_index")))
            deltas.append(Delta(tool_calls=(call,)))
        elif kind in _FINAL:
            deltas.append(Delta(finish_reason=finish_reason))
    return tuple(deltas)

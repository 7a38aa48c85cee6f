"""The events of a Messages stream, put together into the message that a plain request would have got."""

from pipelines.formats._dialects import anthropic_message
from pipelines.formats._dialects.body import Body
from pipelines.formats.values import Mapping, mapping, sequence, text, whole
from pipelines.schema import Delta, ToolCall

_KINDS = ("message_start", "content_block_start", "content_block_delta", "message_delta")
_FIELDS = {"text_delta": "text", "thinking_delta": "thinking", "input_json_delta": "partial_json"}


def recognise(body: object) -> bool:
    return any(mapping(event).get("type") in _KINDS for event in sequence(body))


def read(body: object) -> Body:
    events = [event for event in sequence(body) if isinstance(event, dict)]
    message = _message(events)
    result = anthropic_message.read(message)
    result.dialect, result.streamed = "anthropic_events", True
    result.failed = any(event.get("type") == "error" or event.get("error") for event in events)
    result.complete = not result.failed and bool(message.get("stop_reason"))
    for answer in result.answers:
        answer.chunks = _deltas(events, answer.finish_reason)
    return result


def _message(events: list[Mapping]) -> Mapping:
    message: Mapping = {}
    blocks: dict[int, Mapping] = {}
    for event in events:
        kind, number = event.get("type"), whole(event.get("index")) or 0
        if kind == "message_start":
            message = dict(mapping(event.get("message")))
        elif kind == "content_block_start":
            blocks[number] = dict(mapping(event.get("content_block")))
        elif kind == "content_block_delta":
            _extend(blocks, number, mapping(event.get("delta")))
        elif kind == "message_delta":
            message.update(mapping(event.get("delta")))
            message["usage"] = {**mapping(message.get("usage")), **mapping(event.get("usage"))}
    return {**message, "type": "message", "content": [blocks[number] for number in sorted(blocks)]}


def _extend(blocks: dict[int, Mapping], number: int, delta: Mapping) -> None:
    field = _FIELDS.get(text(delta.get("type")) or "")
    if field is None:
        return
    added = text(delta.get(field)) or ""
    block = blocks.setdefault(number, {"type": "tool_use" if field == "partial_json" else field})
    key = "input" if field == "partial_json" else field
    block[key] = (text(block.get(key)) or "") + added


def _deltas(events: list[Mapping], finish_reason: str | None) -> tuple[Delta, ...]:
    deltas = []
    for event in events:
        delta = mapping(event.get("delta"))
        kind = delta.get("type")
        if kind == "text_delta":
            deltas.append(Delta(content=text(delta.get("text"))))
        elif kind == "thinking_delta":
            deltas.append(Delta(reasoning=text(delta.get("thinking"))))
        elif kind == "input_json_delta":
            call = ToolCall(name=None, arguments=text(delta.get("partial_json")), index=whole(event.get("index")))
            deltas.append(Delta(tool_calls=(call,)))
        elif event.get("type") == "message_delta":
            deltas.append(Delta(finish_reason=finish_reason))
    return tuple(deltas)

"""Bedrock Converse response, whole or as the events of ConverseStream: text, reasoningContent and toolUse blocks of one answer."""

from pipelines.formats._dialects.blocks import read_blocks
from pipelines.formats._dialects.body import Answer, Body, state_of_content, state_of_field
from pipelines.formats._dialects.openai_chat import parts_of
from pipelines.formats._dialects.usage import read_usage
from pipelines.formats.values import Mapping, filled, mapping, sequence, text, whole
from pipelines.schema import Delta

_REASONS = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "tool_use": "tool_calls",
    "content_filtered": "content_filter",
    "guardrail_intervened": "content_filter",
}


def recognise(body: object) -> bool:
    if isinstance(body, list):
        return any(
            mapping(event).get(key) is not None for event in body for key in ("contentBlockDelta", "messageStop")
        )
    return isinstance(mapping(mapping(body).get("output")).get("message"), dict)


def read(body: object) -> Body:
    streamed = isinstance(body, list)
    given = _joined(sequence(body)) if streamed else mapping(body)
    answer = _answer(given)
    if streamed:
        answer.chunks = _deltas(sequence(body), answer.finish_reason)
    return Body(
        dialect="bedrock_converse",
        api="converse",
        answers=(answer,),
        usage=read_usage(given.get("usage")),
        streamed=streamed,
        complete=answer.finish_reason is not None,
    )


def _answer(given: Mapping) -> Answer:
    blocks = read_blocks(mapping(mapping(given.get("output")).get("message")).get("content"))
    content = "".join(blocks.texts) if blocks.texts else None
    reasoning = "".join(blocks.thoughts) or None
    stop_reason = filled(given.get("stopReason"))
    return Answer(
        content=content,
        content_state=state_of_content(content),
        parts=parts_of(blocks.texts),
        reasoning=reasoning,
        reasoning_fields={"reasoningContent": reasoning} if reasoning else {},
        reasoning_state="redacted" if blocks.hidden and not reasoning else state_of_field(reasoning),
        tool_calls=tuple(blocks.calls),
        tool_calls_state=state_of_field(blocks.calls),
        finish_reason=_REASONS.get(stop_reason or "", stop_reason),
    )


def _joined(events: list[object]) -> Mapping:
    """The response that the events of ConverseStream make."""
    blocks: dict[int, Mapping] = {}
    made: Mapping = {}
    for event in map(mapping, events):
        started = mapping(event.get("contentBlockStart"))
        added = mapping(event.get("contentBlockDelta"))
        number = whole((started or added).get("contentBlockIndex")) or 0
        if started:
            blocks[number] = dict(mapping(started.get("start")))
        elif added:
            _extend(blocks.setdefault(number, {}), mapping(added.get("delta")))
        made["stopReason"] = mapping(event.get("messageStop")).get("stopReason") or made.get("stopReason")
        made["usage"] = mapping(event.get("metadata")).get("usage") or made.get("usage")
    return {**made, "output": {"message": {"content": [blocks[number] for number in sorted(blocks)]}}}


def _extend(block: Mapping, delta: Mapping) -> None:
    if isinstance(visible := delta.get("text"), str):
        block["text"] = (text(block.get("text")) or "") + visible
    if isinstance(thought := mapping(delta.get("reasoningContent")).get("text"), str):
        known = text(mapping(mapping(block.get("reasoningContent")).get("reasoningText")).get("text")) or ""
        block["reasoningContent"] = {"reasoningText": {"text": known + thought}}
    if isinstance(arguments := mapping(delta.get("toolUse")).get("input"), str):
        call = dict(mapping(block.get("toolUse")))
        block["toolUse"] = {**call, "input": (text(call.get("input")) or "") + arguments}


def _deltas(events: list[object], finish_reason: str | None) -> tuple[Delta, ...]:
    deltas = []
    for event in map(mapping, events):
        delta = mapping(mapping(event.get("contentBlockDelta")).get("delta"))
        if delta:
            deltas.append(
                Delta(
                    content=text(delta.get("text")), reasoning=text(mapping(delta.get("reasoningContent")).get("text"))
                )
            )
        elif event.get("messageStop") is not None:
            deltas.append(Delta(finish_reason=finish_reason))
    return tuple(deltas)

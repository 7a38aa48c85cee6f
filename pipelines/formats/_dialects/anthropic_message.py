"""Anthropic Messages response: text, thinking and tool_use blocks of one answer."""

from pipelines.formats._dialects.blocks import read_blocks
from pipelines.formats._dialects.body import Answer, Body, state_of_content, state_of_field
from pipelines.formats._dialects.openai_chat import parts_of
from pipelines.formats._dialects.usage import read_usage
from pipelines.formats.values import Mapping, filled, mapping, sequence

_REASONS = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "tool_use": "tool_calls",
    "refusal": "content_filter",
}
"""Stop reasons in OpenAI's words; others stay as they are."""


def recognise(body: object) -> bool:
    given = mapping(body)
    content = given.get("content")
    if given.get("type") == "message" and isinstance(content, list) and "choices" not in given:
        return "stop_reason" in given or given.get("role") == "assistant"
    return "stop_reason" in given and any("type" in mapping(block) for block in sequence(content))


def read(body: object) -> Body:
    given = mapping(body)
    return Body(
        dialect="anthropic_message",
        api="messages",
        answers=(_answer(given),),
        id=filled(given.get("id")),
        model=filled(given.get("model")),
        usage=read_usage(given.get("usage")),
    )


def _answer(given: Mapping) -> Answer:
    blocks = read_blocks(given.get("content"))
    content = "".join(blocks.texts) if blocks.texts else None
    reasoning = "".join(blocks.thoughts) or None
    stop_reason = filled(given.get("stop_reason"))
    details = mapping(given.get("stop_details"))
    refused = stop_reason == "refusal"
    return Answer(
        content=content,
        content_state=state_of_content(content),
        parts=parts_of(blocks.texts),
        reasoning=reasoning,
        reasoning_fields={"thinking": reasoning} if reasoning else {},
        reasoning_state="redacted" if blocks.hidden and not reasoning else state_of_field(reasoning),
        tool_calls=tuple(blocks.calls),
        tool_calls_state=state_of_field(blocks.calls),
        finish_reason=_REASONS.get(stop_reason or "", stop_reason),
        stop_detail=filled(given.get("stop_sequence"), details.get("category")),
        refusal=(filled(details.get("explanation"), content) or "refusal") if refused else None,
    )

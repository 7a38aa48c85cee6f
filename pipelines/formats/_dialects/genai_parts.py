"""Output messages of the OpenTelemetry GenAI conventions: messages with `parts`, one answer per message."""

from pipelines.formats._dialects.blocks import read_blocks
from pipelines.formats._dialects.body import Answer, Body, state_of_content, state_of_field
from pipelines.formats._dialects.openai_chat import parts_of
from pipelines.formats.values import Mapping, filled, mapping, sequence

_REASONS = {"tool_call": "tool_calls"}
"""The conventions' enum says tool_call where every engine says tool_calls."""


def recognise(body: object) -> bool:
    messages = body if isinstance(body, list) else [body]
    return any(isinstance(mapping(message).get("parts"), list) for message in messages)


def read(body: object) -> Body:
    messages = [message for message in (sequence(body) or [body]) if isinstance(message, dict)]
    answers = tuple(_answer(message, number) for number, message in enumerate(messages))
    return Body(dialect="genai_parts", api="chat", answers=answers)


def _answer(message: Mapping, number: int) -> Answer:
    blocks = read_blocks(message.get("parts"))
    content = "".join(blocks.texts) if blocks.texts else None
    reasoning = "".join(blocks.thoughts) or None
    finish_reason = filled(message.get("finish_reason"))
    return Answer(
        choice=number,
        content=content,
        content_state=state_of_content(content),
        parts=parts_of(blocks.texts),
        reasoning=reasoning,
        reasoning_fields={"reasoning": reasoning} if reasoning else {},
        reasoning_state=state_of_field(reasoning),
        tool_calls=tuple(blocks.calls),
        tool_calls_state=state_of_field(blocks.calls),
        finish_reason=_REASONS.get(finish_reason or "", finish_reason),
    )

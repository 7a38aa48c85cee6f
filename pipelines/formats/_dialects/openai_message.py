"""Bare assistant messages, as Langfuse and some spans hold them: one answer per message, without finish reason or id."""

from pipelines.formats._dialects.body import Body
from pipelines.formats._dialects.openai_chat import read_message
from pipelines.formats.values import filled, mapping, sequence


def recognise(body: object) -> bool:
    messages = body if isinstance(body, list) else [body]
    return bool(messages) and all(_is_answer(message) for message in messages)


def read(body: object) -> Body:
    messages = [message for message in (sequence(body) or [body]) if isinstance(message, dict)]
    answers = tuple(map(read_message, messages))
    for number, (answer, message) in enumerate(zip(answers, messages, strict=True)):
        answer.choice = number
        answer.finish_reason = filled(message.get("finish_reason"))
    return Body(dialect="openai_message", api="chat", answers=answers)


def _is_answer(message: object) -> bool:
    given = mapping(message)
    return given.get("role") in ("assistant", "model") and bool(
        {"content", "tool_calls", "function_call"} & given.keys()
    )

"""Texts that LiteLLM's database shortened, without the English sentence that it puts in place of what it cut.

A string above MAX_STRING_LENGTH_PROMPT_IN_DB (2048) keeps 35 % at its start and 65 % at its end.
Source: `proxy/spend_tracking/spend_tracking_utils.py` of 1.108.7, read 2026-11-30.
"""

from pipelines.formats._dialects import Answer
from pipelines.schema import Message

_MARK = "litellm_truncated"
_START = "... (litellm_truncated skipped "
_END = ") ..."
_LONGEST = 600


def is_truncated(text: str | None) -> bool:
    return bool(text) and _MARK in (text or "")


def without_prose(text: str) -> str:
    """The text with a line break in place of every sentence that says what was cut."""
    start = text.find(_START)
    while start >= 0:
        end = text.find(_END, start, start + _LONGEST)
        if end < 0:
            break
        text = f"{text[:start]}\n{text[end + len(_END) :]}"
        start = text.find(_START, start)
    return text


def note_truncation(answer: Answer) -> None:
    """A truncated content gets its state; calls whose arguments were cut can no longer be judged."""
    if answer.content is not None and is_truncated(answer.content):
        answer.content, answer.content_state, answer.parts = without_prose(answer.content), "truncated", ()
    if answer.reasoning is not None and is_truncated(answer.reasoning):
        answer.reasoning = without_prose(answer.reasoning)
        answer.reasoning_fields = {name: without_prose(text) for name, text in answer.reasoning_fields.items()}
    if any(is_truncated(call.arguments) for call in answer.tool_calls):
        answer.tool_calls, answer.tool_calls_state = (), "redacted"


def shown_messages(messages: tuple[Message, ...] | None) -> tuple[Message, ...] | None:
    """The history with the prose taken out of its texts."""
    for message in messages or ():
        message.content = without_prose(message.content)
        message.reasoning = without_prose(message.reasoning) if message.reasoning else message.reasoning
    return messages

"""The whole record of a payload line that was read light: the light record, and the texts that it left out.

Most of a record is known by then, so only messages, calls and log probabilities are decoded; the rest of the line is skipped.
"""

from typing import Any

import msgspec

from pipelines.formats._dialects.blocks import calls_of
from pipelines.formats._dialects.history import read_messages
from pipelines.formats._dialects.openai_chat import logprobs_text
from pipelines.formats.format import Light
from pipelines.formats.litellm.redaction import is_marker
from pipelines.schema import Record

_LATE_BREAKS = (b'\\u000a"', b'\\u000A"')
"""A line break in this spelling, at the end of the reasoning, is not seen by the light reading."""


class _Message(msgspec.Struct, gc=False):
    tool_calls: Any = None


class _Choice(msgspec.Struct, gc=False):
    message: _Message
    logprobs: Any = None


class _Response(msgspec.Struct, gc=False):
    choices: list[_Choice]


class _Texts(msgspec.Struct, gc=False):
    messages: list[Any]
    response: _Response
    model_parameters: msgspec.Raw


_texts = msgspec.json.Decoder(_Texts).decode
_text = msgspec.json.Decoder(str | None).decode


def read_full(line: bytes | memoryview, light: Light) -> Record | None:
    """What `parse` yields for the line of a light record; None where that takes more than its texts, so that it has to be asked."""
    try:
        texts = _texts(line)
        content, reasoning = (_text(raw) if raw else None for raw in (light.content, light.reasoning))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    inserted = light.base.stream is True and (content or "").startswith("<think>")
    moved = light.reasoning.endswith(_LATE_BREAKS)
    if (
        inserted
        or moved
        or is_marker(content)
        or is_marker(reasoning)
        or b'"messages"' in bytes(texts.model_parameters)
    ):
        return None
    choice = texts.response.choices[0]
    record = light.make(light)
    record.light, record.history_reasoning = False, False
    record.messages = read_messages(texts.messages)
    record.content, record.reasoning = content, reasoning or None
    record.reasoning_fields = {"reasoning_content": reasoning} if reasoning else {}
    record.tool_calls = calls_of(choice.message.tool_calls)
    record.logprobs_text = logprobs_text(choice.logprobs)
    return record

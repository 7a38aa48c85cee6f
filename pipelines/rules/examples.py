"""Turns for the examples of rules: one request and its answer, built from the few things that matter."""

from typing import Any

from pipelines.families import UNKNOWN_FAMILY, Family, by_name
from pipelines.rules.rule import Example, Turn
from pipelines.schema import Message, Record, Tool, ToolCall

WEATHER = Tool(
    "get_weather",
    {
        "type": "object",
        "properties": {"city": {"type": "string"}, "days": {"type": "integer", "minimum": 1}},
        "required": ["city"],
        "additionalProperties": False,
    },
)
"""The tool of most examples."""


def leak(reason: str, turn: Turn, span: str | None = None) -> Example:
    """An example on which the rule fires; `span` is the exact text that the finding covers."""
    return Example(turn, reason, span)


def clean(reason: str, turn: Turn) -> Example:
    """An example on which the rule must not fire, and why."""
    return Example(turn, reason)


def answer(
    content: str | None,
    *,
    family: str | None = None,
    user: str = "Please answer.",
    system: str | None = None,
    tools: tuple[Tool, ...] | None = (),
    calls: tuple[ToolCall, ...] = (),
    reasoning: str | None = None,
    finish: str = "stop",
    **fields: Any,
) -> Turn:
    """One chat turn: a user message, perhaps a system message and tools, and the answer with its states."""
    messages = (*((Message("system", system),) if system else ()), Message("user", user))
    known: dict[str, Any] = {
        "source_id": "example",
        "source_uri": "example",
        "source_pos": 0,
        "api": "chat",
        "messages": messages,
        "tools": tools,
        "content": content,
        "content_state": "null" if content is None else "text" if content else "empty",
        "reasoning": reasoning,
        "reasoning_state": "present" if reasoning else "empty",
        "tool_calls": calls,
        "tool_calls_state": "present" if calls else "empty",
        "finish_reason": finish,
    }
    return Turn(Record(**(known | fields)), _family(family))


def _family(name: str | None) -> Family:
    found = by_name(name) if name else UNKNOWN_FAMILY
    if found is None:
        raise ValueError(f"no family is called {name!r}")
    return found

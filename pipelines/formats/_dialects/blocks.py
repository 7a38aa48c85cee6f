"""Text, thinking and calls out of a content field: a string, null, or a list of blocks of any of the APIs."""

import msgspec

from pipelines.formats.values import Mapping, compact, filled, mapping, sequence, text
from pipelines.schema import ToolCall

_TEXT_TYPES = ("text", "input_text", "output_text", "refusal", "summary_text", "reasoning_text")
_THINKING_TYPES = ("thinking", "reasoning", "redacted_thinking")
_CALL_TYPES = ("tool_use", "server_tool_use", "tool_call")
_RESULT_TYPES = ("tool_result", "tool_call_response")


class Blocks(msgspec.Struct):
    """What a content field holds: visible texts in order, thoughts in order, calls; `hidden`: thoughts were there but not shown."""

    texts: list[str] = []
    thoughts: list[str] = []
    calls: list[ToolCall] = []
    results: list[Mapping] = []
    hidden: bool = False


def joined(content: object) -> str:
    """The visible text of a content field, its parts joined without a separator; "" where it has none."""
    return content if isinstance(content, str) else "".join(read_blocks(content).texts)


def read_blocks(content: object) -> Blocks:
    """The blocks of a content field by kind; a string is one text."""
    if isinstance(content, str):
        return Blocks([content], [], [], [])
    found = Blocks([], [], [], [])
    for block in sequence(content):
        if isinstance(block, str):
            found.texts.append(block)
        elif isinstance(block, dict):
            _sort(block, found)
    return found


def _sort(block: Mapping, found: Blocks) -> None:
    kind = text(block.get("type"))
    if kind in _THINKING_TYPES or block.get("reasoningContent") is not None:
        thought = _thought(block)
        found.thoughts.extend([thought] if thought else [])
        found.hidden |= not thought
    elif kind in _CALL_TYPES or isinstance(block.get("toolUse"), dict):
        found.calls.append(call_of(mapping(block.get("toolUse")) or block))
    elif kind in _RESULT_TYPES or isinstance(block.get("toolResult"), dict):
        found.results.append(mapping(block.get("toolResult")) or block)
    elif kind is None or kind in _TEXT_TYPES:
        found.texts.extend(_visible(block))


def _visible(block: Mapping) -> list[str]:
    for key in ("text", "refusal", "content"):
        value = block.get(key)
        shown = value if isinstance(value, str) else mapping(value).get("value")
        if isinstance(shown, str):
            return [shown]
    return []


def _thought(block: Mapping) -> str:
    """Text of a thinking block: Claude's `thinking`, Databricks' `summary`, Responses' `content`, Mistral's list, Converse's nesting."""
    nested = mapping(mapping(block.get("reasoningContent")).get("reasoningText")).get("text")
    if isinstance(nested, str):
        return nested
    for key in ("thinking", "text", "reasoning", "summary", "content"):
        value = block.get(key)
        if isinstance(value, str) and value:
            return value
        if isinstance(value, list):
            inner = "".join(filled(item, mapping(item).get("text")) or "" for item in value)
            if inner:
                return inner
    return ""


def calls_of(value: object) -> tuple[ToolCall, ...]:
    """The structured calls of a `tool_calls` field; items of another type are left out."""
    return tuple([call_of(item) for item in sequence(value) if isinstance(item, dict)])


def call_of(item: Mapping) -> ToolCall:
    """One call of any API: OpenAI `function`, Claude `input`, Responses `call_id`, GenAI parts `arguments`."""
    function = mapping(item.get("function")) or mapping(item.get("custom")) or item
    arguments = next(
        (function[key] for key in ("arguments", "input", "parameters") if function.get(key) is not None), None
    )
    return ToolCall(
        name=text(function.get("name")) or text(item.get("name")),
        arguments=arguments if isinstance(arguments, str) or arguments is None else compact(arguments),
        id=filled(item.get("call_id"), item.get("id"), item.get("toolUseId")),
        type="custom" if item.get("type") in ("custom", "custom_tool_call") else "function",
        index=item["index"] if type(item.get("index")) is int else None,  # type: ignore[arg-type]
    )

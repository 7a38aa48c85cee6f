"""The messages of a request, whatever the API: chat messages, Responses items, Claude blocks, a prompt."""

from pipelines.formats._dialects.blocks import call_of, calls_of, joined, read_blocks
from pipelines.formats.values import Mapping, compact, filled, mapping, sequence, text
from pipelines.schema import Message

REASONING_FIELDS = ("reasoning", "reasoning_content", "thinking")
"""Names under which a message carries reasoning, in the order in which they are believed."""

_CALL_ITEMS = ("function_call", "custom_tool_call", "mcp_call")
_RESULT_ITEMS = ("function_call_output", "custom_tool_call_output", "tool_result")


def read_messages(value: object) -> tuple[Message, ...]:
    """The messages of a `messages`, `input` or `prompt` field; a string is one user message, an item of another type is left out."""
    if isinstance(value, str):
        return (Message(role="user", content=value),)
    found: list[Message] = []
    for item in sequence(value):
        if isinstance(item, dict):
            plain = _plain(item)
            if plain is None:
                found.extend(_items(item))
            else:
                found.append(plain)
        elif isinstance(item, str):
            found.append(Message(role="user", content=item))
    return tuple(found)


def _plain(item: Mapping) -> Message | None:
    """The plainest message, which most are: a role and a text."""
    role, content = item.get("role"), item.get("content")
    if len(item) != 2 or not isinstance(content, str) or not isinstance(role, str):
        return None
    return Message(role="tool" if role == "function" else role, content=content)


def position_of(messages: tuple[Message, ...]) -> int:
    """Assistant messages already there + 1; of Responses items and Claude blocks, each run of the assistant's own counts once."""
    kinds = [message.kind for message in messages if message.role == "assistant"]
    if kinds.count("message") == len(kinds):
        return len(kinds) + 1
    own = [message.role == "assistant" for message in messages]
    return sum(mine and not before for mine, before in zip(own, [False, *own], strict=False)) + 1


def reasoning_of(message: Mapping) -> dict[str, str]:
    """Every reasoning field of a message that holds text, by name; of a list, the texts of its blocks."""
    if message.keys().isdisjoint(REASONING_FIELDS):
        return {}
    return {name: value for name in REASONING_FIELDS if (value := _thought(message.get(name)))}


def _thought(value: object) -> str | None:
    if isinstance(value, list):
        blocks = read_blocks(value)
        return "".join(blocks.thoughts or blocks.texts) or None
    return filled(value, mapping(value).get("content"))


def _items(item: Mapping) -> list[Message]:
    kind = text(item.get("type"))
    if kind == "reasoning":
        thoughts = "".join(read_blocks(item.get("content")).texts) or "".join(read_blocks(item.get("summary")).texts)
        return [Message(role="assistant", kind="reasoning", reasoning=thoughts or None, reasoning_field="reasoning")]
    if kind in _CALL_ITEMS:
        return [Message(role="assistant", kind="function_call", tool_calls=(call_of(item),))]
    if kind in _RESULT_ITEMS:
        return [_result(item, "function_call_output")]
    return _message(item)


def _result(item: Mapping, kind: str) -> Message:
    content = next(
        (item[key] for key in ("output", "content", "response", "result") if item.get(key) is not None), None
    )
    call_id = filled(item.get("call_id"), item.get("tool_use_id"), item.get("toolUseId"), item.get("id"))
    shown = compact(content) if isinstance(content, dict) else joined(content)
    return Message(role="tool", content=shown, tool_call_id=call_id, kind=kind)


def _message(item: Mapping) -> list[Message]:
    role = text(item.get("role")) or "user"
    blocks = read_blocks(item.get("content", item.get("parts")))
    before = [
        Message(role=role, kind="thinking", reasoning=thought, reasoning_field="thinking")
        for thought in blocks.thoughts
    ]
    before += [_result(result, "message") for result in blocks.results]
    if blocks.results and not blocks.texts:
        return before
    reasoning = reasoning_of(item)
    return [
        *before,
        Message(
            role="tool" if role == "function" else role,
            content="".join(blocks.texts),
            reasoning=next(iter(reasoning.values()), None),
            reasoning_field=next(iter(reasoning), None),
            tool_calls=(*calls_of(item.get("tool_calls")), *blocks.calls),
            tool_call_id=text(item.get("tool_call_id")),
            phase=text(item.get("phase")),
        ),
    ]

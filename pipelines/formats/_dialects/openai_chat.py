"""OpenAI chat completion, as engines and gateways return it: one answer per choice."""

from pipelines.formats._dialects.blocks import calls_of, read_blocks
from pipelines.formats._dialects.body import Answer, Body, state_of_content, state_of_field
from pipelines.formats._dialects.history import reasoning_of
from pipelines.formats._dialects.usage import read_usage
from pipelines.formats.values import Mapping, filled, mapping, seconds, sequence, text, whole
from pipelines.schema import Part, ToolCall


def recognise(body: object) -> bool:
    choices = mapping(body).get("choices")
    if not isinstance(choices, list):
        return False
    if not choices:
        return mapping(body).get("object") == "chat.completion"
    return any(isinstance(mapping(choice).get(key), dict) for choice in choices for key in ("message", "delta"))


def read(body: object) -> Body:
    given = mapping(body)
    choices = [choice for choice in sequence(given.get("choices")) if isinstance(choice, dict)]
    return Body(
        dialect="openai_chat",
        api="chat",
        answers=tuple(_answer(choice, place) for place, choice in enumerate(choices)),
        id=filled(given.get("id")),
        model=filled(given.get("model")),
        created=seconds(given.get("created")),
        fingerprint=filled(given.get("system_fingerprint")),
        usage=read_usage(given.get("usage")),
        failed=not choices and bool(given.get("error")),
    )


def read_message(message: Mapping) -> Answer:
    """The answer in a bare assistant message; a list of blocks becomes parts, its thoughts the reasoning."""
    content = message.get("content")
    blocks = read_blocks(content)
    fields = reasoning_of(message)
    if blocks.thoughts:
        fields.setdefault("thinking", "".join(blocks.thoughts))
    visible = "".join(blocks.texts) if blocks.texts else ("" if content == [] else None)
    calls = (*calls_of(message.get("tool_calls")), *blocks.calls, *_old_call(message.get("function_call")))
    answer = Answer(
        content=visible,
        content_state=state_of_content(visible) if "content" in message else "absent",
        parts=parts_of(blocks.texts) if isinstance(content, list) else (),
        reasoning=next(iter(fields.values()), None),
        reasoning_fields=fields,
        reasoning_state="redacted" if blocks.hidden and not fields else state_of_field(fields),
        tool_calls=calls,
        tool_calls_state=state_of_field(calls),
        refusal=filled(message.get("refusal")),
    )
    if answer.content_state == "absent" and (calls or fields):
        answer.content_state = "null"
    return answer


def parts_of(texts: list[str]) -> tuple[Part, ...]:
    """Where each text stands when they are joined."""
    parts, start = [], 0
    for item, visible in enumerate(texts):
        parts.append(Part(start, start + len(visible), item=item))
        start += len(visible)
    return tuple(parts)


def stop_detail(choice: Mapping) -> str | None:
    """The stop string or token id that matched: vLLM `stop_reason`, SGLang `matched_stop`, both also where LiteLLM puts them."""
    for source in (choice, mapping(choice.get("provider_specific_fields"))):
        for key in ("stop_reason", "matched_stop"):
            value = source.get(key)
            if isinstance(value, str) and value:
                return value
            if type(value) is int:
                return str(value)
    return None


def logprobs_text(logprobs: object) -> str | None:
    """The text of the tokens in a logprobs object of a chat or text completion."""
    given = mapping(logprobs)
    tokens = [mapping(entry).get("token") for entry in sequence(given.get("content"))] or sequence(given.get("tokens"))
    return "".join(token for token in tokens if isinstance(token, str)) or None


def choice_number(choice: Mapping, place: int) -> int:
    index = whole(choice.get("index"))
    return index if index is not None and 0 <= index < 1 << 31 else place


def _answer(choice: Mapping, place: int) -> Answer:
    answer = read_message(mapping(choice.get("message")) or mapping(choice.get("delta")))
    answer.choice = choice_number(choice, place)
    answer.finish_reason = filled(choice.get("finish_reason"))
    answer.stop_detail = stop_detail(choice)
    answer.logprobs_text = logprobs_text(choice.get("logprobs"))
    return answer


def _old_call(value: object) -> tuple[ToolCall, ...]:
    given = mapping(value)
    return calls_of([{"function": given}]) if text(given.get("name")) else ()

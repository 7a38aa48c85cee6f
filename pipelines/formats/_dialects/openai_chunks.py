"""The chunks of a chat or text completion stream, joined per choice into the message that a correct client would have.

Both reasoning names, both fields in one chunk, calls by index, markers split over chunks; the chunks stay as evidence.
"""

from collections.abc import Iterable

import msgspec

from pipelines.formats._dialects.blocks import calls_of, joined
from pipelines.formats._dialects.body import Answer, Body, state_of_field
from pipelines.formats._dialects.openai_chat import choice_number, logprobs_text, stop_detail
from pipelines.formats._dialects.usage import read_usage
from pipelines.formats.values import Mapping, filled, mapping, seconds, sequence, text
from pipelines.schema import Delta, ToolCall


class _Choice(msgspec.Struct):
    deltas: list[Delta] = []
    logprobs: list[str] = []
    refusal: list[str] = []
    stop_detail: str | None = None
    is_text: bool = False


def recognise(body: object) -> bool:
    """A list with a chunk in it: an object with `choices` that hold deltas or texts (or a usage chunk, which holds none)."""
    return any(_is_chunk(mapping(event)) for event in sequence(body))


def read(body: object) -> Body:
    events = [event for event in sequence(body) if isinstance(event, dict)]
    chunks = [event for event in events if isinstance(event.get("choices"), list)]
    choices = _choices(chunks)
    failed = any(event.get("error") or event.get("type") == "error" for event in events)
    answers = tuple(_answer(number, choice) for number, choice in sorted(choices.items()))
    is_text = any(choice.is_text for choice in choices.values())
    return Body(
        dialect="openai_chunks",
        api="completions" if is_text else "chat",
        answers=answers,
        id=filled(*(chunk.get("id") for chunk in chunks)),
        model=filled(*(chunk.get("model") for chunk in chunks)),
        created=next((created for chunk in chunks if (created := seconds(chunk.get("created")))), None),
        fingerprint=filled(*(chunk.get("system_fingerprint") for chunk in reversed(chunks))),
        usage=read_usage(next((chunk["usage"] for chunk in reversed(chunks) if chunk.get("usage")), None)),
        streamed=True,
        complete=not failed and bool(answers) and all(answer.finish_reason for answer in answers),
        failed=failed,
    )


def _is_chunk(event: Mapping) -> bool:
    choices = event.get("choices")
    if not isinstance(choices, list):
        return False
    return "chunk" in (text(event.get("object")) or "") or any(
        "delta" in mapping(choice) or "text" in mapping(choice) for choice in choices
    )


def _choices(chunks: list[Mapping]) -> dict[int, _Choice]:
    found: dict[int, _Choice] = {}
    for chunk in chunks:
        for place, given in enumerate(sequence(chunk.get("choices"))):
            if isinstance(given, dict):
                number = choice_number(given, place)
                _take(found.setdefault(number, _Choice([], [], [])), given)
    return found


def _take(choice: _Choice, given: Mapping) -> None:
    delta = mapping(given.get("delta")) or mapping(given.get("message"))
    content = delta.get("content")
    if "text" in given and "delta" not in given:
        choice.is_text = True
        content = given["text"]
    old_call = delta.get("function_call")
    choice.deltas.append(
        Delta(
            content=content if isinstance(content, str) or content is None else joined(content),
            reasoning=text(delta.get("reasoning")),
            reasoning_content=text(delta.get("reasoning_content")),
            tool_calls=calls_of(delta.get("tool_calls")) or calls_of([{"function": old_call}] if old_call else None),
            finish_reason=filled(given.get("finish_reason")),
        )
    )
    choice.stop_detail = stop_detail(given) or choice.stop_detail
    choice.logprobs.append(logprobs_text(given.get("logprobs")) or "")
    choice.refusal.append(text(delta.get("refusal")) or "")


def _answer(number: int, choice: _Choice) -> Answer:
    return joined_answer(
        choice.deltas,
        choice=number,
        stop_detail=choice.stop_detail,
        logprobs_text="".join(choice.logprobs) or None,
        refusal="".join(choice.refusal) or None,
        is_text=choice.is_text,
    )


def joined_answer(deltas: list[Delta], *, is_text: bool = False, **known: object) -> Answer:
    """The answer that the deltas of one choice make. Without visible text its content is null, as in a plain response."""
    content = "".join(delta.content or "" for delta in deltas) or None
    reasoning = "".join(delta.reasoning or delta.reasoning_content or "" for delta in deltas) or None
    names = ("reasoning", "reasoning_content")
    fields = {name: whole for name in names if (whole := "".join(getattr(delta, name) or "" for delta in deltas))}
    calls = joined_calls(call for delta in deltas for call in delta.tool_calls)
    return Answer(
        content=content,
        content_state="text" if content else "null",
        reasoning=reasoning,
        reasoning_fields=fields,
        reasoning_state="dropped_by_format" if is_text else state_of_field(reasoning),
        tool_calls=calls,
        tool_calls_state="dropped_by_format" if is_text else state_of_field(calls),
        finish_reason=next((delta.finish_reason for delta in reversed(deltas) if delta.finish_reason), None),
        chunks=tuple(deltas),
        **known,  # type: ignore[arg-type]
    )


def joined_calls(fragments: Iterable[ToolCall]) -> tuple[ToolCall, ...]:
    """Calls by index; a fragment without one continues the last call, and another id or a second name under it starts a new one."""
    calls: list[ToolCall] = []
    latest: dict[int | None, ToolCall] = {}
    for fragment in fragments:
        key = fragment.index if fragment.index is not None or not calls else calls[-1].index
        call = latest.get(key)
        if call is None or _is_another(fragment, call):
            call = ToolCall(
                name=fragment.name, arguments=fragment.arguments, id=fragment.id, type=fragment.type, index=key
            )
            latest[key] = call
            calls.append(call)
            continue
        call.name = call.name or fragment.name
        call.id = call.id or fragment.id
        if fragment.arguments is not None:
            call.arguments = (call.arguments or "") + fragment.arguments
    for call in calls:
        call.index = None
    return tuple(calls)


def _is_another(fragment: ToolCall, call: ToolCall) -> bool:
    if fragment.id and call.id:
        return fragment.id != call.id
    return bool(fragment.name and call.name and fragment.name != call.name)

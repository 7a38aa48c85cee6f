"""The chunks of a chat or text completion stream, joined per choice into the message that a correct client would have.

All names of the reasoning, blocks, several fields in one chunk, calls by index, markers split over chunks; the chunks stay as
evidence.
"""

from collections.abc import Iterable

import msgspec

from pipelines.formats._dialects.blocks import Blocks, calls_of, read_blocks
from pipelines.formats._dialects.body import Answer, Body, is_nothing, state_of_field
from pipelines.formats._dialects.events import DONE
from pipelines.formats._dialects.history import reasoning_of
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
    thinks: bool = False
    """Its thoughts come as `thinking`, a field or blocks of the content."""
    hides: bool = False
    """Thoughts were there but not shown."""


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
    ended = all(answer.finish_reason for answer in answers) or (
        DONE in sequence(body) and any(answer.finish_reason or not is_nothing(answer) for answer in answers)
    )
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
        complete=not failed and bool(answers) and ended,
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
    blocks = _blocks(choice, given, delta)
    thoughts = reasoning_of(delta)
    thinking = thoughts.get("thinking") or "".join(blocks.thoughts)
    reasoning = thoughts.get("reasoning") or text(delta.get("reasoning"))
    choice.thinks |= bool(thinking) and not reasoning
    choice.hides |= blocks.hidden
    old_call = delta.get("function_call")
    choice.deltas.append(
        Delta(
            content="".join(blocks.texts) if blocks.texts else None,
            reasoning=thinking if thinking and not reasoning else reasoning,
            reasoning_content=thoughts.get("reasoning_content") or text(delta.get("reasoning_content")),
            tool_calls=(
                *(calls_of(delta.get("tool_calls")) or calls_of([{"function": old_call}] if old_call else None)),
                *blocks.calls,
            ),
            finish_reason=filled(given.get("finish_reason")),
        )
    )
    choice.stop_detail = stop_detail(given) or choice.stop_detail
    choice.logprobs.append(logprobs_text(given.get("logprobs")) or "")
    choice.refusal.append(text(delta.get("refusal")) or "")


def _blocks(choice: _Choice, given: Mapping, delta: Mapping) -> Blocks:
    """What the chunk shows, of a text completion its `text`; a null stands for a key that is not there, as in a table's rows."""
    own = given.get("text")
    if given.get("delta") is None and given.get("message") is None and (own is not None or "delta" not in given):
        choice.is_text |= "text" in given
        return read_blocks(own if isinstance(own, str) else None)
    return read_blocks(delta.get("content"))


def _answer(number: int, choice: _Choice) -> Answer:
    answer = joined_answer(
        choice.deltas,
        choice=number,
        stop_detail=choice.stop_detail,
        logprobs_text="".join(choice.logprobs) or None,
        refusal="".join(choice.refusal) or None,
        is_text=choice.is_text,
    )
    if choice.thinks and "reasoning" in answer.reasoning_fields:
        answer.reasoning_fields["thinking"] = answer.reasoning_fields.pop("reasoning")
    if choice.hides and not answer.reasoning:
        answer.reasoning_state = "redacted"
    if choice.is_text and _goes_on_after_its_end(choice.deltas):
        answer.choices_merged, answer.content_state, answer.finish_reason, answer.chunks = True, "shuffled", None, None
    return answer


def _goes_on_after_its_end(deltas: list[Delta]) -> bool:
    """Whether text follows a finish: a gateway gave the texts of several choices the same number."""
    ends = [number for number, delta in enumerate(deltas) if delta.finish_reason]
    return bool(ends) and any(delta.content for delta in deltas[ends[0] + 1 :])


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

"""OpenAI Responses object: the items of one response as one answer, its parts with their phase."""

from pipelines.formats._dialects.blocks import call_of
from pipelines.formats._dialects.body import Answer, Body, Request, state_of_content, state_of_field
from pipelines.formats._dialects.request import read_request
from pipelines.formats._dialects.requested_format import requested_format
from pipelines.formats._dialects.usage import read_usage
from pipelines.formats.values import Mapping, filled, mapping, seconds, sequence, text
from pipelines.schema import Part, ToolCall

_CALLS = ("function_call", "custom_tool_call")
_REASONS = {"max_output_tokens": "length", "max_tokens": "length", "content_filter": "content_filter"}


def recognise(body: object) -> bool:
    given = mapping(body)
    return isinstance(given.get("output"), list) and (given.get("object") == "response" or _has_items(given["output"]))


def read(body: object) -> Body:
    given = mapping(body)
    items = [item for item in sequence(given.get("output")) if isinstance(item, dict)]
    status = text(given.get("status"))
    failed = status in ("failed", "cancelled") or bool(given.get("error"))
    return Body(
        dialect="openai_responses",
        api="responses",
        answers=(_answer(items, given),) if items or not failed else (),
        id=filled(given.get("id")),
        model=filled(given.get("model")),
        created=seconds(given.get("created_at", given.get("created"))),
        fingerprint=filled(given.get("system_fingerprint")),
        usage=read_usage(given.get("usage")),
        phases=True,
        conversation=filled(mapping(given.get("conversation")).get("id"), given.get("conversation")),
        previous_response_id=filled(given.get("previous_response_id")),
        complete=status not in ("in_progress", "queued") and not failed,
        failed=failed,
        echo=_echo(given),
    )


def _has_items(items: object) -> bool:
    return any(mapping(item).get("type") in ("message", "reasoning", *_CALLS) for item in sequence(items))


def _answer(items: list[Mapping], given: Mapping) -> Answer:
    texts, parts, refusal = _visible(items)
    content = "".join(texts) if texts else None
    thoughts, hidden = _thoughts(items)
    calls = tuple(_call(item) for item in items if item.get("type") in _CALLS)
    reasoning = "".join(thoughts) or None
    return Answer(
        content=content,
        content_state=state_of_content(content),
        parts=parts,
        flattened_from="responses" if _is_joined(given, parts, content) else None,
        reasoning=reasoning,
        reasoning_fields={"reasoning": reasoning} if reasoning else {},
        reasoning_state="redacted" if hidden and not reasoning else state_of_field(reasoning),
        tool_calls=calls,
        tool_calls_state=state_of_field(calls),
        refusal=refusal or None,
        finish_reason=_finish_reason(given, bool(calls)),
    )


def _visible(items: list[Mapping]) -> tuple[list[str], tuple[Part, ...], str]:
    """Texts of all message items in order, where each stands, and the refusal."""
    texts: list[str] = []
    parts: list[Part] = []
    refusal, start = "", 0
    for number, item in enumerate(items):
        if item.get("type") != "message":
            continue
        content = item.get("content")
        for block in [{"text": content}] if isinstance(content, str) else sequence(content):
            refusal += text(mapping(block).get("refusal")) or ""
            visible = text(mapping(block).get("text"))
            if visible is not None:
                parts.append(Part(start, start + len(visible), phase=filled(item.get("phase")), item=number))
                texts.append(visible)
                start += len(visible)
    return texts, tuple(parts), refusal


def _is_joined(given: Mapping, parts: tuple[Part, ...], content: str | None) -> bool:
    """Whether somebody joined commentary and answer into the body's own `output_text`, which the API does not send."""
    phases = {part.phase for part in parts}
    joined, visible = (text(given.get("output_text")) or "").split(), (content or "").split()
    return bool(visible) and "commentary" in phases and len(phases) > 1 and joined == visible


def _thoughts(items: list[Mapping]) -> tuple[list[str], bool]:
    """Texts of the reasoning items (their summaries where the text is not shown), and whether some show neither."""
    thoughts: list[str] = []
    hidden = False
    for item in items:
        if item.get("type") == "reasoning":
            blocks = sequence(item.get("content")) or sequence(item.get("summary"))
            shown = "".join(text(mapping(block).get("text")) or "" for block in blocks)
            thoughts.append(shown)
            hidden |= not shown and bool(item.get("encrypted_content"))
    return thoughts, hidden


def _call(item: Mapping) -> ToolCall:
    return call_of({key: value for key, value in item.items() if key != "id" or not item.get("call_id")})


def _finish_reason(given: Mapping, calls: bool) -> str | None:
    status = given.get("status")
    if status == "incomplete":
        reason = text(mapping(given.get("incomplete_details")).get("reason"))
        return _REASONS.get(reason or "", reason)
    if status == "completed":
        return "tool_calls" if calls else "stop"
    return None


def _echo(given: Mapping) -> Request:
    """The request as the response repeats it; a key that is not there stays unknown."""
    read = read_request(given, whole_body=False)
    echo = Request(
        instructions=read.instructions,
        tools=read.tools if isinstance(given.get("tools"), list) else None,
        tool_choice=read.tool_choice,
        max_tokens=read.max_tokens,
        reasoning_effort=read.reasoning_effort,
    )
    if "text" in given:
        echo.response_format, echo.response_format_state = requested_format({"text": given["text"]})
    return echo

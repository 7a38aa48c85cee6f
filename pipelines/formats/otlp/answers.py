"""The answers of a call: each field from the first span that shows it.

What a writer leaves out (source read or run, 2026-11-30): LiteLLM 1.108.7 puts no reasoning into `parts` and no calls but as
`gen_ai.completion.N.function_call`, and no reasoning into the messages of Responses calls; Envoy AI Gateway 1.1.0 leaves reasoning
out on purpose with GenAI parts, drops any reasoning field but `reasoning_content` from plain OpenInference spans, and shows nothing
but text of streams.
"""

from collections.abc import Iterator, Sequence

import msgspec

from pipelines.formats._dialects import Answer, Body, read_body
from pipelines.formats.literals import cut_json, python_literal
from pipelines.formats.otlp.flattened import messages_of, unflattened
from pipelines.formats.otlp.spans import Span
from pipelines.formats.otlp.writers import api_of, is_envoy, is_litellm
from pipelines.formats.values import Mapping, decoded, mapping, sequence, text

_REASONS = {"completed": "stop", "incomplete": "length", "tool_call": "tool_calls"}
_SHOWN = ("text", "null", "empty", "truncated")


class Evidence(msgspec.Struct):
    """What one attribute says of the answers, and which fields it would show if they were there."""

    answers: tuple[Answer, ...]
    shows: tuple[str, ...] = ("content", "reasoning", "tool_calls")
    fingerprint: str | None = None
    upstream: bool = False
    """What the engine sent to the gateway, not what the gateway delivered."""


def answers_of(spans: Sequence[Span]) -> tuple[list[Answer], list[Evidence]]:
    """One answer per choice, and the evidence it was put together from."""
    evidence = [one for span in spans for one in _evidence(span)]
    numbers = sorted({answer.choice for one in evidence for answer in one.answers if answer.content_state != "absent"})
    answers = [_merged(number, evidence) for number in numbers]
    reasons = next((found for span in spans if (found := finish_reasons(span))), [])
    for place, answer in enumerate(answers):
        reason = reasons[place] if place < len(reasons) else None
        answer.finish_reason = plain_reason(reason) or answer.finish_reason
        if reason == "completed" and answer.tool_calls:
            answer.finish_reason = "tool_calls"
    return answers, evidence


def finish_reasons(span: Span) -> list[str]:
    """`gen_ai.response.finish_reasons`, as an array or as JSON text."""
    return [
        reason for reason in sequence(decoded(span.first("gen_ai.response.finish_reasons"))) if isinstance(reason, str)
    ]


def is_moved(answer: Answer, evidence: Sequence[Evidence]) -> bool:
    """Whether the gateway cut thoughts off the start of what the engine sent: the upstream's text has them, the delivered one not."""
    engine = next(
        (one.content for found in evidence for one in found.answers if found.upstream and one.choice == answer.choice),
        None,
    )
    delivered = answer.content or ""
    return bool(engine) and engine != delivered and engine.startswith("<") and engine.endswith(delivered)  # type: ignore[union-attr]


def plain_reason(reason: str | None) -> str | None:
    """A finish reason in the engines' words; a Responses status counts as one."""
    return _REASONS.get(reason or "", reason)


def _merged(number: int, evidence: list[Evidence]) -> Answer:
    """Content, reasoning, calls and finish reason, each from the first evidence that shows it."""
    own = [(one.shows, answer) for one in evidence for answer in one.answers if answer.choice == number]
    made = Answer(choice=number, reasoning_state="dropped_by_format", tool_calls_state="dropped_by_format")
    for shows, answer in own:
        if "content" in shows and made.content_state == "absent" and answer.content_state in _SHOWN:
            made.content, made.content_state, made.parts = answer.content, answer.content_state, answer.parts
        if answer.reasoning and not made.reasoning:
            made.reasoning, made.reasoning_fields = answer.reasoning, answer.reasoning_fields
        if answer.tool_calls and (not made.tool_calls or _adds_ids(answer, made)):
            made.tool_calls = answer.tool_calls
        for field in ("finish_reason", "stop_detail", "refusal", "logprobs_text"):
            setattr(made, field, getattr(made, field) or getattr(answer, field))
    if made.reasoning or any("reasoning" in shows for shows, _ in own):
        made.reasoning_state = "present" if made.reasoning else "empty"
    if made.tool_calls or any("tool_calls" in shows for shows, _ in own):
        made.tool_calls_state = "present" if made.tool_calls else "empty"
    if made.content_state == "absent" and own:
        made.content_state = "null"
    return made


def _adds_ids(answer: Answer, made: Answer) -> bool:
    """Whether the same calls stand here with the ids that LiteLLM's attributes leave out."""
    same = [call.name for call in answer.tool_calls] == [call.name for call in made.tool_calls]
    return same and not any(call.id for call in made.tool_calls) and any(call.id for call in answer.tool_calls)


def _evidence(span: Span) -> Iterator[Evidence]:
    if span.kind == "raw":
        yield from _raw(span)
        return
    yield from _conventions(span)
    yield from _openinference(span)
    yield from _old_keys(span)
    yield from _events(span)


def _conventions(span: Span) -> Iterator[Evidence]:
    """`gen_ai.output.messages`: parts or chat messages, structured, as JSON text, or as JSON text that was cut off."""
    value = span.first("gen_ai.output.messages")
    opened = decoded(value)
    is_cut = isinstance(opened, str)
    messages = [mapping(one) for one in sequence(cut_json(opened) if isinstance(opened, str) else opened)]
    spoken = [one for one in messages if one.get("role", "assistant") in ("assistant", "model")]
    body = read_body([{"role": "assistant", **one} for one in spoken]) if spoken else None
    if body is None:
        return
    if is_cut:
        for answer in body.answers:
            _mark_cut(answer)
    in_parts = any("parts" in one for one in spoken)
    yield Evidence(body.answers, shows=_shown(span, in_parts=in_parts, is_cut=is_cut))


def _mark_cut(answer: Answer) -> None:
    if answer.content_state in ("text", "empty"):
        answer.content_state = "truncated"
    answer.tool_calls, answer.reasoning, answer.finish_reason = (), None, None


def _shown(span: Span, *, in_parts: bool, is_cut: bool) -> tuple[str, ...]:
    if is_cut:
        return ("content",)
    if is_envoy(span):
        return ("content", "tool_calls")
    if is_litellm(span) and in_parts:
        return ("content", "tool_calls") if api_of(span) == "responses" else ("content",)
    if is_litellm(span) and api_of(span) in ("responses", "completions"):
        return ("content", "tool_calls")
    return ("content", "reasoning", "tool_calls")


def _openinference(span: Span) -> Iterator[Evidence]:
    """`output.value` (a whole body, messages, or text) and the flattened messages."""
    value = span.first("output.value")
    opened = decoded(value)
    body = read_body(opened) if isinstance(opened, dict | list) and opened else None
    if body is not None and body.answers:
        streamed = mapping(opened).get("object") == "chat.completion.chunk"
        shows: tuple[str, ...] = ("content", "reasoning", "tool_calls")
        if is_envoy(span):
            shows = ("content",) if streamed else ("content", "tool_calls")
        elif isinstance(opened, list):
            shows = ("content",)
        yield Evidence(body.answers, shows, body.fingerprint)
    flat = read_body(messages_of(unflattened(span.attributes, "llm.output_messages")))
    if flat is not None and flat.answers:
        for answer in flat.answers:
            answer.content_state = "absent" if answer.content is None else answer.content_state
        yield Evidence(flat.answers, ("content",))
    elif isinstance(value, str) and isinstance(opened, str) and body is None:
        plain = read_body(value, "plain_text")
        yield Evidence(plain.answers if plain else (), ("content",))


def _old_keys(span: Span) -> Iterator[Evidence]:
    """`gen_ai.completion.N.*`: content, role and finish reason of a choice; LiteLLM: the Nth call of the first choice."""
    entries = [mapping(one) for one in sequence(unflattened(span.attributes, "gen_ai.completion"))]
    calls = [one["function_call"] for one in entries if isinstance(one.get("function_call"), dict)]
    texts = [one for one in entries if "content" in one or "tool_calls" in one]
    if texts:
        body = read_body({"choices": [_choice(one) for one in texts]}, "openai_chat")
        yield Evidence(body.answers if body else (), ("content", "tool_calls"))
    if calls or _names_calls(span):
        body = read_body([{"role": "assistant", "content": None, "tool_calls": [{"function": call} for call in calls]}])
        for answer in body.answers if body else ():
            answer.content_state = "absent"
        yield Evidence(body.answers if body else (), ("tool_calls",))


def _names_calls(span: Span) -> bool:
    """Whether LiteLLM would have written the calls of this answer into the span."""
    captured = span.kind == "call" and span.first("gen_ai.output.messages") is not None
    return captured and is_litellm(span) and api_of(span) in ("chat", "messages")


def _choice(entry: Mapping) -> Mapping:
    calls = [{"function": call, "id": mapping(call).get("id")} for call in sequence(entry.get("tool_calls"))]
    return {
        "message": {**entry, **({"tool_calls": calls} if calls else {})},
        "finish_reason": entry.get("finish_reason"),
    }


def _events(span: Span) -> Iterator[Evidence]:
    """The older events: `gen_ai.choice` as log record or span event, `gen_ai.content.completion`."""
    found = [mapping(span.body)] if span.event == "choice" else []
    for kind, attributes in span.events:
        if kind == "choice":
            found.append({**attributes, "message": decoded(attributes.get("message"))})
        elif kind == "completion":
            messages = sequence(decoded(attributes.get("gen_ai.completion")))
            found.extend({"message": one, "index": place} for place, one in enumerate(messages))
    body = (
        read_body({"choices": [{**one, "message": _message(one)} for one in found]}, "openai_chat") if found else None
    )
    if body is not None:
        yield Evidence(body.answers, ("content",) if is_litellm(span) else ("content", "tool_calls"))


def _message(choice: Mapping) -> Mapping:
    message = choice.get("message")
    if isinstance(message, str):
        return {"role": "assistant", "content": message}
    return mapping(message) or {key: choice[key] for key in ("content", "tool_calls") if key in choice}


def _raw(span: Span) -> Iterator[Evidence]:
    """LiteLLM's raw span: the upstream's body, its arrays as Python repr."""
    prefix = f"llm.{span.provider}."
    given = {key[len(prefix) :]: value for key, value in span.attributes.items() if key.startswith(prefix)}
    opened = {key: python_literal(value) if isinstance(value, str) else value for key, value in given.items()}
    body: Body | None = None
    if isinstance(opened.get("choices"), list):
        body = read_body({**opened, "usage": None})
    elif isinstance(opened.get("output"), list):
        body = read_body({**opened, "object": "response", "usage": None})
    elif isinstance(opened.get("content"), list) and text(opened.get("role")):
        body = read_body({**opened, "type": "message", "usage": None})
    if body is not None and body.answers:
        yield Evidence(body.answers, ("content", "reasoning", "tool_calls"), body.fingerprint, upstream=True)

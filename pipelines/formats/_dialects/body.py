"""Request, Answer and Body: what a request body and a response body say, in the field names of the Record."""

import msgspec

from pipelines.schema import ContentState, Delta, FieldState, Message, Part, RequestState, Tool, ToolCall, Usage


class Request(msgspec.Struct, kw_only=True):
    """The request part of a Record; None: the log does not show it, an empty value: the request had none."""

    messages: tuple[Message, ...] | None = None
    position: int = 0
    last_role: str | None = None
    instructions: str | None = None
    tools: tuple[Tool, ...] | None = None
    tool_choice: str | None = None
    response_format: dict[str, object] | None = None
    response_format_state: RequestState = "unknown"
    stop: tuple[str, ...] | None = None
    stream: bool | None = None
    max_tokens: int | None = None
    choices_requested: int | None = None
    reasoning_effort: str | None = None
    chat_template_kwargs: dict[str, object] | None = None
    include_reasoning: bool | None = None
    separate_reasoning: bool | None = None
    skip_special_tokens: bool | None = None
    thinking_token_budget: int | None = None
    model_requested: str | None = None
    previous_response_id: str | None = None
    caller: str | None = None


class Answer(msgspec.Struct, kw_only=True):
    """The response part of a Record: one choice."""

    choice: int = 0
    finish_reason: str | None = None
    stop_detail: str | None = None
    content: str | None = None
    parts: tuple[Part, ...] = ()
    reasoning: str | None = None
    reasoning_fields: dict[str, str] = msgspec.field(default_factory=dict)
    tool_calls: tuple[ToolCall, ...] = ()
    refusal: str | None = None
    logprobs_text: str | None = None
    chunks: tuple[Delta, ...] | None = None
    choices_merged: bool = False
    content_state: ContentState = "absent"
    flattened_from: str | None = None
    reasoning_state: FieldState = "empty"
    tool_calls_state: FieldState = "empty"


class Body(msgspec.Struct, kw_only=True):
    """A response body: its answers, one per choice, and what it says about the whole call."""

    dialect: str
    api: str
    """chat | completions | responses | messages | converse"""
    answers: tuple[Answer, ...] = ()
    id: str | None = None
    model: str | None = None
    created: float | None = None
    """Seconds since 1970 UTC."""
    fingerprint: str | None = None
    usage: Usage = msgspec.field(default_factory=Usage)
    phases: bool = False
    """The API has phases, so that a missing one means something."""
    conversation: str | None = None
    previous_response_id: str | None = None
    streamed: bool = False
    complete: bool = True
    """False: a stream that ended in an error or before its last event; what came before it is in the answers."""
    failed: bool = False
    """The body is an error (or the stream held one)."""
    echo: Request | None = None
    """What the body repeats of the request (Responses)."""


def is_nothing(answer: Answer) -> bool:
    """Whether an answer holds neither text nor thoughts nor calls."""
    return not (answer.content or answer.reasoning or answer.tool_calls or answer.refusal)


def state_of_content(content: object) -> ContentState:
    """text, empty or null for a content field that is there."""
    if content is None:
        return "null"
    return "text" if content else "empty"


def state_of_field(value: object) -> FieldState:
    return "present" if value else "empty"

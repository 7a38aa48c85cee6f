"""The keys of a payload straight from the raw line: states, ids, models and counts, without decoding the answer's text.

Only the common row is read this way (one answered chat call with one choice); any other gives None and is read in full. What both
readings have in common agrees.
"""

from functools import lru_cache
from typing import Any

import msgspec
from msgspec import Raw

from pipelines.formats._dialects import Request, read_request
from pipelines.formats._dialects.blocks import joined
from pipelines.formats._dialects.openai_chat import stop_detail
from pipelines.formats.format import OPENING, Light, Place
from pipelines.formats.litellm.call import Call, header_metadata, known_of, own_metadata, tag_metadata
from pipelines.formats.litellm.prices import without_prices
from pipelines.formats.litellm.redaction import MARKER
from pipelines.formats.litellm.rewrites import is_estimated, reasoning_is_dropped, rewrites_of_call
from pipelines.formats.record import finished, hide_reasoning
from pipelines.formats.values import Mapping, decoded, seconds
from pipelines.schema import ContentState, Record, Usage

_ABSENT = Raw(b"")
_NOTHING = (b"", b"null")
_EMPTY = (b"", b"null", b'""')
_STATES: dict[bytes, ContentState] = {b"": "absent", b"null": "null", b'""': "empty"}
_MARKER = MARKER.encode()
_QUOTED_MARKER = b'"' + _MARKER + b'"'
_LONG = ("headers", "trace_id")
_CHAT = ("acompletion", "completion", "anthropic_messages")
_BLOCK_NAMES = (b"tool", b"thinking", b"reasoning")
"""What a list of blocks holds when it is more than text and pictures."""


class _Turn(msgspec.Struct, gc=False):
    role: str
    content: Raw = _ABSENT
    type: str | None = None


class _OwnFields(msgspec.Struct, gc=False):
    stop_reason: Raw = _ABSENT
    matched_stop: Raw = _ABSENT
    token_ids: Raw = _ABSENT


class _MessageFields(msgspec.Struct, gc=False):
    reasoning: Raw = _ABSENT


class _Answer(msgspec.Struct, gc=False):
    content: Raw = _ABSENT
    reasoning_content: Raw = _ABSENT
    reasoning: Raw = _ABSENT
    thinking: Raw = _ABSENT
    tool_calls: Raw = _ABSENT
    function_call: None = None
    refusal: None = None
    provider_specific_fields: _MessageFields | None = None


class _Choice(msgspec.Struct, gc=False):
    message: _Answer
    index: int | None = None
    finish_reason: str | None = None
    stop_reason: None = None
    matched_stop: None = None
    provider_specific_fields: _OwnFields | None = None


class _Details(msgspec.Struct, gc=False):
    reasoning_tokens: int | None = None
    text_tokens: int | None = None


class _Usage(msgspec.Struct, gc=False):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    completion_tokens_details: _Details | None = None
    reasoning_tokens: int | None = None


class _Response(msgspec.Struct, gc=False):
    choices: list[_Choice]
    id: str | None = None
    model: str | None = None
    system_fingerprint: str | None = None
    usage: _Usage | None = None
    metadata: Raw = _ABSENT


class _Metadata(msgspec.Struct, gc=False):
    requester_metadata: dict[str, Raw] | None = None
    spend_logs_metadata: Raw = _ABSENT
    requester_custom_headers: Raw = _ABSENT
    user_api_key_hash: str | None = None
    user_api_key_request_route: str | None = None


class _Hidden(msgspec.Struct, gc=False):
    litellm_model_name: str | None = None


class _Row(msgspec.Struct, gc=False):
    id: str
    call_type: str
    status: str
    startTime: float | str
    response: _Response
    model_parameters: Raw
    messages: list[_Turn]
    litellm_call_id: str | None = None
    trace_id: str | None = None
    session_id: str | None = None
    stream: bool | None = None
    cache_hit: bool | None = None
    error_str: None = None
    custom_llm_provider: str | None = None
    api_base: str | None = None
    model: str | None = None
    model_group: str | None = None
    model_id: str | None = None
    end_user: str | None = None
    request_tags: Raw = _ABSENT
    metadata: _Metadata = msgspec.field(default_factory=_Metadata)
    hidden_params: _Hidden | None = None
    guardrail_information: None = None
    standard_logging_object: None = None
    proxy_server_request: None = None


_decode = msgspec.json.Decoder(_Row).decode


def read_light(line: bytes | memoryview, place: Place) -> Light | None:
    """The record of a common row; None where the row has to be read in full, for whatever reason."""
    try:
        row = _decode(without_prices(bytes(line)))
        request, asked = _parameters(bytes(row.model_parameters))
        if not _is_common(row, request):
            return None
        call = _call(row, request)
        states = _states(row.response, call)
        history = _history(row.messages)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    if states is None or history is None:
        return None
    fields = {
        **asked,
        **history,
        **states,
        **{name: value for name, value in known_of(call).items() if value is not None},
    }
    first = fields.pop("first")
    record = finished(place, fields, fingerprint=row.response.system_fingerprint, first=first)
    _note(record, call, row.response)
    return Light(record, _opening(bytes(row.response.choices[0].message.content)))


def _is_common(row: _Row, request: Request) -> bool:
    return (
        row.status == "success"
        and row.call_type in _CHAT
        and bool(row.id)
        and len(row.response.choices) == 1
        and (request.choices_requested or 1) == 1
        and request.previous_response_id is None
        and bytes(row.response.metadata) in _NOTHING
        and (row.litellm_call_id is not None or row.call_type == "anthropic_messages")
    )


@lru_cache(maxsize=256)
def _parameters(parameters: bytes) -> tuple[Request, dict[str, Any]]:
    """The request's parameters, and as fields of the record; the same ones come again and again."""
    given = msgspec.json.decode(parameters, type=dict[str, Any])
    request = read_request({**given, "messages": []}, whole_body=False)
    history = ("messages", "position", "last_role")
    asked = {
        name: value
        for name in request.__struct_fields__
        if name not in history and (value := getattr(request, name)) is not None
    }
    return request, asked


def _history(messages: list[_Turn]) -> dict[str, Any] | None:
    """Position, last role and first user message; None where a message is more than text."""
    assistants, first = 0, None
    for turn in messages:
        content = bytes(turn.content)
        if turn.type not in (None, "message") or content == _QUOTED_MARKER:
            return None
        if content[:1] == b"[" and any(name in content for name in _BLOCK_NAMES):
            return None
        assistants += turn.role == "assistant"
        if first is None and turn.role == "user":
            first = joined(msgspec.json.decode(content)) if content else ""
    last = messages[-1].role if messages else None
    return {"position": assistants + 1, "last_role": "tool" if last == "function" else last, "first": first or None}


def _call(row: _Row, request: Request) -> Call:
    metadata = row.metadata
    requester = {
        key: msgspec.json.decode(value)
        for key, value in (metadata.requester_metadata or {}).items()
        if key not in _LONG
    }
    session = requester.get("session_id")
    caller = (metadata.user_api_key_hash or "", row.end_user or "")
    return Call(
        format="litellm",
        source_id=row.id,
        call_id=row.litellm_call_id or None,
        trace_id=row.trace_id or None,
        session_id=session if isinstance(session, str) and session else row.session_id or None,
        call_type=row.call_type,
        route=metadata.user_api_key_request_route or "",
        cached=row.cache_hit is True,
        streamed=row.stream is True or request.stream is True,
        time=seconds(row.startTime),
        provider=row.custom_llm_provider or None,
        api_base=row.api_base or None,
        model_id=row.model_id or None,
        model_group=row.model_group or None,
        deployed=(row.hidden_params and row.hidden_params.litellm_model_name) or row.model or None,
        caller="|".join(caller) if any(caller) else None,
        request=request,
        metadata=_own(requester, metadata, bytes(row.request_tags)),
    )


def _own(requester: Mapping, metadata: _Metadata, tags: bytes) -> Mapping:
    spend, headers = bytes(metadata.spend_logs_metadata), bytes(metadata.requester_custom_headers)
    return own_metadata(
        requester,
        decoded(msgspec.json.decode(spend)) if spend else None,
        header_metadata(msgspec.json.decode(headers)) if len(headers) > 2 else None,
        _tags(tags) if tags else None,
    )


@lru_cache(maxsize=1024)
def _tags(tags: bytes) -> Mapping:
    return tag_metadata(msgspec.json.decode(tags))


def _states(response: _Response, call: Call) -> dict[str, Any] | None:
    """What was there of the answer; None where its texts are needed to say so."""
    choice = response.choices[0]
    answer = choice.message
    content, reasoning, calls = bytes(answer.content), bytes(answer.reasoning_content), bytes(answer.tool_calls)
    if not (_is_plain(content) and _is_plain(reasoning) and _has_plain_calls(calls)):
        return None
    if bytes(answer.reasoning) not in _NOTHING or bytes(answer.thinking) not in _NOTHING:
        return None
    if content.startswith(b'"<think>') if call.streamed else _may_be_moved(answer, choice.provider_specific_fields):
        return None
    thought, called = reasoning not in _EMPTY, len(calls) > 4
    state = "text" if content not in _EMPTY else _STATES[content]
    if not content and (thought or called):
        state = "null"
    return {
        "light": True,
        "choice": choice.index or 0,
        "finish_reason": choice.finish_reason or None,
        "stop_detail": _stop_detail(choice.provider_specific_fields),
        "content_state": state,
        "reasoning_state": "present" if thought else "empty",
        "reasoning_fields": {"reasoning_content": ""} if thought else {},
        "tool_calls_state": "present" if called else "empty",
        "api": "chat",
        "response_id": response.id or None,
        "usage": _usage(response.usage, call.streamed),
        "model_deployed": response.model or None,
    }


def _is_plain(text: bytes) -> bool:
    """A string (not a redaction marker), null or nothing."""
    return text[:1] in (b'"', b"n", b"") and text != _QUOTED_MARKER


def _has_plain_calls(calls: bytes) -> bool:
    return calls in (b"", b"null", b"[]") or (
        calls[:1] == b"[" and calls[1:].lstrip()[:1] == b"{" and _MARKER not in calls
    )


def _may_be_moved(answer: _Answer, own: _OwnFields | None) -> bool:
    """Whether the gateway may have moved the reasoning out of the content of a plain response."""
    if bytes(answer.reasoning_content) in _EMPTY or (own is not None and any(bytes(value) for value in _values(own))):
        return False
    copy = answer.provider_specific_fields
    return copy is None or not bytes(copy.reasoning)


def _values(own: _OwnFields) -> tuple[Raw, Raw, Raw]:
    return own.stop_reason, own.matched_stop, own.token_ids


def _stop_detail(own: _OwnFields | None) -> str | None:
    if own is None or all(bytes(value) in _NOTHING for value in _values(own)[:2]):
        return None
    given = {"stop_reason": own.stop_reason, "matched_stop": own.matched_stop}
    return stop_detail({key: msgspec.json.decode(value) for key, value in given.items() if bytes(value)})


def _usage(usage: _Usage | None, streamed: bool) -> Usage:
    if usage is None:
        return Usage()
    details = usage.completion_tokens_details or _Details()
    reasoning = details.reasoning_tokens if details.reasoning_tokens is not None else usage.reasoning_tokens
    estimated = streamed and is_estimated(reasoning, details.text_tokens)
    return Usage(usage.prompt_tokens, usage.completion_tokens, reasoning, estimated)


def _note(record: Record, call: Call, response: _Response) -> None:
    """The rewrites that need no text; finish reasons and reasoning as the full reading leaves them."""
    rewrites = rewrites_of_call(call, response.model or None)
    if reasoning_is_dropped(record, call):
        rewrites.append("reasoning_dropped")
        record.reasoning_state = "dropped_by_format"
    hide_reasoning(record)
    record.gateway_rewrites = frozenset(rewrites)


def _opening(content: bytes) -> bytes:
    """The raw bytes after the opening quote that cover the first OPENING characters: two a character, or twelve with `\\u` pairs."""
    if content[:1] != b'"':
        return b""
    short = content[1 : 2 * OPENING + 1]
    return short if short.isascii() and b"\\u" not in short else content[1 : 12 * OPENING + 1]

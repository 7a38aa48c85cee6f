"""The keys of a payload straight from the raw line: states, ids, models and counts, without decoding the answer's text.

Only the common row is read this way (one answered chat call with one choice); any other gives None and is read in full. What both
readings have in common agrees. Most of a record is the same for all rows of a deployment with the same parameters: it is made once
and shared.
"""

import msgspec

from pipelines.formats._dialects.blocks import joined
from pipelines.formats._dialects.openai_chat import stop_detail
from pipelines.formats.conversation import conversation_of
from pipelines.formats.format import OPENING, Light, Place
from pipelines.formats.litellm.made import OF_THE_ROW, json_of, key_of, made_for
from pipelines.formats.litellm.names import client_ids
from pipelines.formats.litellm.redaction import MARKER
from pipelines.formats.litellm.rewrites import is_estimated, moved
from pipelines.formats.litellm.row import ABSENT, Answered, Choice, OwnFields, Row, Tokens, Turn, read_row
from pipelines.formats.values import Mapping, filled, seconds
from pipelines.schema import ContentState, Record, Usage

_NOTHING = frozenset({b"", b"null"})
_EMPTY = frozenset({b"", b"null", b'""'})
_STATES: dict[bytes, ContentState] = {b"": "absent", b"null": "null", b'""': "empty"}
_MARKER = MARKER.encode()
_QUOTED_MARKER = b'"' + _MARKER + b'"'
_BREAK = (b'"\\n', b'"\\u000a', b'"\\u000A')
_CHAT = ("acompletion", "completion", "anthropic_messages")
_BLOCK_NAMES = (b"tool", b"thinking", b"reasoning")
"""What a list of blocks holds when it is more than text and pictures."""
_THOUGHT = {"reasoning_content": ""}
_NO_CALLS = frozenset({b"", b"null", b"[]"})
_NO_FIELDS = (ABSENT, ABSENT, ABSENT, ABSENT)
_PLAIN_STARTS = frozenset({b'"', b"n", b""})


def read_light(line: bytes | memoryview, place: Place) -> Light | None:
    """What a common row has of its own; None where the row has to be read in full, for whatever reason."""
    try:
        row = read_row(line)
        response = row.response
        if (
            len(response.choices) != 1
            or row.status != "success"
            or row.call_type not in _CHAT
            or not row.litellm_call_id
        ):
            return None
        made = made_for(key_of(row))
        if made is None:
            return None
        base, rewrites = made
        choice = response.choices[0]
        answer = choice.message
        content, reasoning, calls = bytes(answer.content), bytes(answer.reasoning_content), bytes(answer.tool_calls)
        if _needs_texts(answer, (content, reasoning, calls), base.stream):
            return None
        first, position, last_role, thinking, history = _history(row.messages)
        trace_id, time, caller, conversation, source = _identity(base, row, first)
        thought = reasoning not in _EMPTY
        if thought and not base.stream:
            found = _moved(choice, (content, reasoning, calls))
            rewrites = rewrites | {found} if found else rewrites
        called = calls not in _NO_CALLS
        state: ContentState = "text" if content not in _EMPTY else _STATES[content]
        own = choice.provider_specific_fields
        return Light(
            base,
            place.uri,
            place.position,
            row.id or response.id or f"{place.uri}#{place.position}",
            row.litellm_call_id,
            response.id or None,
            trace_id,
            time,
            caller,
            conversation,
            source,
            position,
            last_role,
            thinking,
            rewrites if thought else base.gateway_rewrites,
            "present" if thought else base.reasoning_state,
            _THOUGHT if thought else base.reasoning_fields,
            "present" if called else base.tool_calls_state,
            "null" if not content and (thought or called) else state,
            choice.index or 0,
            choice.finish_reason or None,
            None if own is None else _stop_detail(own),
            Usage() if response.usage is None else _usage(response.usage, base.stream is True),
            _opening(content),
            content,
            reasoning,
            history,
        )
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, _NotCommon):
        return None


class _NotCommon(Exception):
    """The row has something that only a full reading understands."""


def _identity(base: Record, row: Row, first: bytes | None) -> tuple[str | None, float, str | None, str | None, str]:
    """Trace, time, caller, conversation and how that was found."""
    own = row.metadata.requester_metadata
    declared = request_id = session = None
    if own and not own.keys().isdisjoint(OF_THE_ROW):
        declared, request_id, session = (filled(json_of(bytes(own[key]))) if key in own else None for key in OF_THE_ROW)
    trace_id, own_session, own_trace = client_ids(row.litellm_call_id, row.trace_id or None, (session, row.session_id))
    key, user = row.metadata.user_api_key_hash, row.end_user
    caller = f"{key or ''}|{user or ''}" if key or user else base.caller
    time = seconds(row.startTime)
    if time is None:
        raise _NotCommon
    declared = declared or base.conversation
    known = declared or own_session or own_trace
    conversation, source = conversation_of(
        declared=declared,
        session=own_session,
        trace=own_trace,
        caller=caller,
        first=None if known or first is None else joined(json_of(first)),
        time=time,
    )
    return request_id or base.trace_id or trace_id, time, caller, conversation, source


def _history(messages: list[Turn]) -> tuple[bytes | None, int, str | None, bool, bytes]:
    """The raw content of the first user message, position, last role, whether earlier reasoning was sent back, and the raw contents of
    the assistant's messages."""
    answers, first, thinking, role = [], None, False, None
    for turn in messages:
        role, kind, content = turn.role, turn.type, bytes(turn.content)
        if (kind is not None and kind != "message") or content == _QUOTED_MARKER:
            raise _NotCommon
        if content[:1] == b"[" and any(name in content for name in _BLOCK_NAMES):
            raise _NotCommon
        if role == "assistant":
            answers.append(content)
            thinking = thinking or _is_thinking(turn)
        elif first is None and role == "user":
            first = content
    return first, len(answers) + 1, "tool" if role == "function" else role, thinking, b"".join(answers)


def _is_thinking(turn: Turn) -> bool:
    fields = (turn.reasoning_content, turn.reasoning, turn.thinking, turn.thinking_blocks)
    return fields != _NO_FIELDS and any(bytes(field) not in _EMPTY for field in fields)


def _needs_texts(answer: Answered, texts: tuple[bytes, bytes, bytes], streamed: bool | None) -> bool:
    """Whether only the texts tell what the answer is: another type, a redaction marker, a pair that the gateway may have written."""
    content, reasoning, calls = texts
    if not (_is_plain(content) and _is_plain(reasoning) and (calls in _NO_CALLS or _has_plain_calls(calls))):
        return True
    if answer.reasoning is not ABSENT and bytes(answer.reasoning) not in _NOTHING:
        return True
    if answer.thinking is not ABSENT and bytes(answer.thinking) not in _NOTHING:
        return True
    return streamed is True and content.startswith(b'"<think>')


def _is_plain(text: bytes) -> bool:
    """A string (not a redaction marker), null or nothing."""
    return text[:1] in _PLAIN_STARTS and text != _QUOTED_MARKER


def _has_plain_calls(calls: bytes) -> bool:
    return calls[:1] == b"[" and calls[1:].lstrip()[:1] == b"{" and _MARKER not in calls


def _moved(choice: Choice, texts: tuple[bytes, bytes, bytes]) -> str | None:
    copied, own = choice.message.provider_specific_fields, choice.provider_specific_fields
    if copied is not None and bytes(copied.reasoning):
        return None
    content, reasoning, _ = texts
    fields = () if own is None else [name for name in own.__struct_fields__ if bytes(getattr(own, name))]
    broken = reasoning.startswith(_BREAK) or content.startswith(_BREAK) or _ends_with_break(reasoning)
    return moved(broken=broken, copied=False, own=fields)


def _ends_with_break(text: bytes) -> bool:
    """Whether the JSON string ends in an escaped line break (an escaped backslash before an n is none)."""
    before = text[:-2]
    return text[-2:] == b'n"' and (len(before) - len(before.rstrip(b"\\"))) % 2 == 1


def _stop_detail(own: OwnFields) -> str | None:
    if own.stop_reason is ABSENT and own.matched_stop is ABSENT:
        return None
    given: Mapping = {}
    for name, value in (("stop_reason", own.stop_reason), ("matched_stop", own.matched_stop)):
        if bytes(value) not in _NOTHING:
            given[name] = msgspec.json.decode(value)
    return stop_detail(given) if given else None


def _usage(usage: Tokens, streamed: bool) -> Usage:
    details = usage.completion_tokens_details
    if details is None:
        return Usage(usage.prompt_tokens, usage.completion_tokens, usage.reasoning_tokens, False)
    reasoning = usage.reasoning_tokens if details.reasoning_tokens is None else details.reasoning_tokens
    estimated = streamed and is_estimated(reasoning, details.text_tokens)
    return Usage(usage.prompt_tokens, usage.completion_tokens, reasoning, estimated)


def _opening(content: bytes) -> bytes:
    """The raw bytes after the opening quote that cover the first OPENING characters, with their escapes; twelve bytes with `\\u` pairs."""
    if content[:1] != b'"':
        return b""
    short = content[1 : 2 * OPENING + 1]
    if short.isascii() and b"\\u" not in short:
        return short[: OPENING + short.count(b"\\")]
    return content[1 : 12 * OPENING + 1]

"""The keys of a payload straight from the raw line: states, ids, models and counts, without decoding the answer's text.

Only the common row is read this way (one answered chat call with one choice); any other gives None and is read in full. What both
readings have in common agrees. Most of a record is the same for all rows of a deployment with the same parameters: it is made once
and copied.
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
from pipelines.formats.litellm.row import Choice, OwnFields, Row, Tokens, Turn, read_row
from pipelines.formats.values import Mapping, filled, seconds
from pipelines.schema import ContentState, Record, Usage

_NOTHING = (b"", b"null")
_EMPTY = (b"", b"null", b'""')
_STATES: dict[bytes, ContentState] = {b"": "absent", b"null": "null", b'""': "empty"}
_MARKER = MARKER.encode()
_QUOTED_MARKER = b'"' + _MARKER + b'"'
_BREAK = (b'"\\n', b'"\\u000a', b'"\\u000A')
_CHAT = ("acompletion", "completion", "anthropic_messages")
_BLOCK_NAMES = (b"tool", b"thinking", b"reasoning")
"""What a list of blocks holds when it is more than text and pictures."""
_THOUGHT = {"reasoning_content": ""}


def read_light(line: bytes | memoryview, place: Place) -> Light | None:
    """The record of a common row; None where the row has to be read in full, for whatever reason."""
    try:
        row = read_row(line)
        if (
            len(row.response.choices) != 1
            or row.status != "success"
            or row.call_type not in _CHAT
            or not row.litellm_call_id
        ):
            return None
        made = made_for(key_of(row))
        choice = row.response.choices[0]
        answer = choice.message
        texts = bytes(answer.content), bytes(answer.reasoning_content), bytes(answer.tool_calls)
        if made is None or _needs_texts(choice, texts, bool(made[0].stream)):
            return None
        record: Record = made[0].__copy__()  # type: ignore[attr-defined]
        first, history = _read_history(record, row.messages)
        _identify(record, row, place, first)
        _read_states(record, choice, texts, made[1])
        record.usage = _usage(row.response.usage, bool(record.stream))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, _NotCommon):
        return None
    return Light(record, _opening(texts[0]), texts[0], texts[1], history, made[0])


class _NotCommon(Exception):
    """The row has something that only a full reading understands."""


def _identify(record: Record, row: Row, place: Place, first: bytes | None) -> None:
    """Ids, time, caller and conversation of the row."""
    own = row.metadata.requester_metadata
    conversation = request_id = session = None
    if own and not own.keys().isdisjoint(OF_THE_ROW):
        conversation, request_id, session = (
            filled(json_of(bytes(own[key]))) if key in own else None for key in OF_THE_ROW
        )
    trace_id, own_session, own_trace = client_ids(row.litellm_call_id, row.trace_id or None, (session, row.session_id))
    caller = (row.metadata.user_api_key_hash or "", row.end_user or "")
    record.source_uri, record.source_pos = place.uri, place.position
    record.source_id, record.call_id = row.id or row.response.id or f"{place.uri}#{place.position}", row.litellm_call_id
    record.response_id = row.response.id or None
    record.trace_id = request_id or record.trace_id or trace_id
    record.time = time = seconds(row.startTime)
    if time is None:
        raise _NotCommon
    if any(caller):
        record.caller = "|".join(caller)
    declared = conversation or record.conversation
    known = declared or own_session or own_trace
    record.conversation, record.conversation_source = conversation_of(
        declared=declared,
        session=own_session,
        trace=own_trace,
        caller=record.caller,
        first=None if known or first is None else joined(json_of(first)),
        time=time,
    )


def _read_history(record: Record, messages: list[Turn]) -> tuple[bytes | None, bytes]:
    """Sets position and last role; the raw content of the first user message, and those of the assistant's."""
    answers, first = [], None
    for turn in messages:
        content = bytes(turn.content)
        if turn.type not in (None, "message") or content == _QUOTED_MARKER:
            raise _NotCommon
        if content[:1] == b"[" and any(name in content for name in _BLOCK_NAMES):
            raise _NotCommon
        if turn.role == "assistant":
            answers.append(content)
            record.history_reasoning |= _is_thinking(turn)
        elif first is None and turn.role == "user":
            first = content
    last = messages[-1].role if messages else None
    record.position, record.last_role = len(answers) + 1, "tool" if last == "function" else last
    return first, b"".join(answers)


def _is_thinking(turn: Turn) -> bool:
    fields = (turn.reasoning_content, turn.reasoning, turn.thinking, turn.thinking_blocks)
    return any(bytes(field) not in _EMPTY for field in fields)


def _needs_texts(choice: Choice, texts: tuple[bytes, bytes, bytes], streamed: bool) -> bool:
    """Whether only the texts tell what the answer is: another type, a redaction marker, a pair that the gateway may have written."""
    answer = choice.message
    content, reasoning, calls = texts
    if not (_is_plain(content) and _is_plain(reasoning) and _has_plain_calls(calls)):
        return True
    if bytes(answer.reasoning) not in _NOTHING or bytes(answer.thinking) not in _NOTHING:
        return True
    return streamed and content.startswith(b'"<think>')


def _is_plain(text: bytes) -> bool:
    """A string (not a redaction marker), null or nothing."""
    return text[:1] in (b'"', b"n", b"") and text != _QUOTED_MARKER


def _has_plain_calls(calls: bytes) -> bool:
    return calls in (b"", b"null", b"[]") or (
        calls[:1] == b"[" and calls[1:].lstrip()[:1] == b"{" and _MARKER not in calls
    )


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


def _read_states(record: Record, choice: Choice, texts: tuple[bytes, bytes, bytes], rewrites: frozenset[str]) -> None:
    """What was there of the answer. The record comes as that of an answer without reasoning."""
    content, reasoning, calls = texts
    if reasoning not in _EMPTY:
        found = None if record.stream else _moved(choice, texts)
        record.gateway_rewrites = rewrites | {found} if found else rewrites
        record.reasoning_state, record.reasoning_fields = "present", _THOUGHT
    if calls not in (b"", b"null", b"[]"):
        record.tool_calls_state = "present"
    record.content_state = "text" if content not in _EMPTY else _STATES[content]
    if not content and (record.reasoning_fields or record.tool_calls_state == "present"):
        record.content_state = "null"
    record.choice = choice.index or 0
    record.finish_reason = choice.finish_reason or None
    record.stop_detail = _stop_detail(choice.provider_specific_fields)


def _stop_detail(own: OwnFields | None) -> str | None:
    if own is None:
        return None
    given: Mapping = {}
    for name, value in (("stop_reason", own.stop_reason), ("matched_stop", own.matched_stop)):
        if bytes(value) not in _NOTHING:
            given[name] = msgspec.json.decode(value)
    return stop_detail(given) if given else None


def _usage(usage: Tokens | None, streamed: bool) -> Usage:
    if usage is None:
        return Usage()
    details = usage.completion_tokens_details
    reasoning = details.reasoning_tokens if details is not None else None
    reasoning = usage.reasoning_tokens if reasoning is None else reasoning
    estimated = streamed and details is not None and is_estimated(reasoning, details.text_tokens)
    return Usage(usage.prompt_tokens, usage.completion_tokens, reasoning, estimated)


def _opening(content: bytes) -> bytes:
    """The raw bytes after the opening quote that cover the first OPENING characters: each with its escape, twelve bytes with `\\u` pairs."""
    if content[:1] != b'"':
        return b""
    short = content[1 : 2 * OPENING + 1]
    if short.isascii() and b"\\u" not in short:
        return short[: OPENING + short.count(b"\\")]
    return content[1 : 12 * OPENING + 1]

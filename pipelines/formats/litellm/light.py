"""The keys of a payload straight from the raw line: states, ids, models and counts, without decoding the answer's text.

Only the common row is read this way (one answered chat call with one choice); any other gives None and is read in full. What both
readings have in common agrees. Most of a record is the same for all rows of a deployment with the same parameters: it is made once
and shared.
"""

from collections.abc import Callable
from copy import copy

import msgspec

from pipelines.formats._dialects.blocks import joined
from pipelines.formats.conversation import conversation_of
from pipelines.formats.format import Light, ReadLight
from pipelines.formats.litellm.full import read_full
from pipelines.formats.litellm.made import json_of, key_of, made_for, rewrites_with_reasoning
from pipelines.formats.litellm.names import client_ids
from pipelines.formats.litellm.redaction import MARKER
from pipelines.formats.litellm.requester import Requester, requester
from pipelines.formats.litellm.row import ABSENT, NotCommon, Row, Turn, read_row
from pipelines.formats.litellm.shared_ends import SharedEnds
from pipelines.formats.litellm.states import EMPTY, states_of, stop_detail_of, texts_of, usage_of
from pipelines.formats.values import seconds
from pipelines.schema import Record

_QUOTED_MARKER = b'"' + MARKER.encode() + b'"'
_CHAT = frozenset({"acompletion", "completion", "anthropic_messages"})
_BLOCK_NAMES = (b"tool", b"thinking", b"reasoning")
"""What a list of blocks holds when it is more than text and pictures."""


def light_reader(uri: str) -> ReadLight:
    """What reads the common rows of one file; None where the row has to be read in full, for whatever reason."""
    ends = SharedEnds()

    def make(light: Light) -> Record:
        return _record(light, uri)

    def fill(light: Light, line: bytes) -> Record | None:
        return read_full(ends.cut(line), light)

    def read(line: bytes, position: int) -> Light | None:
        try:
            return _light(read_row(ends.cut(line)), position, make, fill)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, NotCommon):
            return None

    return read


def _light(
    row: Row, position: int, make: Callable[[Light], Record], fill: Callable[[Light, bytes], Record | None]
) -> Light | None:
    response = row.response
    if len(response.choices) != 1 or row.status != "success" or row.call_type not in _CHAT or not row.litellm_call_id:
        return None
    client = requester(bytes(row.metadata.requester_metadata))
    base = made_for(key_of(row, client.shared))
    if base is None:
        return None
    choice = response.choices[0]
    texts = texts_of(choice.message, base.stream)
    first, turns, last_role, thinking, history = _history(row.messages)
    time = _time(row)
    request, conversation, source = _identity(base, row, client, time=time, first=first)
    usage = usage_of(response.usage, base.stream is True)
    own = choice.provider_specific_fields
    shape = (
        *states_of(choice, texts, base.stream, cached=row.cache_hit is True),
        choice.finish_reason or None,
        None if own is None else stop_detail_of(own),
        last_role,
        thinking,
        source,
        turns > 1,
        usage.reasoning is not None and usage.reasoning > 0,
    )
    return Light(
        base,
        shape,
        position,
        row.litellm_call_id,
        choice.index or 0,
        request or row.litellm_call_id,
        conversation,
        source,
        time,
        turns,
        usage,
        texts[0],
        texts[1],
        history,
        row,
        make,
        fill,
    )


def _record(light: Light, uri: str) -> Record:
    """A copy of the base with what the row has of its own."""
    row, record = light.item, copy(light.base)
    assert isinstance(row, Row)
    content_state, thought, called, moved_how, finish_reason, stop, last_role, thinking, *_ = light.shape
    client = requester(bytes(row.metadata.requester_metadata))
    if thought:
        record.reasoning_state, record.reasoning_fields = "present", {"reasoning_content": ""}
        record.gateway_rewrites = rewrites_with_reasoning(record, moved_how)  # type: ignore[arg-type]
    if called:
        record.tool_calls_state = "present"
    known = {
        "source_uri": uri,
        "source_pos": light.source_pos,
        "source_id": row.id or row.response.id or f"{uri}#{light.source_pos}",
        "call_id": light.call_id,
        "response_id": row.response.id or None,
        "trace_id": _identity(light.base, row, client, time=light.time, first=None)[0],
        "time": light.time,
        "caller": _caller(light.base, row),
        "conversation": light.conversation,
        "conversation_source": light.conversation_source,
        "position": light.position,
        "last_role": last_role,
        "history_reasoning": thinking,
        "content_state": content_state,
        "choice": light.choice,
        "finish_reason": finish_reason,
        "stop_detail": stop,
        "usage": light.usage,
    }
    for name, value in known.items():
        setattr(record, name, value)
    return record


def _time(row: Row) -> float:
    time = seconds(row.startTime)
    if time is None:
        raise NotCommon
    return time


def _caller(base: Record, row: Row) -> str | None:
    key, user = row.metadata.user_api_key_hash, row.end_user
    return f"{key or ''}|{user or ''}" if key or user else base.caller


def _identity(
    base: Record, row: Row, client: Requester, *, time: float, first: bytes | None
) -> tuple[str | None, str | None, str]:
    """Trace, conversation and how that was found."""
    trace_id, session, trace = _client_ids(row, client)
    request = client.request_id or base.trace_id or trace_id
    declared = client.conversation or base.conversation
    if declared:
        return request, declared, "declared"
    if session:
        return request, session, "session"
    if trace:
        return request, trace, "trace"
    text = None if first is None else joined(json_of(first))
    return request, *conversation_of(caller=_caller(base, row), first=text, time=time)


def _client_ids(row: Row, client: Requester) -> tuple[str | None, str | None, str | None]:
    if client.made:
        return client_ids(row.trace_id or None, (), ())
    sent = (client.raw, bytes(row.metadata.requester_custom_headers))
    return client_ids(row.trace_id or None, (client.session, row.session_id), sent)


def _history(messages: list[Turn]) -> tuple[bytes | None, int, str | None, bool, bytes]:
    """The raw content of the first user message, position, last role, whether earlier reasoning was sent back, and the raw contents of
    the assistant's messages."""
    answers, first, thinking, role = [], None, False, None
    for turn in messages:
        role, content = turn.role, bytes(turn.content)
        if content == _QUOTED_MARKER or (content[:1] == b"[" and any(name in content for name in _BLOCK_NAMES)):
            raise NotCommon
        if role == "assistant":
            answers.append(content)
            thinking = thinking or _is_thinking(turn)
        elif first is None and role == "user":
            first = content
    return first, len(answers) + 1, "tool" if role == "function" else role, thinking, b"".join(answers)


def _is_thinking(turn: Turn) -> bool:
    if turn.reasoning_content is turn.reasoning is turn.thinking is turn.thinking_blocks is ABSENT:
        return False
    fields = (turn.reasoning_content, turn.reasoning, turn.thinking, turn.thinking_blocks)
    return any(bytes(field) not in EMPTY for field in fields)

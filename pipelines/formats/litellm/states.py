"""What the raw strings of an answer tell without being decoded: its states, whether the gateway moved its reasoning, its tokens."""

import msgspec

from pipelines.formats._dialects.openai_chat import stop_detail
from pipelines.formats.litellm.redaction import MARKER
from pipelines.formats.litellm.rewrites import is_estimated, moved
from pipelines.formats.litellm.row import ABSENT, Answered, Choice, NotCommon, OwnFields, Tokens
from pipelines.formats.values import Mapping
from pipelines.schema import ContentState, Usage

EMPTY = (b"", b"null", b'""')
_NOTHING = (b"", b"null")
_STATES: dict[bytes, ContentState] = {b"": "absent", b"null": "null", b'""': "empty"}
_MARKER = MARKER.encode()
_QUOTED_MARKER = b'"' + _MARKER + b'"'
_BREAK = (b'"\\n', b'"\\u000a', b'"\\u000A')
_NO_CALLS = (b"", b"null", b"[]")
_PLAIN_STARTS = frozenset({b'"', b"n", b""})


def texts_of(answer: Answered, streamed: bool | None) -> tuple[bytes, bytes, bytes]:
    """The raw content, reasoning and calls. Raises NotCommon where only the texts tell what the answer is: another type, a redaction
    marker, a pair that the gateway may have written."""
    content, reasoning, calls = bytes(answer.content), bytes(answer.reasoning_content), bytes(answer.tool_calls)
    plain = _is_plain(content) and _is_plain(reasoning) and (calls in _NO_CALLS or _has_plain_calls(calls))
    if not plain or (streamed is True and content.startswith(b'"<think>')):
        raise NotCommon
    for other in (answer.reasoning, answer.thinking):
        if other is not ABSENT and bytes(other) not in _NOTHING:
            raise NotCommon
    return content, reasoning, calls


def states_of(
    choice: Choice, texts: tuple[bytes, bytes, bytes], streamed: bool | None, *, cached: bool
) -> tuple[ContentState, bool, bool, str | None]:
    """State of the content, whether there is reasoning and whether there are calls, and whether the gateway may have moved the
    reasoning."""
    content, reasoning, calls = texts
    thought, called = reasoning not in EMPTY, calls not in _NO_CALLS
    found = _moved(choice, texts, cached=cached) if thought and not streamed else None
    if content not in EMPTY:
        return "text", thought, called, found
    return "null" if not content and (thought or called) else _STATES[content], thought, called, found


def _is_plain(text: bytes) -> bool:
    """A string (not a redaction marker), null or nothing."""
    return text[:1] in _PLAIN_STARTS and text != _QUOTED_MARKER


def _has_plain_calls(calls: bytes) -> bool:
    return calls[:1] == b"[" and calls[1:].lstrip()[:1] == b"{" and _MARKER not in calls


def _moved(choice: Choice, texts: tuple[bytes, bytes, bytes], *, cached: bool) -> str | None:
    copied, own = choice.message.provider_specific_fields, choice.provider_specific_fields
    if copied is not None and bytes(copied.reasoning) not in (_NOTHING if cached else (b"",)):
        return None
    content, reasoning, _ = texts
    fields = () if own is None else [name for name in own.__struct_fields__ if bytes(getattr(own, name))]
    broken = reasoning.startswith(_BREAK) or content.startswith(_BREAK) or _ends_with_break(reasoning)
    return moved(broken=broken, copied=False, own=fields)


def _ends_with_break(text: bytes) -> bool:
    """Whether the JSON string ends in an escaped line break (an escaped backslash before an n is none)."""
    before = text[:-2]
    return text[-2:] == b'n"' and (len(before) - len(before.rstrip(b"\\"))) % 2 == 1


def stop_detail_of(own: OwnFields) -> str | None:
    if own.stop_reason is ABSENT and own.matched_stop is ABSENT:
        return None
    given: Mapping = {}
    for name, value in (("stop_reason", own.stop_reason), ("matched_stop", own.matched_stop)):
        if bytes(value) not in _NOTHING:
            given[name] = msgspec.json.decode(value)
    return stop_detail(given) if given else None


def usage_of(usage: Tokens | None, streamed: bool) -> Usage:
    if usage is None:
        return Usage()
    details = usage.completion_tokens_details
    if details is None:
        return Usage(usage.prompt_tokens, usage.completion_tokens, usage.reasoning_tokens, False)
    reasoning = usage.reasoning_tokens if details.reasoning_tokens is None else details.reasoning_tokens
    estimated = streamed and is_estimated(reasoning, details.text_tokens)
    return Usage(usage.prompt_tokens, usage.completion_tokens, reasoning, estimated)

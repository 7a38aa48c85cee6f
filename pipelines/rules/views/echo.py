"""Whether a passage of the answer repeats what the request already holds: a log, a file, a tool result, a message."""

from pipelines.schema import Record

_SQUEEZED = dict.fromkeys([ord("\\"), *(sign for sign in range(128) if chr(sign).isspace())])
_REACH = 14
_LOOK = 32
_LEAST = 8
"""Characters around a marker that have to be the same, without spaces, for a marker to be an echo."""


def squeeze(text: str) -> str:
    """`text` without white space, backslashes and their line breaks, so that quoted and escaped copies compare equal."""
    text = text.replace("\\n", "").replace("\\t", "")
    return text.translate(_SQUEEZED) if text.isascii() else "".join(text.replace("\\", "").split())


def may_be_echo(request: str, passage: str) -> bool:
    """Whether the signs with which the passage begins stand in the request: a quick look before all of it is squeezed."""
    signs = passage[:_LOOK]
    return "\\" in signs or all(sign in request for sign in set(signs) if not sign.isspace())


def is_echo(squeezed: str, content: str, start: int, end: int) -> bool:
    """Whether the passage with the text right before it, or right behind it, stands in the texts of the request, `squeezed`."""
    if not squeezed:
        return False
    passage = squeeze(content[start:end])
    if passage not in squeezed:
        return False
    if len(passage) >= 3 * _REACH:
        return True
    before, after = squeeze(content[max(0, start - _REACH) : start]), squeeze(content[end : end + _REACH])
    joined = before + passage + after
    if len(before) >= _LEAST and before + passage in squeezed:
        return True
    if len(after) >= _LEAST and passage + after in squeezed:
        return True
    return len(joined) >= len(passage) + _LEAST and joined in squeezed


def speaks_of(record: Record, markers: tuple[str, ...]) -> bool:
    """Whether a user or tool message holds one of `markers`."""
    return any(
        marker in message.content
        for message in record.messages or ()
        if message.role in ("user", "tool")
        for marker in markers
    )

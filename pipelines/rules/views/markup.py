"""Whether a tag is an element of a markup or configuration answer: it stands between other elements or behind a key."""

import re2

_KEY = re2.compile(r"^[\s-]*[\w.\"'-]{1,60}\s?[:=]\s*[\"']?$")
_ELEMENT = re2.compile(r"^\s*</?(?P<name>[A-Za-z][\w.:-]*)(?:\s[^<>]*)?/?>")
_REACH = 400


def is_element(text: str, start: int, end: int) -> bool:
    """Whether the lines before and behind the tag's own line begin with elements of other names, or a key stands before it."""
    before, after = text[max(0, start - _REACH) : start], text[end : end + _REACH]
    own = before.rpartition("\n")[2]
    if (":" in own or "=" in own) and _KEY.match(own) and own.strip():
        return True
    if own.strip() or text[:200].lstrip()[:1] != "<":
        return False
    name = text[start:end].strip("</> \n").lower()
    return _is_other(_last_line(before), name) and _is_other(_first_line(after), name)


def _last_line(before: str) -> str:
    lines = [line for line in before.rpartition("\n")[0].split("\n") if line.strip()]
    return lines[-1] if lines else ""


def _first_line(after: str) -> str:
    lines = [line for line in after.partition("\n")[2].split("\n") if line.strip()]
    return lines[0] if lines else ""


def _is_other(line: str, name: str) -> bool:
    match = _ELEMENT.match(line)
    return match is not None and match.group("name").lower() != name

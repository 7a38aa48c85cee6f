"""Whether a tag is an element of a markup or configuration answer: it stands between other elements, behind a key or behind an arrow of a
diagram, or the text defines or imports a component of its name."""

import re2

_KEY = re2.compile(r"^[\s-]*[\w.\"'-]{1,60}\s?[:=]\s*[\"']?$")
_ARROW = re2.compile(r"^\s*[\w\"' ]{1,40}-{1,2}>{1,2}[+-]?[\w\"' ]{1,40}: ?$")
"""A message in a sequence diagram of PlantUML or Mermaid."""
_COMPONENT = re2.compile(r"\b(?:function|const|class|let|import) +(?:\{[\w, ]{0,80}?\b)?(Think|Thinking|Thought)\b")
_ELEMENT = re2.compile(r"^\s*</?(?P<name>[A-Za-z][\w.:-]*)(?:\s[^<>]*)?/?>")
_REACH = 400


def is_element(text: str, start: int, end: int) -> bool:
    """Whether the lines before and behind the tag's own line begin with elements of other names, or a key stands before it."""
    before, after = text[max(0, start - _REACH) : start], text[end : end + _REACH]
    own = before.rpartition("\n")[2]
    if (":" in own or "=" in own) and own.strip() and (_KEY.match(own) or _ARROW.match(own)):
        return True
    if text[start:end].strip("</>") in ("Think", "Thinking", "Thought") and _defines(
        text, text[start:end].strip("</>")
    ):
        return True
    if own.strip() or text[:200].lstrip()[:1] != "<":
        return False
    name = text[start:end].strip("</> \n").lower()
    return _is_other(_last_line(before), name) and _is_other(_first_line(after), name)


def _defines(text: str, name: str) -> bool:
    """Whether a component of that very name is defined or imported (JSX)."""
    return any(match.group(1) == name for match in _COMPONENT.finditer(text))


def _last_line(before: str) -> str:
    lines = [line for line in before.rpartition("\n")[0].split("\n") if line.strip()]
    return lines[-1] if lines else ""


def _first_line(after: str) -> str:
    lines = [line for line in after.partition("\n")[2].split("\n") if line.strip()]
    return lines[0] if lines else ""


def _is_other(line: str, name: str) -> bool:
    match = _ELEMENT.match(line)
    return match is not None and match.group("name").lower() != name

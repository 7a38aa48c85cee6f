"""Code spans, fenced code and <code>/<pre> elements of a Markdown text, and code of other notations, as intervals.

A fence that is never closed runs to the end of the text, a run of backticks without partner in its paragraph is no code
(CommonMark 0.31, sections 4.5 and 6.1, read 2026-11-30).
"""

from collections.abc import Iterator

import re2

from pipelines.rules.views.documents import document_code
from pipelines.rules.views.intervals import Intervals, merge
from pipelines.rules.views.unfenced import unfenced_code

_FENCE = re2.compile(r"^(?:[-*+] |\d{1,3}[.)] )[ \t]*(`{3,}|~{3,})([^\n`]*)$")
"""A fence behind the sign or the number of a list item."""
_ITEM_SIGNS = frozenset("-*+0123456789")
_ELEMENT = re2.compile(r"(?i)<(/?)(code|pre|kbd|samp)(?:\s[^<>]{0,200})?>")
_SIGNS = ("`", "~~~", "<", '"""', "'''", "\n    ", "\n\t", "::", "\\", "----", "....")
_CLOSINGS = ("</code", "</pre", "</kbd", "</samp")


def code_spans(text: str) -> Intervals:
    """Intervals of all code in `text`, the backticks or tags around it included."""
    if not any(sign in text for sign in _SIGNS):
        return ()
    fences = _fences(text)
    return merge([*fences, *_inline(text, merge(fences)), *_elements(text), *unfenced_code(text), *document_code(text)])


def _fences(text: str) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    opened: tuple[int, str] | None = None
    for start, end, run, info in _fence_lines(text):
        if opened is None:
            opened = (start, run)
        elif run[0] == opened[1][0] and len(run) >= len(opened[1]) and not info.strip():
            spans.append((opened[0], end))
            opened = None
    if opened is not None:
        spans.append((opened[0], len(text)))
    return spans


def _fence_lines(text: str) -> Iterator[tuple[int, int, str, str]]:
    """Start and end of each line that may open or close a fence, its run of signs and what follows that."""
    ticks, tildes = text.find("```"), text.find("~~~")
    while ticks >= 0 or tildes >= 0:
        place = min(ticks, tildes) if ticks >= 0 and tildes >= 0 else max(ticks, tildes)
        start, end = text.rfind("\n", 0, place) + 1, text.find("\n", place)
        end = len(text) if end < 0 else end
        line = text[start:end].lstrip(" \t>")
        if line[:3] in ("```", "~~~"):
            info = line.lstrip(line[0])
            if "`" not in info:
                yield start, end, line[: len(line) - len(info)], info
        elif line[:1] in _ITEM_SIGNS and (match := _FENCE.match(line)):
            yield start, end, match.group(1), match.group(2)
        ticks = text.find("```", end) if 0 <= ticks < end else ticks
        tildes = text.find("~~~", end) if 0 <= tildes < end else tildes


def _inline(text: str, fences: Intervals) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    waiting: dict[int, int] = {}
    fence = end = 0
    while (start := text.find("`", end)) >= 0:
        if waiting and _holds_blank_line(text[end:start]):
            waiting.clear()
        end = start + 1
        while text[end : end + 1] == "`":
            end += 1
        while fence < len(fences) and fences[fence][1] <= start:
            fence += 1
        if fence < len(fences) and fences[fence][0] <= start:
            waiting.clear()
            continue
        opener = waiting.pop(end - start, None)
        if opener is None:
            waiting[end - start] = start
        else:
            spans.append((opener, end))
            waiting = {length: at for length, at in waiting.items() if at < opener}
    return spans


def _holds_blank_line(text: str) -> bool:
    return any(not line.strip(" \t") for line in text.split("\n")[1:-1])


def _elements(text: str) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    if "</" not in text or not any(closing in text.casefold() for closing in _CLOSINGS):
        return spans
    opened: dict[str, int] = {}
    for match in _ELEMENT.finditer(text):
        name = match.group(2).lower()
        if not match.group(1):
            opened.setdefault(name, match.start())
        elif name in opened:
            spans.append((opened.pop(name), match.end()))
    return spans

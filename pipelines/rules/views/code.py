"""Code spans, fenced code and <code>/<pre> elements of a Markdown text, as intervals.

A fence that is never closed runs to the end of the text, a run of backticks without partner in its paragraph is no code
(CommonMark 0.31, sections 4.5 and 6.1, read 2026-11-30).
"""

import re2

from pipelines.rules.views.intervals import Intervals, merge
from pipelines.rules.views.unfenced import unfenced_code

_FENCE = re2.compile(r"(?m)^[ \t>]*(?:[-*+] |\d{1,3}[.)] )?[ \t]*(`{3,}|~{3,})([^\n`]*)$")
_TICKS = re2.compile(r"`+|\n[ \t]*\n")
_ELEMENT = re2.compile(r"(?i)<(/?)(code|pre|kbd|samp)(?:\s[^<>]{0,200})?>")


def code_spans(text: str) -> Intervals:
    """Intervals of all code in `text`, the backticks or tags around it included."""
    if not any(sign in text for sign in ("`", "~~~", "<", '"""', "'''")):
        return ()
    fences = _fences(text)
    return merge([*fences, *_inline(text, merge(fences)), *_elements(text), *unfenced_code(text)])


def _fences(text: str) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    opened: tuple[int, str] | None = None
    for match in _FENCE.finditer(text):
        run, info = match.group(1), match.group(2)
        if opened is None:
            opened = (match.start(), run)
        elif run[0] == opened[1][0] and len(run) >= len(opened[1]) and not info.strip():
            spans.append((opened[0], match.end()))
            opened = None
    if opened is not None:
        spans.append((opened[0], len(text)))
    return spans


def _inline(text: str, fences: Intervals) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    waiting: dict[int, int] = {}
    fence = 0
    for match in _TICKS.finditer(text):
        start, end = match.span()
        while fence < len(fences) and fences[fence][1] <= start:
            fence += 1
        if text[start] == "\n" or (fence < len(fences) and fences[fence][0] <= start):
            waiting.clear()
            continue
        opener = waiting.pop(end - start, None)
        if opener is None:
            waiting[end - start] = start
        else:
            spans.append((opener, end))
            waiting = {length: at for length, at in waiting.items() if at < opener}
    return spans


def _elements(text: str) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    opened: dict[str, int] = {}
    for match in _ELEMENT.finditer(text):
        name = match.group(2).lower()
        if not match.group(1):
            opened.setdefault(name, match.start())
        elif name in opened:
            spans.append((opened.pop(name), match.end()))
    return spans

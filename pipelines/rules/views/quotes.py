"""Passages of a text that stand in quotation marks or in a block quote, as intervals.

A quotation ends on the line where it begins. An ASCII quotation mark opens only after a space, a bracket or the start of a line
and closes only before a space, a punctuation mark or the end of the line, so that apostrophes and inches open nothing.
"""

import ahocorasick_rs
import re2

from pipelines.rules.views.intervals import Intervals, covers, merge

_BLOCK = re2.compile(r"(?m)^[ \t]{0,3}>(?:[ \t].*)?$")
_MARK = ahocorasick_rs.AhoCorasick(("\n", *"\"'“”„«»‹›「」『』《》‘’‚"))
_CLOSERS = {
    "“": "”",
    "„": "“”",
    "«": "»",
    "‹": "›",
    "「": "」",
    "『": "』",
    "《": "》",
    "‘": "’",
    "‚": "‘’",
    '"': '"',
    "'": "'",
}
_BEFORE = frozenset(" \t\n([{:=,/–—-|*_、。：，（")
_AFTER = frozenset(" \t\n)]}.,;:!?/–—-|*_、。：，）")


def quoted_spans(text: str) -> Intervals:
    """Intervals of all quoted passages, the quotation marks included."""
    spans = [match.span() for match in _BLOCK.finditer(text)] if _may_hold_block(text) else []
    opened: list[tuple[str, int]] = []
    for _, at, _ in _MARK.find_matches_as_indexes(text):
        mark = text[at]
        if mark == "\n":
            opened.clear()
            continue
        closes = next((index for index in range(len(opened) - 1, -1, -1) if mark in _CLOSERS[opened[index][0]]), None)
        if closes is not None and _can_close(text, at, mark):
            spans.append((opened[closes][1], at + 1))
            del opened[closes:]
        elif mark in _CLOSERS and len(opened) < _DEPTH and _can_open(text, at, mark):
            opened.append((mark, at))
    return merge(spans) if spans else ()


def _may_hold_block(text: str) -> bool:
    return ">" in text and (text[0] in "> \t" or any(start in text for start in ("\n>", "\n ", "\n\t")))


class Quotes:
    """The quoted passages of a text. As none goes beyond its line, only lines that are asked about are read, each once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._lines: dict[int, Intervals] = {}

    def cover(self, start: int, end: int) -> bool:
        """Whether one quoted passage holds `start` to `end` whole."""
        first, last = self._text.rfind("\n", 0, start) + 1, self._text.find("\n", start)
        if 0 <= last < end:
            return False
        if first not in self._lines:
            self._lines[first] = quoted_spans(self._text[first : last if last >= 0 else len(self._text)])
        return covers(self._lines[first], start - first, end - first)


_DEPTH = 4
"""Quotations nest at most this deep, so that a text of opening marks costs linear time."""


def _can_open(text: str, at: int, mark: str) -> bool:
    if mark not in "\"'" or at == 0 or text[at - 1] in _BEFORE:
        return True
    return text[at - 1] in "rfbuRFBU" and (at == 1 or text[at - 2] in _BEFORE)


def _can_close(text: str, at: int, mark: str) -> bool:
    return mark not in "\"'’" or at + 1 == len(text) or text[at + 1] in _AFTER

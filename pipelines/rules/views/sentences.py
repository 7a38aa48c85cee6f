"""Lines and sentences of a text, with their places; fenced code is one line without sentences."""

from functools import cached_property

import msgspec
import re2

from pipelines.rules.views.intervals import Intervals, covers

_GLUED = re2.compile(r"(\p{Ll}{3}[.!?:])(?:\p{Lu}\p{Ll}|[\x{3040}-\x{30ff}\x{4e00}-\x{9fff}\x{ac00}-\x{d7a3}])")
"""Two texts that were joined without a space."""
_BREAK = re2.compile(r"[.!?…]+[\"'”’»)\]]*(?:\s+|$)|[。！？।؟]+[」』”）\"]*\s*")


class Sentence(msgspec.Struct, frozen=True, gc=False):
    """`text[start:end]`, trimmed."""

    start: int
    end: int


_WORD = re2.compile(r"\pL+|\pN+")
_SPACES = {sign: " " for sign in range(128) if not chr(sign).isalnum()}
"""All ASCII signs that stand in no word become spaces."""


class Line(msgspec.Struct, frozen=True, dict=True):
    """A line that is not blank, trimmed; `gap_after`: a blank line, or the end of the text, follows it."""

    text: str
    """All of the text, of which the line is `text[start:end]`."""
    start: int
    end: int
    gap_after: bool
    is_code: bool

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """Its sentences; a line of fenced code has none."""
        return () if self.is_code else sentences_of(self.text, self.start, self.end)


def lines_of(text: str, code: Intervals, limit: int) -> tuple[Line, ...]:
    """The first `limit` lines that are not blank. Lines that stand in fenced code whole have no sentences."""
    lines: list[Line] = []
    start = 0
    while start < len(text) and len(lines) < limit:
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        first, last = _trimmed(text, start, end)
        if first < last:
            lines.append(Line(text, first, last, _blank_follows(text, end), covers(code, first, last)))
        start = end + 1
    return tuple(lines)


def words_of(text: str) -> list[str]:
    """Runs of letters and runs of numerals, in order."""
    words: list[str] = []
    for piece in text.translate(_SPACES).split():
        if piece.isalpha() or (piece.isascii() and piece.isdigit()):
            words.append(piece)
        else:
            words += _WORD.findall(piece)
    return words


def sentences_of(text: str, start: int, end: int) -> tuple[Sentence, ...]:
    """Sentences of `text[start:end]`: they end at a full stop before a space, at a full stop of a script without spaces, or
    where another text was glued to one."""
    line = text[start:end]
    breaks = sorted(
        {*(match.end() for match in _BREAK.finditer(line)), *(match.end(1) for match in _GLUED.finditer(line))}
    )
    sentences: list[Sentence] = []
    at = start
    for place in (*breaks, end - start):
        first, last = _trimmed(text, at, start + place)
        if first < last:
            sentences.append(Sentence(first, last))
        at = start + place
    return tuple(sentences)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    first = start + len(piece) - len(piece.lstrip())
    return first, max(first, start + len(piece.rstrip()))


def _blank_follows(text: str, end: int) -> bool:
    following = text.find("\n", end + 1)
    return not text[end + 1 : following if following >= 0 else len(text)].strip()

"""A text with escapes and look-alike marks undone, and the way back to places of the original.

Gateways HTML-escape (`&lt;think&gt;`) or JSON-escape (`\\u003cthink\\u003e`) text; models and gateways swap the bars of special
tokens for look-alikes; MiniMax-M3 puts a namespace token before every tag. Markers and calls are read in the decoded text.
"""

from bisect import bisect_right
from html import unescape

import msgspec
import re2

BARS = "|｜‖❘∣￨│┃"
NAMESPACE = "]<]minimax[>["
_ESCAPES = re2.compile(
    r"&(?:amp;)?(?:lt|gt|quot|apos|amp|#0{0,4}(?:60|62|34|39|38)|#[xX]0{0,4}(?:3[cCeE]|2[267]));"
    r"|\\{1,2}u(?:003[cCeE]|002[267]|[fF]{2}5[cC]|2016|2581)"
    rf"|< ?/? ?[{BARS}]{{0,2}} ?(?:DSML|GCML) ?[{BARS}]{{1,2}}|</?[{BARS}]{{1,2}}|[{BARS}]{{1,2}}>"
    r"|[＜＞]|\]<\]minimax\[>\["
)
_ESCAPED_MARKS = ("&lt;", "&#", "&amp;lt;", "\\u003c", "\\u003C")


class Decoded(msgspec.Struct, frozen=True, gc=False):
    """The decoded text and, for each replaced piece, where it stands in it and in the original (both sorted)."""

    text: str
    starts: tuple[int, ...] = ()
    pieces: tuple[tuple[int, int, int], ...] = ()
    """End in the decoded text, start and end in the original."""

    def origin(self, place: int) -> int:
        """Place in the original; a piece that was dropped at `place` comes after it."""
        index = bisect_right(self.starts, place) - 1
        while index >= 0 and self.starts[index] == place:
            index -= 1
        if index < 0:
            return place
        end, first, last = self.pieces[index]
        return first if place < end else last + place - end

    def decoded(self, place: int) -> int:
        """Place in the decoded text of a place in the original."""
        index = bisect_right(self.pieces, place, key=lambda piece: piece[2]) - 1
        return place if index < 0 else self.pieces[index][0] + place - self.pieces[index][2]


def decode(text: str) -> Decoded:
    """`text` with escapes, look-alike bars and MiniMax's namespace token undone. Costs linear time."""
    escaped = ("&" in text or "\\" in text) and any(mark in text for mark in _ESCAPED_MARKS)
    if not escaped and text.isascii() and _is_plain(text):
        return Decoded(text)
    parts: list[str] = []
    starts: list[int] = []
    pieces: list[tuple[int, int, int]] = []
    length = last = 0
    for match in _ESCAPES.finditer(text):
        plain = _plain(match.group(), escaped)
        if plain == match.group():
            continue
        parts.append(text[last : match.start()])
        length += match.start() - last
        starts.append(length)
        parts.append(plain)
        length += len(plain)
        last = match.end()
        pieces.append((length, match.start(), last))
    if not pieces:
        return Decoded(text)
    parts.append(text[last:])
    return Decoded("".join(parts), tuple(starts), tuple(pieces))


def _is_plain(text: str) -> bool:
    """Whether an ASCII text without escaped marks stays as it is."""
    bars = "||" in text or "]<]minimax" in text
    return not bars and "DSML" not in text and "GCML" not in text


def _plain(piece: str, escaped: bool) -> str:
    if piece == NAMESPACE:
        return ""
    if piece[0] == "&":
        return unescape(unescape(piece)) if escaped else piece
    if piece[0] == "\\":
        return chr(int(piece.lstrip("\\")[1:], 16)) if escaped else piece
    if piece in "＜＞":
        return "<" if piece == "＜" else ">"
    for name in ("DSML", "GCML"):
        if name in piece:
            return f"{'</' if '/' in piece else '<'}|{name}|"
    return piece.rstrip(BARS) + "|" if piece[0] == "<" else "|>"

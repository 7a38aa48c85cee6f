"""Which answers begin in a way that a heuristic looks for, asked of many raw openings at once."""

from collections.abc import Sequence

import ahocorasick_rs
import msgspec

from pipelines.ingest.needles import UNKNOWN_ESCAPES, in_string, unescaper
from pipelines.ingest.strings import Strings, matching
from pipelines.schema import OPENING_START

_LONGEST_ESCAPE = 12
_START = OPENING_START.encode()
_BREAKS = frozenset({b"\\n", b"\\r", b"\\t"})
_string = msgspec.json.Decoder(str).decode


def openings_search(openings: Sequence[str]) -> Strings:
    """A function from raw openings (JSON text after the quote) to whether one of the literals, in lower case, may stand in each.

    OPENING_START goes before each text, and line breaks and tabs there are left out: a literal that begins with it stands at the start only.
    """
    if not openings:
        return lambda texts: [False] * len(texts)
    unescape = unescaper(tuple(openings))
    patterns = sorted({unescape(in_string(opening)) for opening in openings} | set(UNKNOWN_ESCAPES))
    automaton = ahocorasick_rs.BytesAhoCorasick(patterns, implementation=ahocorasick_rs.Implementation.DFA)

    def search(texts: Sequence[bytes]) -> list[bool]:
        joined = b"\0".join([_START + _trimmed(text) for text in texts])
        if b"\\" in joined:
            joined = unescape(joined)
        joined = joined.lower() if joined.isascii() else joined.decode("utf-8", "replace").lower().encode()
        return matching(automaton, texts, joined)

    return search


def _trimmed(opening: bytes) -> bytes:
    at = 0
    while opening[at : at + 2] in _BREAKS:
        at += 2
    return opening[at:]


def opening_text(opening: bytes) -> str:
    """The text of a raw opening, which may end inside an escape or a character."""
    for cut in range(min(_LONGEST_ESCAPE, len(opening)) + 1):
        try:
            return _string(b'"' + opening[: len(opening) - cut] + b'"')
        except (msgspec.MsgspecError, UnicodeError):
            continue
    return opening.decode("utf-8", "replace")

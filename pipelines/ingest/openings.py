"""Which answers begin in a way that a heuristic looks for, asked of many raw openings at once."""

import json
from collections.abc import Sequence, Set

import ahocorasick_rs
import msgspec

from pipelines.formats.format import OPENING
from pipelines.ingest.strings import SEPARATOR, Strings, matching
from pipelines.schema import OPENING_START

_LONGEST_ESCAPE = 12
_START = OPENING_START.encode()
_BREAKS = frozenset({b"\\n", b"\\r", b"\\t"})
_string = msgspec.json.Decoder(str).decode
_encode = msgspec.json.Encoder().encode


def openings_search(openings: Sequence[str]) -> Strings:
    """A function from raw openings (JSON text after the quote) to the places of those in which one of the literals, in lower case, may
    stand.

    OPENING_START goes before each text, and line breaks and tabs there are left out: a literal that begins with it stands at the
    start only.
    """
    if not openings:
        return lambda texts: frozenset()
    patterns = {spelled for opening in openings for spelled in _spellings(opening)}
    automaton = ahocorasick_rs.BytesAhoCorasick(sorted(patterns), implementation=ahocorasick_rs.Implementation.DFA)

    def search(texts: Sequence[bytes]) -> Set[int]:
        return matching(automaton, SEPARATOR.join([_START + _plain(text) for text in texts]).lower())

    return search


def _spellings(opening: str) -> set[bytes]:
    start = _START if opening.startswith(OPENING_START) else b""
    spelled = start + _raw(opening.removeprefix(OPENING_START))
    return {spelled, spelled.replace(b"/", b"\\/")}


def _raw(text: str) -> bytes:
    return json.dumps(text, ensure_ascii=False)[1:-1].encode("utf-8", "replace")


def _plain(opening: bytes) -> bytes:
    """The opening without white space before it; in lower case and without \\u escapes where it holds other characters than ASCII."""
    if b"\\u" in opening or not opening.isascii():
        opening = _lower(opening)
    if opening[:2] not in _BREAKS:
        return opening
    at = 2
    while opening[at : at + 2] in _BREAKS:
        at += 2
    return opening[at:]


def _lower(opening: bytes) -> bytes:
    text = _decoded(opening)
    if text is None:
        return opening.decode("utf-8", "replace").lower().encode()
    return _encode(text[:OPENING].lower())[1:-1]


def opening_text(opening: bytes) -> str:
    """The text of a raw opening, which may end inside an escape or a character."""
    text = _decoded(opening)
    return opening.decode("utf-8", "replace") if text is None else text


def _decoded(opening: bytes) -> str | None:
    for cut in range(min(_LONGEST_ESCAPE, len(opening)) + 1):
        try:
            return _string(b'"' + opening[: len(opening) - cut] + b'"')
        except (msgspec.MsgspecError, UnicodeError):
            continue
    return None

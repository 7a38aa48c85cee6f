"""Which answers begin in a way that a heuristic looks for, asked of many raw openings at once."""

from bisect import bisect_right
from collections.abc import Callable
from itertools import accumulate

import ahocorasick_rs
import msgspec

from pipelines.ingest.needles import UNKNOWN_ESCAPES, unescaper

_LONGEST_ESCAPE = 12
_string = msgspec.json.Decoder(str).decode


def openings_search(openings: tuple[str, ...]) -> Callable[[list[bytes]], list[bool]]:
    """A function from raw openings (JSON text after the quote) to whether one of the literals, in lower case, may stand in each."""
    if not openings:
        return lambda texts: [False] * len(texts)
    unescape = unescaper(openings)
    patterns = sorted({unescape(opening.encode()) for opening in openings} | set(UNKNOWN_ESCAPES))
    find = ahocorasick_rs.BytesAhoCorasick(patterns).find_matches_as_indexes

    def search(texts: list[bytes]) -> list[bool]:
        joined = b"\0".join(texts)
        if b"\\" in joined:
            joined = unescape(joined)
        joined = joined.lower() if joined.isascii() else joined.decode("utf-8", "replace").lower().encode()
        found = [False] * len(texts)
        matches = find(joined)
        if matches:
            ends = list(accumulate((len(text) + 1 for text in joined.split(b"\0")), initial=0))
            for _, start, _ in matches:
                found[bisect_right(ends, start) - 1] = True
        return found

    return search


def opening_text(opening: bytes) -> str:
    """The text of a raw opening, which may end inside an escape or a character."""
    for cut in range(min(_LONGEST_ESCAPE, len(opening)) + 1):
        try:
            return _string(b'"' + opening[: len(opening) - cut] + b'"')
        except (msgspec.MsgspecError, UnicodeError):
            continue
    return opening.decode("utf-8", "replace")

"""JSON objects of a file that holds them one after the other: an array, arrays, concatenated or pretty-printed objects.

The file is read in pieces and never held whole. What cannot be read is yielded as a reject, and reading goes on at the next place
that looks like the beginning of the objects before.
"""

import codecs
import json
import re
from collections.abc import Iterator
from typing import IO

from pipelines.formats.format import Item, Rejected
from pipelines.ingest.decode import too_deep, without_surrogates

PIECE = 1 << 20
LONGEST_VALUE = 16 << 20
_BETWEEN = re.compile(r"[ \t\r\n,\[\]\ufeff\x00\x1e]*")
"""One set of characters, so nothing to go back to."""
_decode = json.JSONDecoder(strict=False).raw_decode


def values(file: IO[bytes]) -> Iterator[Item | Rejected]:
    """The objects, in order; commas, brackets and blanks between them do not matter."""
    text, at, ended, signature = "", 0, False, ""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    while True:
        at = _past(text, at)
        outcome, after = _next(text, at)
        if after == at and not ended and len(text) - at < LONGEST_VALUE:
            piece = file.read(max(PIECE, len(text) - at))
            text, at, ended = text[at:] + decoder.decode(piece, final=not piece), 0, not piece
            continue
        if at == len(text):
            return
        signature = signature or text[at : text.find(":", at) + 1]
        if after == at:
            outcome, after = _give_up(text, at, signature=signature, ended=ended)
        at = after
        yield outcome


def _past(text: str, at: int) -> int:
    found = _BETWEEN.match(text, at)
    return found.end() if found else at


def _next(text: str, at: int) -> tuple[Item | Rejected, int]:
    """The object that begins at `at` and where it ends; it ends at `at` when it is not whole, or none."""
    try:
        item, end = _decode(text, at)
    except (ValueError, RecursionError):
        return None, at
    return (Rejected("too_deep", f"{end - at} characters") if too_deep(item) else without_surrogates(item)), end


def _give_up(text: str, at: int, *, signature: str, ended: bool) -> tuple[Rejected, int]:
    """A reject for what begins at `at`, up to the next place where an object like the first one begins."""
    following = text.find(signature, at + 1) if len(signature) > 1 else -1
    end = following if following > 0 else len(text)
    code = "truncated_json" if ended and end == len(text) else "invalid_json"
    return Rejected(code, f"{end - at} characters"), end

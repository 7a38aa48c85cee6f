"""How the items of a file lie in it, and its first items, from the first bytes of its content."""

import csv
import io
from itertools import islice

from pipelines.formats.format import Item
from pipelines.formats.sse import looks_like_events, streams
from pipelines.ingest.decode import BOM, decode
from pipelines.ingest.values import values
from pipelines.job import Framing

MOST_ITEMS = 20
PARQUET_MAGIC = b"PAR1"
_BLANK = b" \t\r\n\x00"
_RECORD_SEPARATOR = b"\x1e"
"""Before each text of a JSON text sequence (RFC 7464)."""
_CSV_COLUMNS = 3


def framing_of(head: bytes, *, whole: bool) -> tuple[Framing, list[Item]]:
    """Framing and first items of a file whose first bytes are `head`; `whole`: there is nothing behind them.

    A log line that is broken or of another kind does not decide: most of the first lines do.
    """
    text = head.removeprefix(BOM).lstrip(_BLANK)
    if head.startswith(PARQUET_MAGIC):
        return "parquet", []
    if not text:
        return ("lines" if head else "empty"), []
    if text.startswith(_RECORD_SEPARATOR):
        text = text.lstrip(_BLANK + _RECORD_SEPARATOR)
        found = _first_objects(text)
        if found:
            return "values", found
    lines = [line for line in _lines(text, whole=whole) if line.strip(_BLANK)][: 4 * MOST_ITEMS]
    objects = [item for item in map(decode, lines) if isinstance(item, dict)]
    if objects and 2 * len(objects) >= len(lines):
        return "lines", objects[:MOST_ITEMS]
    if text[:1] in b"{[":
        found = _first_objects(text)
        if found or not objects:
            return ("values", found) if _looks_like_json(text) else ("text", _strings(lines))
    if objects:
        return "lines", objects[:MOST_ITEMS]
    if looks_like_events(text):
        return "sse", list(islice(streams([text]), MOST_ITEMS))
    rows = _csv_rows(lines)
    return ("csv", rows) if rows else ("text", _strings(lines))


def _first_objects(text: bytes) -> list[Item]:
    return [item for item in islice(values(io.BytesIO(text)), MOST_ITEMS) if isinstance(item, dict)]


def _lines(text: bytes, *, whole: bool) -> list[bytes]:
    """Complete lines; the last one counts only when nothing is behind it."""
    lines = text.split(b"\n")
    return lines if whole or len(lines) == 1 else lines[:-1]


def _looks_like_json(text: bytes) -> bool:
    """Whether what follows the first bracket is JSON, and not the date or the level of a text log."""
    following = text[1:].lstrip(_BLANK)[:1]
    return following in b'{["]}' if text[:1] == b"[" else following in b'"}'


def _strings(lines: list[bytes]) -> list[Item]:
    return [line.decode("utf-8", "replace").rstrip("\r") for line in lines[:MOST_ITEMS]]


def _csv_rows(lines: list[bytes]) -> list[Item]:
    """First rows when the first line names columns and the rows have as many; [] when this is no CSV."""
    text = b"\n".join(lines).decode("utf-8", "replace")
    try:
        rows = list(islice(csv.reader(io.StringIO(text, newline="")), MOST_ITEMS + 1))
    except csv.Error:
        return []
    if not rows or len(rows[0]) < _CSV_COLUMNS or not all(name.replace("_", "a").isalnum() for name in rows[0]):
        return []
    return [dict(zip(rows[0], row, strict=True)) for row in rows[1:] if len(row) == len(rows[0])]

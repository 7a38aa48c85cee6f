"""Format: the value that a log format is, and what reading one item of it yields."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import msgspec

from pipelines.schema import Record, Usage


@dataclass(frozen=True, slots=True)
class Place:
    """Where an item stands: URI of the file and position in it (line number from 0, array index, row, or stream number; a line that
    holds several objects counts as so many)."""

    uri: str
    position: int


@dataclass(frozen=True, slots=True)
class Skipped:
    """An item, or a part of one, without a turn in it, for a reason that coverage counts (failed, no_body, not_a_call, …).

    The reason `duplicate` (a further row of a call that already has its turn) is counted in the column of that name.
    """

    reason: str


@dataclass(frozen=True, slots=True)
class Rejected:
    """An item that cannot be read: stage ingest, a code and a message without any text of the log."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Partner:
    """One of the items that belong together (same join key), with its own place."""

    item: "Item"
    place: Place


class Light(msgspec.Struct, gc=False):
    """An item read from its keys only: what it has of its own, beside what it shares with all items of its base and shape.

    Most items need no more than the question whether something stands in their strings, which are raw JSON.
    """

    base: Record
    """A record that is shared, and never changed."""
    shape: tuple[object, ...]
    """Two items of one base and one shape have records that differ in ids, texts, time and token counts only."""
    source_pos: int
    call_id: str
    choice: int
    request: str
    """The id of the trace that groups attempts, or the call's."""
    conversation: str | None
    conversation_source: str
    time: float
    position: int
    """Assistant messages in the request + 1."""
    usage: Usage
    content: bytes
    """The whole raw JSON string of the content, with its quotes; b"" or `null` where content is no text."""
    reasoning: bytes
    """That of the reasoning."""
    history: bytes
    """Those of the contents of all assistant messages in the request, one behind the other."""
    item: object
    """What the record is made from."""
    make: Callable[["Light"], Record]
    fill: Callable[["Light", bytes], Record | None]
    """From its line, the whole record as decoding all of it would give; None where that takes more than the texts."""
    made: Record | None = None

    @property
    def record(self) -> Record:
        """The record (`light` is set), the same one at every asking."""
        if self.made is None:
            self.made = self.make(self)
        return self.made


OPENING = 400
"""How many characters of the content heuristics may look at."""


def opening(content: bytes) -> bytes:
    """The bytes of a raw JSON string behind its quote, escapes as written, that cover the first OPENING characters, or the whole; b""
    for what is no string."""
    if content[:1] != b'"':
        return b""
    short = content[1 : OPENING + 1]
    escapes = short.count(b"\\")
    if escapes:
        short = content[1 : OPENING + 2 * escapes + 1]
    if short.isascii() and not (escapes and b"\\u" in short):
        return short
    return content[1 : 12 * OPENING + 1]


ReadLight = Callable[[bytes, int], Light | None]
"""From a raw line and its position to what its keys tell; None: the item has to be decoded whole. It may remember what the lines of
its file have in common."""

Item = Any
"""A decoded item: dict for JSON and Parquet rows, str for one line of a text log, `pipelines.formats.sse.Stream` for SSE text."""

Outcome = Record | Skipped | Rejected


@dataclass(frozen=True)
class Format:
    """One envelope. `recognise` judges a decoded item by its shape, never by the file's name; `parse` yields outcomes, one Record per
    choice, or Skipped or Rejected. It never raises on data: a field of another type is a flag or a Rejected."""

    name: str
    title: str
    recognise: Callable[[Item], bool]
    parse: Callable[[Item, Place], Iterable[Outcome]]
    framing: str = "json"
    """json (lines, array, concatenated or one object a file) | text (lines) | sse; Parquet and CSV rows count as json"""
    explode: Callable[[Item], Iterable[Item]] | None = None
    """For formats whose line holds several items (an OTLP batch of spans): the items of one decoded line, each as it is to be
    scattered; `recognise` sees the line, `join_key` and `parse` see the items. Never raises; a line without any gives ()."""
    join_key: Callable[[Item], str | None] | None = None
    """For formats whose rows have partners: the id by which partners meet (None: the item stands alone). `parse` then gets a tuple of
    Partner, also for a single item, and the place of the first; its records carry the place of the partner they come from. Of n
    partners, each is one call with records, or yields one Skipped or one Rejected: calls + skipped + rejected = n."""
    engine_raw: bool = False
    """Text before the engine's parsers: its rows are lent, never judged."""
    join_only: bool = False
    """Rows without any text, which only complete others: they are lent, never judged."""
    lend: Callable[[Item, Place], Iterable[Outcome]] | None = None
    """For rows that are no turns but know something of turns in other logs: records whose `raw_text` or known fields belong to the
    record with the same `response_id`, `call_id` or `trace_id`. `parse` of such a format yields Skipped only."""
    shows: tuple[str, ...] = ()
    """What the format can show at all: content, reasoning, tool_calls, tools, messages, chunks, raw_text, finish_reason, time."""
    light: "Callable[[str], ReadLight] | None" = None
    """Makes what reads the lines of one file (its URI) by their keys; None: each item has to be decoded whole."""
    sources: tuple[str, ...] = ()
    """Where the field paths were read, with date."""

"""Format: the value that a log format is, and what reading one item of it yields."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import msgspec

from pipelines.schema import ContentState, FieldState, Record, Usage


@dataclass(frozen=True, slots=True)
class Place:
    """Where an item stands: URI of the file and position in it (line number from 0, array index, row, or stream number)."""

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
    """An item read from its keys only: what it has of its own, over a record that it shares with all items alike but for that.

    The fields up to `stop_detail` are those of the record of that name. The texts are raw JSON; most items need no more than the
    question whether something stands in them, so the record itself is made when it is asked for.
    """

    base: Record
    """What is shared; never changed."""
    source_uri: str
    source_pos: int
    source_id: str
    call_id: str | None
    response_id: str | None
    trace_id: str | None
    time: float | None
    caller: str | None
    conversation: str | None
    conversation_source: str
    position: int
    last_role: str | None
    history_reasoning: bool
    gateway_rewrites: frozenset[str]
    reasoning_state: FieldState
    reasoning_fields: dict[str, str]
    tool_calls_state: FieldState
    content_state: ContentState
    choice: int
    finish_reason: str | None
    stop_detail: str | None
    usage: Usage
    opening: bytes
    """The bytes after the content's opening quote, escapes as written, which cover at least the first OPENING characters or the whole;
    b"" where content is no text."""
    content: bytes
    """The whole raw JSON string of the content, with its quotes; b"" or `null` where content is no text."""
    reasoning: bytes
    """That of the reasoning."""
    history: bytes
    """Those of the contents of all assistant messages in the request, one behind the other."""
    made: Record | None = None

    @property
    def record(self) -> Record:
        """The record (`light` is set), the same one at every asking."""
        if self.made is None:
            self.made = self.base.__copy__()  # type: ignore[attr-defined]
            for name in SET_ON_COPIES:
                setattr(self.made, name, getattr(self, name))
        return self.made


SET_ON_COPIES = frozenset(Light.__struct_fields__[1 : Light.__struct_fields__.index("opening")])
"""Fields in which records over one base may differ."""
OPENING = 400
"""How many characters of the content a light record's opening covers at least."""

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
    light: "Callable[[bytes | memoryview, Place], Light | None] | None" = None
    """Reads keys only from the raw line (no texts); None, or a result of None: the item has to be decoded whole."""
    sources: tuple[str, ...] = ()
    """Where the field paths were read, with date."""

"""Shard, Options and ShardSummary: the small values that an engine moves; no record ever crosses an engine's border."""

from collections.abc import Callable
from typing import Literal, Protocol

import msgspec

Framing = Literal["lines", "values", "text", "sse", "csv", "parquet", "joined", "empty"]
"""How items lie in a file: JSON a line; JSON values one after the other (array, concatenated, one pretty-printed object); lines of
text; SSE streams; CSV rows; Parquet rows; partners scattered by their call id; nothing at all."""

Codec = Literal["none", "gzip", "zstd", "framed_zstd"]


class Piece(msgspec.Struct, frozen=True):
    """A file, or a part of one: a byte range of plain lines, or row groups of Parquet."""

    uri: str
    framing: Framing
    format: str
    """Name of the format, "unknown" where nothing recognised the file."""
    codec: Codec = "none"
    start: int = 0
    end: int = 0
    """Items whose first byte (row group, for Parquet) lies in [start, end)."""
    size: int = 0
    """Bytes of input that it stands for: what progress counts."""
    forced: bool = False
    """The user named the format, so rows of another one are not read by that one."""


class Shard(msgspec.Struct, frozen=True):
    """What one task reads: a part of a large file, or several small files."""

    sid: str
    """Hash of the pieces, their files' sizes and versions, the options and the code: equal ids mean equal results."""
    number: int
    """Order among all shards of the run."""
    pieces: tuple[Piece, ...]
    scatter: int = 0
    """Into how many buckets its items are scattered for their partners to meet; 0: they are judged here."""
    lends: bool = False
    """Its rows are no turns; what they know is put into the folder `lent`."""
    lent: str = ""
    """Where the rows of engine logs and access logs lie that complete its turns; "": there are none."""
    poison: tuple[tuple[int, int], ...] = ()
    """(piece, place) of items that killed a worker; they become rejects."""

    @property
    def size(self) -> int:
        return sum(piece.size for piece in self.pieces)


class Options(msgspec.Struct, frozen=True):
    """What one run was asked to do; the same on every engine."""

    work: str
    """Folder for unfinished work, inside the output."""
    deployments: str | None = None
    mapping: str | None = None
    labels: str | None = None
    """Labelled findings; they stand beside the rates and change no turn."""
    model: str | None = None
    evidence: Literal["none", "hash", "excerpt"] = "hash"
    since: str | None = None
    until: str | None = None


class ShardSummary(msgspec.Struct, frozen=True):
    """What a finished shard leaves beside its part files; the numbers add up over shards."""

    sid: str
    number: int
    positions: int
    """Places passed (lines, rows) in its last piece, so that those of later pieces of the same file can be counted on."""
    items: int
    turns: int
    chained: int
    """Turns whose response may be named by a later one."""
    detections: int
    rejects: int
    size: int
    coverage: tuple[tuple[str, str, dict[str, int]], ...] = ()
    """(source_uri, format, counter → number); counters are columns of COVERAGE or dotted names of its `detail`."""


class Reading(msgspec.Struct, frozen=True):
    """What the shards that are in work have read by now, all together."""

    size: int
    """Bytes, as the sizes of pieces count them."""
    turns: int


class Stage(msgspec.Struct, frozen=True):
    """A stage begins of which nobody knows how far it is."""

    name: str


Seen = Callable[[ShardSummary | Reading | Stage], None]
"""Told how far a run is."""


class Journal(Protocol):
    """What a task tells while it works, so that a process that dies leaves word of the culprit, and others see how far it is."""

    def __call__(self, piece: int, place: int) -> None:
        """The item at this place of this piece is read in full next; place -1: the piece is begun."""

    def passed(self, size: int, turns: int) -> None:
        """So many bytes of the shard are read, and so many turns found."""


class Finished(msgspec.Struct, frozen=True):
    """One finished shard, as the later steps need it."""

    sid: str
    number: int
    base: int
    """Places of its file before it: added to its positions."""
    turns: int
    chained: int
    """Turns whose response may be named by a later one."""


class Ledger(msgspec.Struct, frozen=True):
    """All finished shards in order, and how the later steps are cut; lies in the work folder, so that a task only names its number."""

    shards: tuple[Finished, ...]
    groups: tuple[tuple[int, ...], ...]
    """Numbers of the shards that become one part."""
    key_buckets: int
    conversation_buckets: int
    model: str | None = None
    """The classifier of the run: its measures come behind those of the rules."""


class Step(msgspec.Struct, frozen=True):
    """One task of a later step: its number in the step."""

    number: int
    work: str


class PartSummary(msgspec.Struct, frozen=True):
    """What one part leaves: rows by table, and coverage of the turns that count."""

    rows: dict[str, int]
    coverage: tuple[tuple[str, str, dict[str, int]], ...] = ()

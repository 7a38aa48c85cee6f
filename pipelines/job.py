"""Shard, Options and ShardSummary: the small values that an engine moves; no record ever crosses an engine's border."""

from typing import Literal

import msgspec

Framing = Literal["lines", "values", "text", "sse", "csv", "parquet", "joined", "empty"]
"""How items lie in a file: JSON a line; JSON values one after the other (array, concatenated, one pretty-printed object); lines of
text; SSE streams; CSV rows; Parquet rows; partners scattered by their call id; nothing at all."""

Codec = Literal["none", "gzip", "zstd"]


class Shard(msgspec.Struct, frozen=True):
    """A piece of one input: a byte range of plain lines, row groups of Parquet, else the whole file."""

    sid: str
    """Hash of the piece, its file's size and version, the options and the code: equal ids mean equal results."""
    uri: str
    framing: Framing
    format: str
    """Name of the format, "unknown" where nothing recognised the file."""
    codec: Codec = "none"
    start: int = 0
    end: int = 0
    """Bytes, or row groups for Parquet: items whose first byte lies in [start, end)."""
    size: int = 0
    """Bytes of input that this piece stands for: what progress counts."""
    number: int = 0
    """Order of the piece among all pieces of the run."""
    poison: tuple[int, ...] = ()
    """Items (by number in the piece) that killed a worker; they become rejects."""


class Options(msgspec.Struct, frozen=True):
    """What one run was asked to do; the same on every engine, and part of each shard's id but for the last ones."""

    work: str
    """Folder for unfinished work, inside the output."""
    deployments: str | None = None
    mapping: str | None = None
    model: str | None = None
    evidence: Literal["none", "hash", "excerpt"] = "hash"
    since: str | None = None
    until: str | None = None


class ShardSummary(msgspec.Struct, frozen=True):
    """What a finished shard leaves beside its part files; the numbers add up over shards."""

    sid: str
    number: int
    items: int
    """Items read, so that positions of later pieces of the same file can be counted on."""
    turns: int
    detections: int
    rejects: int
    size: int
    coverage: tuple[tuple[str, str, dict[str, int]], ...] = ()
    """(source_uri, format, counter → number); counters are columns of COVERAGE or dotted names of its `detail`."""

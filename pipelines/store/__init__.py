"""Bytes and tables in and out: nothing else opens a file.

Paths are local or fsspec URLs. Input is decompressed by its first bytes, never by its name. What is written appears whole or not
at all: a temporary file and `os.replace` on a local disk, one PUT on an object store.
"""

from pipelines.store.compression import DAMAGE, ExpansionError, codec_of
from pipelines.store.files import (
    exclusive,
    exists,
    head,
    join,
    move,
    names,
    opened,
    read,
    remove,
    write,
)
from pipelines.store.listing import Entry, all_entries, entries
from pipelines.store.pieces import csv_pieces, parquet_pieces
from pipelines.store.systems import filesystem, is_local
from pipelines.store.tables import (
    parquet_bytes,
    read_batches,
    read_parquet,
    read_stream,
    rows_of_parquet,
    write_parquet,
    write_stream,
)

__all__ = [
    "DAMAGE",
    "Entry",
    "ExpansionError",
    "all_entries",
    "codec_of",
    "csv_pieces",
    "entries",
    "exclusive",
    "exists",
    "filesystem",
    "head",
    "is_local",
    "join",
    "move",
    "names",
    "opened",
    "parquet_bytes",
    "parquet_pieces",
    "read",
    "read_batches",
    "read_parquet",
    "read_stream",
    "remove",
    "rows_of_parquet",
    "write",
    "write_parquet",
    "write_stream",
]

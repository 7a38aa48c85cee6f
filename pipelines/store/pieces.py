"""Files that are written piece by piece, so that none is ever held as a whole; each appears complete or not at all."""

import io
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import pyarrow as pa

from pipelines.store.files import write
from pipelines.store.systems import LOCAL, filesystem
from pipelines.store.tables import harmless, settings

Write = Callable[[pa.Table], None]


@contextmanager
def growing(uri: str) -> Iterator[IO[bytes]]:
    """A binary file to write to, in its place when the block ends well. An object store gets it in one request at the end."""
    system, path = filesystem(uri)
    if system is not LOCAL:
        content = io.BytesIO()
        yield content
        write(uri, content.getvalue())
        return
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f".{target.name}.{os.getpid()}.{time.monotonic_ns()}.tmp")
    try:
        with temporary.open("wb") as file:
            yield file
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def parquet_pieces(uri: str, schema: pa.Schema) -> Iterator[Write]:
    """What writes tables of the schema into one Parquet file, each as row groups of its own."""
    import pyarrow.parquet as pq

    with growing(uri) as file, pq.ParquetWriter(file, schema, **settings(schema)) as writer:
        yield writer.write_table


@contextmanager
def csv_pieces(uri: str, schema: pa.Schema) -> Iterator[Write]:
    """What writes tables of the schema into one CSV file. Text that a spreadsheet would take for a formula gets an apostrophe in
    front."""
    import pyarrow.csv

    options = pyarrow.csv.WriteOptions(quoting_style="needed")
    with growing(uri) as file, pyarrow.csv.CSVWriter(file, schema, write_options=options) as writer:
        yield lambda table: writer.write_table(harmless(table))

"""Arrow tables as files: Parquet for what stays, Arrow streams for unfinished work.

Reading a shard needs the streams only, so the parts of pyarrow that take long to import are imported where they are used.
"""

import io
from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow as pa

from pipelines.store.files import opened, read, write

_ROWS_PER_GROUP = 1 << 17
_SPREAD = ("source_pos", "time")
"""Columns in which hardly a value stands twice, as in those of hashes (uint64): a dictionary makes them larger."""
_PRUNED = ("day", "model", "measure")
"""Columns that readers choose row groups by; smallest and largest values of others would cost as much as the values."""


def parquet_bytes(table: pa.Table) -> bytes:
    import pyarrow.parquet as pq

    sink = io.BytesIO()
    pq.write_table(table, sink, row_group_size=_ROWS_PER_GROUP, **settings(table.schema))
    return sink.getvalue()


def settings(schema: pa.Schema) -> dict[str, Any]:
    """How a Parquet file of the schema is written."""
    return {
        "compression": "zstd",
        "use_dictionary": [field.name for field in schema if field.type != pa.uint64() and field.name not in _SPREAD],
        "write_statistics": [name for name in _PRUNED if name in schema.names],
    }


def write_parquet(uri: str, table: pa.Table) -> None:
    """Write a Parquet file in one step; equal tables give equal bytes."""
    write(uri, parquet_bytes(table))


def read_parquet(uri: str, columns: list[str] | None = None) -> pa.Table:
    import pyarrow.parquet as pq

    with pq.ParquetFile(pa.BufferReader(read(uri))) as file:
        return file.read(columns, use_threads=False)


def rows_of_parquet(uri: str) -> int:
    import pyarrow.parquet as pq

    return int(pq.read_metadata(io.BytesIO(read(uri))).num_rows)


def harmless(table: pa.Table) -> pa.Table:
    """The table with an apostrophe in front of text that a spreadsheet would take for a formula."""
    columns = [_harmless(column) if pa.types.is_string(column.type) else column for column in table.columns]
    return pa.Table.from_arrays(columns, schema=table.schema)


def _harmless(column: pa.ChunkedArray) -> pa.ChunkedArray:
    import pyarrow.compute as pc

    encoded = column.dictionary_encode().unify_dictionaries().combine_chunks()
    names = encoded.dictionary if len(column) else column.combine_chunks()
    formula = pc.match_substring_regex(names, r"^[=+\-@\t\r]")
    safe = pc.if_else(formula, pc.binary_join_element_wise("'", names, ""), names)
    return pa.chunked_array([safe.take(encoded.indices) if len(column) else safe])


def write_stream(uri: str, schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> None:
    """Write batches as one Arrow stream, in one step."""
    sink = pa.BufferOutputStream()
    options = pa.ipc.IpcWriteOptions(compression="lz4", use_threads=False)
    with pa.ipc.new_stream(sink, schema, options=options) as writer:
        for batch in batches:
            writer.write_batch(batch)
    write(uri, sink.getvalue())


def read_stream(uri: str, columns: list[str] | None = None) -> pa.Table:
    """All batches of an Arrow stream as one table; other columns than those asked for are not decompressed.

    Streams are small, so that threads would cost more than they do: 3 ms instead of 1 (pyarrow 25, measured 2026-11-30).
    """
    content = _content(uri)
    options = pa.ipc.IpcReadOptions(use_threads=False)
    if columns is None:
        return pa.ipc.open_stream(content, options=options).read_all()
    names = pa.ipc.open_stream(content).schema.names
    options.included_fields = sorted(names.index(name) for name in columns)
    return pa.ipc.open_stream(content, options=options).read_all().select(columns)


def read_batches(uri: str) -> Iterator[pa.Table]:
    """The batches of an Arrow stream, one at a time."""
    for batch in pa.ipc.open_stream(_content(uri), options=pa.ipc.IpcReadOptions(use_threads=False)):
        yield pa.Table.from_batches([batch])


def _content(uri: str) -> pa.Buffer:
    with opened(uri) as file:
        return pa.py_buffer(file.read())

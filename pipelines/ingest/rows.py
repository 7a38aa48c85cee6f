"""Rows of text, CSV and Parquet as items: what a JSON log of the same source would hold."""

import csv
import io
from collections.abc import Iterator
from decimal import Decimal
from typing import IO, Any

import pyarrow as pa

from pipelines.formats.format import Item, Rejected
from pipelines.ingest.decode import BOM
from pipelines.ingest.lines import LONGEST_LINE, blocks

_ROWS = 256
_CHUNK = 1 << 18
_TOO_LONG = Rejected("line_too_long", f"more than {LONGEST_LINE} bytes")


def text_lines(file: IO[bytes]) -> Iterator[Item | Rejected]:
    """Lines as text without their ends, which are \\n or \\r\\n; None for a blank one."""
    for block in blocks(file):
        if block.too_long:
            yield _TOO_LONG
            continue
        for line in bytes(block.buffer[: block.size]).removesuffix(b"\n").split(b"\n"):
            text = line.removesuffix(b"\r").decode("utf-8", "replace")
            yield text if text.strip() else None


def chunks(file: IO[bytes]) -> Iterator[bytes]:
    """The bytes of a file in pieces."""
    while piece := file.read(_CHUNK):
        yield piece


def csv_rows(file: IO[bytes]) -> Iterator[Item | Rejected]:
    """Rows as objects of text by the names in the first line."""
    rows = csv.DictReader(_Lines(file), strict=True)
    while True:
        try:
            row = _next_row(rows)
        except csv.Error:
            yield Rejected("invalid_csv", f"line {rows.line_num}")
            continue
        except _TooLongError:
            yield _TOO_LONG
            continue
        if row is None:
            return
        whole = None not in row and None not in row.values()
        yield row if whole else Rejected("invalid_csv", f"line {rows.line_num}")


def _next_row(rows: "csv.DictReader[str]") -> dict[str | Any, str | Any] | None:
    """The next row, whose cells may be as long as a line; the limit is the process's, so it is put back."""
    before = csv.field_size_limit(LONGEST_LINE)
    try:
        return next(rows, None)
    finally:
        csv.field_size_limit(before)


class _TooLongError(Exception):
    """A line that was passed over, and with it the row that it was part of."""


class _Lines:
    """The lines of a file with their ends, as the CSV reader takes them. Only \\n, \\r\\n and \\r end one: a cell may hold U+2028."""

    def __init__(self, file: IO[bytes]) -> None:
        self._blocks = blocks(file)
        self._lines = io.StringIO()
        self._begun = False

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        while not (line := self._lines.readline()):
            block = next(self._blocks)
            if block.too_long:
                raise _TooLongError
            content = bytes(block.buffer[: block.size])
            text = (content if self._begun else content.removeprefix(BOM)).decode("utf-8", "replace")
            self._lines, self._begun = io.StringIO(text.replace("\0", ""), newline=""), True
        return line


def parquet_rows(file: IO[bytes], first: int, last: int) -> Iterator[Item]:
    """Rows of the row groups [first, last) as objects; times become ISO text, as JSON would hold them."""
    with _opened(file) as parquet:
        for batch in parquet.iter_batches(batch_size=_ROWS, row_groups=range(first, last)):
            yield from map(json_like, _plain(batch).to_pylist())


def _opened(file: IO[bytes]) -> Any:
    from pyarrow.parquet import ParquetFile  # loads the whole of pyarrow.compute, which other files do without

    return ParquetFile(file)


def _plain(batch: pa.RecordBatch) -> pa.RecordBatch:
    def plain(column: pa.Array) -> pa.Array:
        kind = column.type
        if pa.types.is_temporal(kind):
            return column.cast(pa.string())
        if pa.types.is_decimal(kind):
            return column.cast(pa.float64())
        return column

    return pa.record_batch([plain(column) for column in batch.columns], names=batch.schema.names)


def json_like(value: Any) -> Any:
    """A nested Parquet value with maps as objects and what JSON does not know as text."""
    if isinstance(value, dict):
        return {str(key): json_like(inner) for key, inner in value.items()}
    if isinstance(value, list):
        if value and all(isinstance(inner, tuple) and len(inner) == 2 for inner in value):
            return {str(key): json_like(inner) for key, inner in value}
        return [json_like(inner) for inner in value]
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, Decimal):
        return float(value)
    return value if value is None or isinstance(value, str | int | float | bool) else str(value)


def first_rows(file: IO[bytes]) -> list[Item]:
    """The first few rows of a Parquet file."""
    with _opened(file) as parquet:
        batch = next(parquet.iter_batches(batch_size=20), None)
    return [] if batch is None else list(map(json_like, _plain(batch).to_pylist()))


def row_count(file: IO[bytes], first: int, last: int) -> int:
    """Rows of the row groups [first, last)."""
    with _opened(file) as parquet:
        return sum(parquet.metadata.row_group(group).num_rows for group in range(first, last))


def row_groups(file: IO[bytes], size: int) -> Iterator[tuple[int, int, int]]:
    """Runs of row groups of about `size` bytes: first, behind the last, bytes."""
    with _opened(file) as parquet:
        metadata = parquet.metadata
        first = held = 0
        for group in range(metadata.num_row_groups):
            held += metadata.row_group(group).total_byte_size
            if held >= size or group == metadata.num_row_groups - 1:
                yield first, group + 1, held
                first, held = group + 1, 0
        if not metadata.num_row_groups:
            yield 0, 0, 0

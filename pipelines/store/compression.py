"""Plain bytes out of gzip and zstd files with any number of members, also of one that was cut; a bomb ends in an error."""

import io
import zlib
from collections.abc import Iterator
from typing import IO, Any

import pyarrow as pa
import zstandard
from isal import isal_zlib

from pipelines.job import Codec

GZIP_MAGIC = b"\x1f\x8b"
ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
MAGIC_BYTES = 8
"""What codec_of needs of a file."""
MAXIMUM_RATIO = 200
"""Decompressed to compressed bytes; above it, and beyond RATIO_FREE, a file is taken for a decompression bomb."""
RATIO_FREE = 1 << 30
_GZIP_WINDOW = 31
_GZIP_PIECE, _ZSTD_PIECE = 1 << 16, 1 << 13
"""Compressed bytes at a time; small for zstd, of which a few bytes can stand for a large block."""


class ExpansionError(OSError):
    """A compressed file that expands beyond MAXIMUM_RATIO."""


def codec_of(head: bytes) -> Codec:
    """How a file is compressed, from its first bytes. `framed_zstd`: messages of the OpenTelemetry collector's file exporter, each a zstd
    buffer with its size in four bytes before it (fileexporter/file_writer.go, read 2026-11-30)."""
    if head.startswith(GZIP_MAGIC):
        return "gzip"
    if head.startswith(ZSTD_MAGIC):
        return "zstd"
    return "framed_zstd" if head[4:8] == ZSTD_MAGIC else "none"


class Decompressed(io.RawIOBase):
    """Decompressed bytes, up to the last that can be read; then EOFError where the file was cut."""

    def __init__(self, raw: IO[bytes], codec: Codec) -> None:
        self._raw, self._given = raw, 0
        if codec == "framed_zstd":
            self._pieces = _messages(raw)
        else:
            self._pieces = _members(raw, codec)
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        return True

    def tell(self) -> int:
        """Compressed bytes that were read: how far a file is."""
        return self._raw.tell()

    def readinto(self, buffer: Any) -> int:
        while not self._ready:
            piece = next(self._pieces, None)
            if piece is None:
                return 0
            self._given += len(piece)
            if self._given > RATIO_FREE and self._given > MAXIMUM_RATIO * max(1, self._raw.tell()):
                raise ExpansionError("expands too far")
            self._ready = memoryview(piece)
        count = min(len(buffer), len(self._ready))
        buffer[:count] = self._ready[:count]
        self._ready = self._ready[count:]
        return count


def _members(raw: IO[bytes], codec: Codec) -> Iterator[bytes]:
    """The plain bytes of gzip members or zstd frames; zero bytes behind a gzip member are padding."""
    member: Any = None
    left = b""
    size = _GZIP_PIECE if codec == "gzip" else _ZSTD_PIECE
    while data := left or raw.read(size):
        left = b""
        if member is None:
            data = data.lstrip(b"\0") if codec == "gzip" else data
            if not data:
                continue
            member = _member(codec)
        yield member.decompress(data)
        if member.eof:
            member, left = None, member.unused_data
    if member is not None:
        raise EOFError("the file was cut")


def _member(codec: Codec) -> Any:
    if codec == "gzip":
        return isal_zlib.decompressobj(wbits=_GZIP_WINDOW)
    return zstandard.ZstdDecompressor().decompressobj()


def _messages(raw: IO[bytes]) -> Iterator[bytes]:
    """The plain bytes of framed zstd messages in pieces, a line break after each message; a half message at the end is an EOFError."""
    while size := raw.read(4):
        buffer = raw.read(int.from_bytes(size, "big"))
        if len(size) < 4 or len(buffer) < int.from_bytes(size, "big"):
            raise EOFError("the last message is cut off")
        with zstandard.ZstdDecompressor().stream_reader(buffer) as plain:
            while piece := plain.read(1 << 18):
                yield piece
        yield b"\n"


DAMAGE: tuple[type[Exception], ...] = (
    OSError,
    EOFError,
    zlib.error,
    isal_zlib.error,  # type: ignore[assignment]
    zstandard.ZstdError,
    pa.ArrowException,
)
"""What reading a damaged compressed or Parquet file raises."""

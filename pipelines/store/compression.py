"""Plain bytes out of gzip and zstd files with any number of members; a decompression bomb ends in an error, not in a full memory."""

import io
import zlib
from collections.abc import Iterator
from typing import IO, Any

import zstandard
from isal import igzip, isal_zlib

from pipelines.job import Codec

GZIP_MAGIC = b"\x1f\x8b"
ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
MAXIMUM_RATIO = 200
"""Decompressed to compressed bytes; above it, and beyond RATIO_FREE, a file is taken for a decompression bomb."""
RATIO_FREE = 1 << 30


class ExpansionError(OSError):
    """A compressed file that expands beyond MAXIMUM_RATIO."""


MAGIC_BYTES = 8
"""What codec_of needs of a file."""


def codec_of(head: bytes) -> Codec:
    """How a file is compressed, from its first bytes. `framed_zstd`: messages of the OpenTelemetry collector's file exporter, each a zstd
    buffer with its size in four bytes before it (fileexporter/file_writer.go, read 2026-11-30)."""
    if head.startswith(GZIP_MAGIC):
        return "gzip"
    if head.startswith(ZSTD_MAGIC):
        return "zstd"
    return "framed_zstd" if head[4:8] == ZSTD_MAGIC else "none"


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


class _Chunks:
    """Pieces of bytes as something to read from."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces, self._rest = pieces, b""

    def readinto(self, buffer: Any) -> int:
        while not self._rest:
            piece = next(self._pieces, None)
            if piece is None:
                return 0
            self._rest = piece
        count = min(len(buffer), len(self._rest))
        buffer[:count], self._rest = self._rest[:count], self._rest[count:]
        return count


class Decompressed(io.RawIOBase):
    """Decompressed bytes of all members of a gzip or zstd file; ExpansionError instead of an endless expansion."""

    def __init__(self, raw: IO[bytes], codec: Codec) -> None:
        self._raw, self._total = raw, 0
        if codec == "gzip":
            self._plain: Any = igzip.IGzipFile(fileobj=raw, mode="rb")  # type: ignore[no-untyped-call]
        elif codec == "framed_zstd":
            self._plain = _Chunks(_messages(raw))
        else:
            self._plain = zstandard.ZstdDecompressor().stream_reader(raw, read_across_frames=True)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        count: int = self._plain.readinto(buffer)
        self._total += count
        if self._total > RATIO_FREE and self._total > MAXIMUM_RATIO * max(1, self._raw.tell()):
            raise ExpansionError("expands too far")
        return count


DAMAGE: tuple[type[Exception], ...] = (OSError, EOFError, zlib.error, isal_zlib.error, zstandard.ZstdError)  # type: ignore[assignment]
"""What reading a damaged compressed file raises."""

"""Plain bytes out of gzip and zstd files with any number of members; a decompression bomb ends in an error, not in a full memory."""

import io
import zlib
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


def codec_of(head: bytes) -> Codec:
    if head.startswith(GZIP_MAGIC):
        return "gzip"
    return "zstd" if head.startswith(ZSTD_MAGIC) else "none"


class Decompressed(io.RawIOBase):
    """Decompressed bytes of all members of a gzip or zstd file; ExpansionError instead of an endless expansion."""

    def __init__(self, raw: IO[bytes], codec: Codec) -> None:
        self._raw, self._total = raw, 0
        if codec == "gzip":
            self._plain: Any = igzip.IGzipFile(fileobj=raw, mode="rb")  # type: ignore[no-untyped-call]
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

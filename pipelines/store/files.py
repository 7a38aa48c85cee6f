"""Files and folders by path or fsspec URL: read, written whole or not at all."""

import fcntl
import io
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from pipelines.errors import ConfigurationError, InputError
from pipelines.job import Codec
from pipelines.store.compression import DAMAGE, MAGIC_BYTES, Decompressed, codec_of
from pipelines.store.systems import LOCAL, filesystem


def join(folder: str, *names: str) -> str:
    return "/".join((folder.rstrip("/"), *names))


def exists(uri: str) -> bool:
    system, path = filesystem(uri)
    system.invalidate_cache()
    return bool(system.exists(path))


def names(folder: str) -> list[str]:
    """Names in a folder, sorted; [] where there is no such folder."""
    system, path = filesystem(folder)
    system.invalidate_cache()
    if not system.isdir(path):
        return []
    return sorted(str(name).rstrip("/").rsplit("/", 1)[-1] for name in system.ls(path, detail=False))


READ_AHEAD = 4 << 20
"""s3fs alone would fetch 50 MB, also for the eight bytes that tell how a file is compressed."""


@contextmanager
def opened(uri: str, codec: Codec = "none", *, ahead: int = READ_AHEAD) -> Iterator[IO[bytes]]:
    """A readable binary file, decompressed. Raises InputError when it cannot be opened.

    `ahead`: bytes that are fetched at once from another machine.
    """
    system, path = filesystem(uri)
    try:
        raw = _open(system, path, ahead)
    except OSError as error:
        raise InputError(f"{uri}: cannot be opened: {error.strerror or type(error).__name__}") from error
    with raw:
        yield raw if codec == "none" else Decompressed(raw, codec)  # type: ignore[misc]


def _open(system: Any, path: str, ahead: int) -> Any:
    return Path(path).open("rb", buffering=0) if system is LOCAL else system.open(path, "rb", block_size=ahead)


def head(uri: str, size: int) -> tuple[bytes, Codec]:
    """The first bytes of a file, decompressed, and how it was compressed. A damaged beginning yields what can be read of it."""
    with opened(uri, ahead=1 << 10) as raw:
        first = raw.read(MAGIC_BYTES) or b""
    codec = codec_of(first)
    found = b""
    try:
        with opened(uri, codec, ahead=size) as plain:
            while len(found) < size and (more := plain.read(size - len(found))):
                found += more
    except DAMAGE:
        pass
    return found, codec


def read(uri: str) -> bytes:
    """A whole small file, decompressed by its first bytes. Raises InputError when it does not exist or is damaged."""
    with opened(uri) as raw:
        content = raw.read()
    codec = codec_of(content[:MAGIC_BYTES])
    try:
        return content if codec == "none" else Decompressed(io.BytesIO(content), codec).read()
    except DAMAGE as error:
        raise InputError(f"{uri}: this {codec} file is damaged, or was cut") from error


def write(uri: str, content: bytes) -> None:
    """Put a whole file in its place in one step: it is there completely, or as it was before."""
    system, path = filesystem(uri)
    if system is not LOCAL:
        system.pipe_file(path, bytes(content))  # a buffer of Arrow's is no body for S3
        return
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f".{target.name}.{os.getpid()}.{time.monotonic_ns()}.tmp")
    try:
        temporary.write_bytes(content)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


def remove(uri: str) -> None:
    """Delete a file or a folder with all that is in it; nothing happens where there is none."""
    system, path = filesystem(uri)
    if system.exists(path):
        system.rm(path, recursive=True)
        system.invalidate_cache()


def move(source: str, target: str) -> None:
    """Move one file; on a local disk in one step."""
    system, path = filesystem(source)
    to = filesystem(target)[1]
    if system is LOCAL:
        Path(to).parent.mkdir(parents=True, exist_ok=True)
        Path(path).replace(to)
    else:
        system.mv(path, to)


@contextmanager
def exclusive(folder: str) -> Iterator[None]:
    """Hold a local folder for this process alone, making it where there is none; ends with the process, also when it is killed.

    Raises ConfigurationError when another process holds it, or nothing can be written there. Object stores have no such lock: there
    the later run wins.
    """
    system, path = filesystem(folder)
    if system is not LOCAL:
        yield
        return
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_RDONLY)
    except OSError as error:
        raise ConfigurationError(f"{folder}: no folder that can be written to: {error.strerror}") from error
    try:
        if not os.access(path, os.W_OK | os.X_OK):
            raise ConfigurationError(f"{folder}: no folder that can be written to")
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError as error:
        raise ConfigurationError(
            f"{folder}: another run is writing there; wait for it or name another folder"
        ) from error
    finally:
        os.close(handle)

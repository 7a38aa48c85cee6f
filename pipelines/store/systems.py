"""The file system of a path or URL: that of this machine, which costs no import, or one of fsspec, loaded when a URL asks for it."""

import os
import shutil
from pathlib import Path
from typing import Any

from pipelines.errors import InputError


class LocalFiles:
    """Files of this machine, with as much of fsspec's interface as the store uses; importing fsspec takes 0.07 s."""

    def exists(self, path: str) -> bool:
        return Path(path).exists()

    def isdir(self, path: str) -> bool:
        return Path(path).is_dir()

    def ls(self, path: str, *, detail: bool = False) -> list[str]:
        return [str(inner) for inner in Path(path).iterdir()]

    def glob(self, path: str, *, detail: bool = True) -> dict[str, Any]:
        from fsspec.implementations.local import LocalFileSystem

        found: dict[str, Any] = LocalFileSystem().glob(path, detail=True)
        return found

    def info(self, path: str) -> dict[str, Any]:
        return {}

    def rm(self, path: str, *, recursive: bool) -> None:
        if Path(path).is_dir():
            shutil.rmtree(path)
        else:
            Path(path).unlink()

    def invalidate_cache(self) -> None:
        """Nothing is cached."""


LOCAL = LocalFiles()


def filesystem(uri: str) -> tuple[Any, str]:
    """LOCAL or an fsspec file system for a path or URL, and the path inside it.

    A URL has "://"; any other colon is part of a file's name. Raises InputError for an empty name and an unknown protocol.
    """
    if not uri.strip():
        raise InputError("a file or folder has an empty name; write . for the folder you are in")
    if uri.startswith("file:/"):
        return LOCAL, _absolute(uri.removeprefix("file://") if uri.startswith("file://") else uri.removeprefix("file:"))
    if "://" not in uri:
        return LOCAL, _absolute(str(Path(uri).expanduser()) if uri.startswith("~") else uri)
    import fsspec
    from fsspec.implementations.local import LocalFileSystem

    try:
        system, path = fsspec.url_to_fs(uri)
    except (ValueError, ImportError) as error:
        raise InputError(f"{uri}: this kind of URL cannot be opened: {error}") from error
    return (LOCAL if isinstance(system, LocalFileSystem) else system), path


def is_local(uri: str) -> bool:
    return filesystem(uri)[0] is LOCAL


def _absolute(path: str) -> str:
    """The absolute path, with its `..` as they are: behind a link they are not what they seem."""
    path = "" if path == "." else path.removeprefix("./")
    return (path if path.startswith("/") else f"{Path.cwd()}/{path}").rstrip("/") or os.sep

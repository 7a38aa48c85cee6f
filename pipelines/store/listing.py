"""The files that a path, glob, folder or URL stands for, each with its size and a version that changes when its bytes do."""

import os
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from pipelines.errors import InputError
from pipelines.store.systems import LOCAL, filesystem

Details = dict[str, Any]


class Entry(msgspec.Struct, frozen=True):
    """One file as its store names it; `version` changes when its bytes do."""

    uri: str
    size: int
    version: str
    named: bool = False
    """It was asked for by its own name, not by a folder or a glob."""


def entries(uri: str) -> list[Entry]:
    """Files that a path, glob, folder or URL stands for, sorted; folders recursively, without names that begin with . or _.

    Raises InputError when there is none, and for a local name that is a pipe or a device: those can be read only once.
    """
    system, path = filesystem(uri)
    named = False
    if any(sign in path for sign in "*?[") and not system.exists(path):
        found: dict[str, Details] = {}
        for name, details in system.glob(path, detail=True).items():
            found |= dict(_below(system, name)) if system.isdir(name) else {name: details}
    elif system.isdir(path):
        found = dict(_below(system, path))
    else:
        named = system.exists(path)
        found = {path: system.info(path)} if named else {}
    if system is LOCAL:
        if named and not Path(path).is_file():
            raise InputError(f"{uri}: is no regular file; write what it gives to a file first")
        found = {name: details for name, details in found.items() if Path(name).is_file()}
    if not found:
        raise InputError(f"{uri}: no such file, or nothing in it")
    return [_entry(system, name, details, asked=uri, named=named) for name, details in sorted(found.items())]


def all_entries(uris: Iterable[str], *, without: str = "") -> list[Entry]:
    """The files of all names, each once: by the first of its names where it is named twice, or by a link and by itself.

    `without`: a folder whose files are left out, as that of an earlier result. Raises InputError where no other is left.
    """
    every: dict[str, Entry] = {}
    for entry in (entry for uri in uris for entry in entries(uri)):
        every.setdefault(_itself(entry.uri), entry)
    own = f"{_itself(without.rstrip('/'))}/" if without else None
    found = [entry for name, entry in every.items() if own is None or not name.startswith(own)]
    if every and not found:
        raise InputError(f"{without}: the inputs hold nothing but this result")
    return found


def _itself(uri: str) -> str:
    system, path = filesystem(uri)
    if system is not LOCAL:
        return uri
    file = Path(path)
    return str(file.resolve() if file.is_symlink() else _real_folder(file.parent) / file.name)


@cache
def _real_folder(folder: Path) -> Path:
    return folder.resolve()


def _below(system: Any, folder: str) -> Iterator[tuple[str, Details]]:
    """Every file below a folder that is not hidden in it."""
    root = folder.rstrip("/")
    files = _local_below(root or "/") if system is LOCAL else system.find(root, detail=True).items()
    for name, details in files:
        if not any(part[:1] in "._" for part in name[len(root) :].strip("/").split("/")):
            yield name, details


def _local_below(root: str) -> Iterator[tuple[str, Details]]:
    """Every file below a local folder; links to folders are followed after it, but no folder is entered twice."""
    folders, links, seen = [Path(root)], list[Path](), set[Path]()
    while folders or links:
        folder = folders.pop() if folders else links.pop(0)
        if folder.resolve() in seen or not os.access(folder, os.R_OK | os.X_OK):
            continue
        seen.add(folder.resolve())
        for inner in sorted(folder.iterdir()):
            if inner.is_dir():
                (links if inner.is_symlink() else folders).append(inner)
            else:
                yield str(inner), {}


def _entry(system: Any, name: str, details: Details, *, asked: str, named: bool) -> Entry:
    if system is LOCAL:
        state = Path(name).stat()
        uri = name if asked.startswith(("/", "file:")) else os.path.relpath(name)
        uri = uri if not asked.startswith("file:") else f"file://{name}"
        return Entry(uri=uri, size=state.st_size, version=str(state.st_mtime_ns), named=named)
    version = details.get("ETag") or details.get("etag") or details.get("mtime") or details.get("LastModified") or ""
    size = int(details.get("size") or 0)
    return Entry(uri=system.unstrip_protocol(name), size=size, version=str(version), named=named)

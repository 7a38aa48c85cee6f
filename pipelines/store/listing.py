"""The files that a path, glob, folder or URL stands for, each with its size and a version that changes when its bytes do."""

import logging
import os
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from pipelines.errors import InputError
from pipelines.store import files
from pipelines.store.systems import LOCAL, filesystem

Details = dict[str, Any]
CLOSED: Details = {"closed": True}
"""Stands for what a local folder holds that may not be read."""
LARGEST_MANIFEST = 16 << 20

_log = logging.getLogger("leakrate")


class Entry(msgspec.Struct, frozen=True):
    """One file as its store names it; `version` changes when its bytes do."""

    uri: str
    size: int
    version: str
    named: bool = False
    """It was asked for by its own name, not by a folder or a glob."""


def entries(uri: str, *, named_by_user: bool = True) -> list[Entry]:
    """Files that a path, glob, folder or URL stands for, sorted; folders recursively, without names that begin with . or _.

    A folder inside that may not be read stands in the place of its files, with size 0. `named_by_user` False: the name comes from an
    earlier listing, so that nobody named a file or folder.

    Raises InputError when there is none, for a folder that may not be read itself, and for a local name that is a pipe or a device:
    those can be read only once.
    """
    system, path = filesystem(uri)
    named = False
    if any(sign in path for sign in "*?[") and not system.exists(path):
        found: dict[str, Details] = {}
        for name, details in system.glob(path, detail=True).items():
            found |= dict(_below(system, name)) if system.isdir(name) else {name: details}
    elif system.isdir(path):
        found = dict(_below(system, path))
        if path in found and named_by_user:
            raise InputError(f"{uri}: may not be read")
    else:
        named = system.exists(path)
        found = {path: system.info(path)} if named else {}
    if system is LOCAL:
        if named and not Path(path).is_file():
            raise InputError(f"{uri}: is no regular file; write what it gives to a file first")
        found = {name: details for name, details in found.items() if details is CLOSED or Path(name).is_file()}
    if not found:
        raise InputError(f"{uri}: no such file, or nothing in it")
    return [
        _entry(system, name, details, asked=uri, named=named and named_by_user)
        for name, details in sorted(found.items())
    ]


def all_entries(uris: Iterable[str], *, without: str = "", named: Collection[str] | None = None) -> list[Entry]:
    """The files of all names, each once: by the first of its names where it is named twice, or by a link and by itself.

    `without`: a folder whose files are left out, the result of this run. Those of other results are left out too, and one line on
    the log says so, unless they are asked for by their own names. `named`: those of `uris` that the user
    named; None: all. Raises InputError where nothing is left.
    """
    uris, every = tuple(uris), dict[str, Entry]()
    for entry in (one for uri in uris for one in entries(uri, named_by_user=named is None or uri in named)):
        every.setdefault(_itself(entry.uri), entry)
    own = f"{_itself(without.rstrip('/'))}/" if without else None
    found = [entry for name, entry in every.items() if own is None or not name.startswith(own)]
    if every and not found:
        raise InputError(f"{without}: the inputs hold nothing but this result")
    logs = _without_results(found)
    if found and not logs:
        raise InputError(f"{', '.join(uris)}: the inputs hold nothing but results of leakrate")
    return logs


def _without_results(found: list[Entry]) -> list[Entry]:
    manifests = [entry for entry in found if entry.uri.rsplit("/", 1)[-1] == "manifest.json" and not entry.named]
    folders = [entry.uri.removesuffix("manifest.json") for entry in manifests if _of_leakrate(entry)]
    for folder in folders:
        _log.warning("%s is a result of leakrate and is not read as logs", folder)
    return [entry for entry in found if entry.named or not entry.uri.startswith(tuple(folders))]


def _of_leakrate(manifest: Entry) -> bool:
    if manifest.size > LARGEST_MANIFEST:
        return False
    try:
        said = msgspec.json.decode(files.read(manifest.uri))
    except (InputError, OSError, ValueError):
        return False
    return isinstance(said, dict) and {"leakrate", "rules", "inputs"} <= said.keys()


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
    below = _local_below(root or "/") if system is LOCAL else system.find(root, detail=True).items()
    for name, details in below:
        inner = name[len(root) :].strip("/")
        if not any(part.startswith((".", "_")) for part in inner.split("/")):
            yield name, details


def _local_below(root: str) -> Iterator[tuple[str, Details]]:
    """Every file below a local folder; links to folders are followed after it, but no folder is entered twice."""
    folders, links, seen = [Path(root)], list[Path](), set[Path]()
    while folders or links:
        folder = folders.pop() if folders else links.pop(0)
        if folder.resolve() in seen:
            continue
        seen.add(folder.resolve())
        held = _held(folder)
        if held is None:
            yield str(folder), CLOSED
        for inner in held or ():
            if inner.is_dir():
                (links if inner.is_symlink() else folders).append(inner)
            else:
                yield str(inner), {}


def _held(folder: Path) -> list[Path] | None:
    """What a folder holds, sorted; None when it may not be read."""
    if not os.access(folder, os.R_OK | os.X_OK):
        return None
    try:
        return sorted(folder.iterdir())
    except PermissionError:
        return None


def _entry(system: Any, name: str, details: Details, *, asked: str, named: bool) -> Entry:
    if system is LOCAL:
        state = Path(name).stat()
        uri = name if asked.startswith(("/", "file:")) else os.path.relpath(name)
        uri = uri if not asked.startswith("file:") else f"file://{name}"
        size = 0 if details is CLOSED else state.st_size
        return Entry(uri=uri, size=size, version=str(state.st_mtime_ns), named=named)
    version = details.get("ETag") or details.get("etag") or details.get("mtime") or details.get("LastModified") or ""
    size = int(details.get("size") or 0)
    return Entry(uri=system.unstrip_protocol(name), size=size, version=str(version), named=named)

"""Shards of the inputs, and what each file was taken for: byte ranges of plain lines, row groups of Parquet, small files together."""

import os
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import msgspec

from pipelines import store
from pipelines.errors import ConfigurationError, InputError
from pipelines.formats import FORMATS, mapping, recognise
from pipelines.formats.format import Format, Item
from pipelines.job import Codec, Framing, Options, Piece, Shard
from pipelines.join import bucket_count, digest, joined_shards
from pipelines.plan.framing import framing_of
from pipelines.schema import UNKNOWN

SHARD_BYTES = 64 << 20
SHARD_FILES = 500
HEAD = 256 << 10
LONG_HEAD = 17 << 20


@dataclass(frozen=True)
class Decision:
    """What one file was taken for."""

    uri: str
    size: int
    framing: Framing
    codec: Codec
    format: str
    joins: bool = False
    """Its rows have partners, so they are scattered by call id first."""
    forced: bool = False
    """The user named the format."""
    lends: bool = False
    """Its rows are no turns but complete those of other files, so they are read first."""


@dataclass(frozen=True)
class Plan:
    """All that a run reads: shards in order; before them `scatter`, for files whose rows have partners or complete other files."""

    decisions: tuple[Decision, ...]
    shards: tuple[Shard, ...]
    scatter: tuple[Shard, ...]
    digest: str
    """Of the names, sizes and versions of all inputs."""


def plan(
    inputs: Iterable[str],
    options: Options,
    *,
    format: str = "auto",
    own: Format | None = None,
    named: Collection[str] | None = None,
) -> Plan:
    """The plan of a run; the files of its own output are no inputs.

    `own`: the user's mapping (by default the one that `options` names), asked before the formats in FORMATS. `named`: the files
    that the user asked for by name, where `inputs` names more.

    Raises InputError for an input that is missing, or named and closed to us, ConfigurationError for an unknown format, before any work.
    """
    own = own or own_mapping(options)
    known = (*(() if own is None else (own,)), *FORMATS)
    if format != "auto" and format not in [one.name for one in known]:
        allowed = ", ".join(sorted(one.name for one in known))
        raise ConfigurationError(f"--format {format}: no such format; allowed: auto, {allowed}")
    files = {entry.uri: entry for entry in store.all_entries(inputs, without=options.work.rpartition("/")[0])}
    forced = next((one for one in known if one.name == format), None)
    decisions = tuple(
        _decide(entry, forced, own, needed=entry.named if named is None else entry.uri in named)
        for entry in files.values()
    )
    versions = {uri: f"{entry.size}|{entry.version}" for uri, entry in files.items()}
    files_named = [store.read(uri) for uri in (options.deployments, options.mapping) if uri is not None]
    salt = digest(
        msgspec.json.encode(msgspec.structs.replace(options, work="", labels=None)), code_version(), *files_named
    )
    pieces = [(decision, list(_pieces(decision))) for decision in decisions]
    lending = _lending([piece for one, parts in pieces if one.lends for piece in parts], versions, salt, options.work)
    lent = lending[0].lent if lending else ""
    alone = (piece for one, parts in pieces if not (one.joins or one.lends) for piece in parts)
    partners = [piece for one, parts in pieces if one.joins and not one.lends for piece in parts]
    shards = _shards(alone, versions, digest(salt, lent))
    scatter = tuple(
        msgspec.structs.replace(shard, scatter=bucket_count(partners))
        for shard in _shards(partners, versions, digest(salt, lent))
    )
    readers = (*shards, *joined_shards(scatter, options.work, first=len(shards)))
    return Plan(
        decisions=decisions,
        scatter=(*scatter, *(msgspec.structs.replace(one, number=len(scatter) + one.number) for one in lending)),
        shards=tuple(msgspec.structs.replace(shard, lent=lent) for shard in readers),
        digest=digest(*(f"{uri}|{version}" for uri, version in sorted(versions.items()))),
    )


def _lending(pieces: list[Piece], versions: dict[str, str], salt: str, work: str) -> tuple[Shard, ...]:
    """The shards of files that complete others, and where they put what they know."""
    shards = _shards(pieces, versions, salt)
    folder = store.join(work, "lent", digest(*(shard.sid for shard in shards)))
    return tuple(msgspec.structs.replace(shard, lends=True, lent=folder) for shard in shards)


def own_mapping(options: Options) -> Format | None:
    """The format that the user's mapping file declares; ConfigurationError says what is wrong in it, before any work."""
    if options.mapping is None:
        return None
    return mapping.load(store.read(options.mapping).decode("utf-8", "replace"), options.mapping)


def _decide(entry: store.Entry, forced: Format | None, own: Format | None, *, needed: bool) -> Decision:
    try:
        head, codec = _head(entry.uri)
    except InputError:
        if needed:
            raise
        return Decision(uri=entry.uri, size=entry.size, framing="lines", codec="none", format=UNKNOWN)
    framing, items = framing_of(head, whole=len(head) < HEAD)
    if framing == "empty" and codec != "none":
        framing = "lines"
    if framing == "parquet":
        items = _parquet_items(entry.uri)
    found = forced or _own(own, items) or recognise(items, _kind(framing))
    if found is not None and found.framing == "text" and framing != "empty":
        framing = "text"
    return Decision(
        uri=entry.uri,
        size=entry.size,
        framing=framing,
        codec=codec,
        format=found.name if found is not None else UNKNOWN,
        joins=found is not None and found.join_key is not None,
        forced=forced is not None,
        lends=found is not None and found.lend is not None,
    )


def _head(uri: str) -> tuple[bytes, Codec]:
    head, codec = store.head(uri, HEAD)
    return store.head(uri, LONG_HEAD) if len(head) == HEAD and b"\n" not in head else (head, codec)


def _own(own: Format | None, items: list[Item]) -> Format | None:
    return own if own is not None and any(own.recognise(item) for item in items) else None


def _kind(framing: Framing) -> str:
    """The framing as formats name it."""
    return framing if framing in ("text", "sse") else "json"


def _parquet_items(uri: str) -> list[Item]:
    """The first rows; none of a damaged file, which becomes a reject when it is read."""
    from pipelines.ingest.rows import first_rows

    try:
        with store.opened(uri) as file:
            return first_rows(file)
    except store.DAMAGE:
        return []


def _pieces(decision: Decision) -> Iterator[Piece]:
    def piece(start: int, end: int, size: int) -> Piece:
        return Piece(decision.uri, decision.framing, decision.format, decision.codec, start, end, size, decision.forced)

    whole = decision.joins or decision.lends
    divisible = decision.framing == "lines" and decision.codec == "none" and not whole
    if decision.framing == "parquet":
        from pipelines.ingest.rows import row_groups

        try:
            with store.opened(decision.uri) as file:
                yield from (piece(*group) for group in row_groups(file, SHARD_BYTES))
        except store.DAMAGE:
            yield piece(0, 0, decision.size)
        return
    count = max(1, round(decision.size / SHARD_BYTES)) if divisible else 1
    borders = [decision.size * part // count for part in range(count + 1)]
    yield from (piece(start, end, end - start) for start, end in pairwise(borders))


def _shards(pieces: Iterable[Piece], versions: dict[str, str], salt: str) -> tuple[Shard, ...]:
    groups: list[list[Piece]] = []
    size = SHARD_BYTES
    for piece in pieces:
        part = piece.start > 0 or piece.size > SHARD_BYTES // 2
        if not groups or part or size + piece.size > SHARD_BYTES or len(groups[-1]) >= SHARD_FILES:
            groups.append([])
            size = 0
        groups[-1].append(piece)
        size = SHARD_BYTES if part else size + piece.size
    return tuple(
        Shard(
            digest(salt, *(f"{msgspec.json.encode(piece)!r}|{versions[piece.uri]}" for piece in group)),
            number,
            tuple(group),
        )
        for number, group in enumerate(groups)
    )


def code_version() -> str:
    """Changes whenever a file of the package does, so that no unfinished work of other code is taken up."""
    root = str(Path(__file__).parent.parent)
    return digest(*sorted(_states(root, len(root))))


def _states(folder: str, root: int) -> Iterator[str]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                yield from _states(entry.path, root)
            elif entry.name.endswith((".py", ".toml")):
                state = entry.stat()
                yield f"{entry.path[root:]}|{state.st_size}|{state.st_mtime_ns}"

"""Partners put together: items that tell of one call are scattered into buckets by its id, and each bucket is then read as a shard.

Batch results meet their requests, spans of one call each other, whatever files and shards they lie in. A bucket holds about
BUCKET_BYTES of JSON, so memory does not grow with the input.
"""

from collections.abc import Iterable, Iterator
from hashlib import blake2b
from typing import Any

import msgspec

from pipelines import store
from pipelines.formats.format import Format, Item, Outcome, Partner, Place, Skipped
from pipelines.job import Piece, Shard
from pipelines.schema import UNKNOWN, Record

BUCKET_BYTES = 8 << 20
_USUAL_RATIO = 8
"""Plain to compressed bytes of a log, for the number of buckets only."""
_encode = msgspec.json.Encoder(enc_hook=str).encode
_decode = msgspec.json.Decoder(tuple[str, str, str, int, Any]).decode


def bucket_count(pieces: Iterable[Piece]) -> int:
    size = sum(piece.size * (1 if piece.codec == "none" else _USUAL_RATIO) for piece in pieces)
    return -(-size // BUCKET_BYTES) or 1


def joined_shards(scatter: tuple[Shard, ...], work: str, *, first: int) -> tuple[Shard, ...]:
    """The shards of the buckets into which these shards are scattered; numbered from `first`."""
    if not scatter:
        return ()
    family = digest(*(shard.sid for shard in scatter))
    size = sum(shard.size for shard in scatter) // scatter[0].scatter
    shards = []
    for bucket in range(scatter[0].scatter):
        parts = tuple(Piece(bucket_uri(work, bucket, shard.sid), "joined", UNKNOWN) for shard in scatter)
        parts = (msgspec.structs.replace(parts[0], size=size), *parts[1:])
        shards.append(Shard(digest(family, str(bucket)), first + bucket, parts))
    return tuple(shards)


def bucket_uri(work: str, bucket: int, sid: str) -> str:
    return store.join(work, "join", f"{bucket:05d}", f"{sid}.jsonl")


class Scatter:
    """The items of one shard by bucket, until they are written."""

    def __init__(self, buckets: int) -> None:
        self._buckets: list[list[bytes]] = [[] for _ in range(buckets)]
        self._items = 0

    def add(self, log_format: Format, item: Item, place: Place) -> None:
        """Put one item where its partners will be; an item without a key goes somewhere, alone."""
        key = log_format.join_key(item) if log_format.join_key is not None else None
        self._items += 1
        key = f"{place.uri}\0{self._items}" if key is None else f"={key}"
        bucket = int(digest(log_format.name, key), 16) % len(self._buckets)
        self._buckets[bucket].append(_encode((log_format.name, key, place.uri, place.position, item)))

    def write(self, work: str, sid: str) -> None:
        for bucket, lines in enumerate(self._buckets):
            store.write(bucket_uri(work, bucket, sid), b"\n".join(lines))


def groups(lines: Iterable[bytes]) -> Iterator[tuple[str, tuple[Partner, ...]]]:
    """Format and partners of each call in a bucket, partners and calls in the order of their places."""
    found: dict[tuple[str, str], list[Partner]] = {}
    for line in lines:
        if line:
            name, key, uri, position, item = _decode(line)
            found.setdefault((name, key), []).append(Partner(item, Place(uri, position)))
    calls = [(name, tuple(sorted(partners, key=_order))) for (name, _), partners in found.items()]
    yield from sorted(calls, key=lambda call: _order(call[1][0]))


def _order(partner: Partner) -> tuple[str, int]:
    return partner.place.uri, partner.place.position


def shares(partners: tuple[Partner, ...], outcomes: list[Outcome]) -> list[tuple[Place, list[Outcome]]]:
    """Which outcomes each partner accounts for: the records of one call for the partner that shows it, else one of the others."""
    waiting = list(partners)
    calls: dict[tuple[str, int, str], list[Outcome]] = {}
    for outcome in outcomes:
        if isinstance(outcome, Record):
            call = outcome.call_id or outcome.source_id
            calls.setdefault((outcome.source_uri, outcome.source_pos, call), []).append(outcome)
    shared = []
    for (uri, position, _), records in calls.items():
        place = Place(uri, position)
        mine = next((partner for partner in waiting if partner.place == place), None)
        if mine is not None:
            waiting.remove(mine)
        shared.append((place, records))
    rest: list[Outcome] = [outcome for outcome in outcomes if not isinstance(outcome, Record)]
    for partner in waiting:
        shared.append((partner.place, [rest.pop(0)] if rest else [Skipped("empty")]))
    if rest and shared:
        shared[-1][1].extend(rest)
    return shared


def digest(*parts: str | bytes) -> str:
    """32 hex digits that name these parts in this order."""
    joined = b"\0".join(part if isinstance(part, bytes) else part.encode("utf-8", "replace") for part in parts)
    return blake2b(joined, digest_size=16).hexdigest()

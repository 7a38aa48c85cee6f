"""What engine logs and access logs know, laid where every shard finds it by request id, and given to the turns of other logs.

Each lending file leaves its rows and their keys beside one another; a shard holds only the keys (20 bytes a row) in memory and reads
a row when one of its turns has the same id.
"""

from collections.abc import Iterable
from functools import lru_cache
from hashlib import blake2b

import msgspec
import numpy as np

from pipelines import store
from pipelines.formats.lending import LENT_FIELDS, complete, names
from pipelines.schema import Record, Usage

_KEY = np.dtype([("key", "<u8"), ("file", "<u4"), ("start", "<u8"), ("size", "<u4")])
_MOST = 8
"""Rows that one turn may borrow from: engine log, access log, and no endless row of rows with an empty id."""


class LentRow(msgspec.Struct, omit_defaults=True):
    """The fields of a row that it may lend."""

    known: dict[str, str | float]
    usage: tuple[int | None, int | None, int | None] = (None, None, None)


_decode = msgspec.json.Decoder(LentRow).decode


class Lending:
    """The rows that one shard lends, until they are written."""

    def __init__(self) -> None:
        self._rows: list[bytes] = []
        self._keys: list[tuple[int, int, int, int]] = []
        self._size = 0

    def add(self, record: Record) -> None:
        known = {name: value for name in LENT_FIELDS if (value := getattr(record, name)) is not None}
        usage = record.usage
        row = msgspec.json.encode(LentRow(known, (usage.input, usage.output, usage.reasoning)))
        self._keys.extend((_hash(name), 0, self._size, len(row)) for name in names(record))
        self._rows.append(row)
        self._size += len(row)

    def write(self, folder: str, sid: str) -> None:
        store.write(store.join(folder, f"{sid}.rows"), b"".join(self._rows))
        store.write(store.join(folder, f"{sid}.keys"), np.array(self._keys, dtype=_KEY).tobytes())


class Lent:
    """The rows of all lending shards by key."""

    def __init__(self, files: tuple[str, ...], keys: "np.ndarray") -> None:
        self._files = files
        self._keys = np.sort(keys, order=["key", "file", "start"])
        self._column = np.ascontiguousarray(self._keys["key"])

    def complete(self, record: Record) -> None:
        """Give a turn what the rows with one of its ids know; the first id that any row has decides."""
        for name in names(record):
            key = np.uint64(_hash(name))
            first, last = (int(np.searchsorted(self._column, key, side)) for side in ("left", "right"))
            if first < last:
                for entry in self._keys[first : min(last, first + _MOST)]:
                    complete(record, _record(self._row(entry)))
                return

    def _row(self, entry: "np.void") -> LentRow:
        with store.opened(self._files[int(entry["file"])]) as file:
            file.seek(int(entry["start"]))
            return _decode(file.read(int(entry["size"])))


@lru_cache(maxsize=1)
def lent(folder: str) -> Lent:
    """The rows that lie in a folder, found once in each process."""
    sids = sorted(name.removesuffix(".keys") for name in store.names(folder) if name.endswith(".keys"))
    parts = []
    for number, sid in enumerate(sids):
        keys = np.frombuffer(store.read(store.join(folder, f"{sid}.keys")), dtype=_KEY).copy()
        keys["file"] = number
        parts.append(keys)
    files = tuple(store.join(folder, f"{sid}.rows") for sid in sids)
    return Lent(files, np.concatenate(parts) if parts else np.empty(0, dtype=_KEY))


def lend_all(records: Iterable[object], lending: Lending) -> None:
    """Keep the records among what a lending row yields."""
    for record in records:
        if isinstance(record, Record):
            lending.add(record)


def _record(row: LentRow) -> Record:
    made = Record(source_id="", source_uri="", source_pos=0, usage=Usage(*row.usage))
    for name, value in row.known.items():
        setattr(made, name, value)
    return made


def _hash(name: str) -> int:
    return int.from_bytes(blake2b(name.encode("utf-8", "replace"), digest_size=8).digest(), "little")

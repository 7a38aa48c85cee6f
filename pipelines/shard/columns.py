"""Rows of a shard as Arrow batches: lists of numbers per row, and dictionary columns taken from the profiles' codes."""

from collections.abc import Iterable, Sequence

import numpy as np
import pyarrow as pa

from pipelines.formats.format import Rejected
from pipelines.schema import DETECTION, GROUP, REJECT, TURN, Finding, Record
from pipelines.shard.profiles import NAMES, Profile

_dictionary = pa.dictionary(pa.int32(), pa.string())
STAGED_TURN = pa.schema(
    [
        *TURN,
        pa.field("item", pa.int64(), nullable=False),
        pa.field("response", pa.uint64(), nullable=True),
        pa.field("coverage", _dictionary, nullable=False),
    ]
)
"""TURN before duplicates are known. `item`: number of the item in its piece; `response`: hash by which a later turn of the chain
names this one; `coverage`: counters that the turn raises if it counts. Positions count from the beginning of the piece."""
STAGED_DETECTION = pa.schema([*DETECTION, pa.field("row", pa.int64(), nullable=False)])
"""DETECTION, with the number of its turn's row in the same piece."""
STAGED_REJECT = REJECT

_PLAIN = (
    "turn_key",
    "conversation",
    "request",
    "source_pos",
    "choice",
    "time",
    "position",
    "output_tokens",
    "reasoning_tokens",
    "extra_tokens",
    "item",
    "response",
)
_FLAGS = ("answered", "body_logged", "has_reasoning", "sampling_fraction")


def dictionary(codes: np.ndarray, values: Sequence[object], kind: pa.DataType) -> pa.DictionaryArray:
    """A dictionary column with each value once, in the order of its first row: equal rows give equal bytes."""
    used, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
    place: dict[object, int] = {}
    of_used = np.empty(len(used), np.int32)
    for index in np.argsort(first, kind="stable"):
        of_used[index] = place.setdefault(values[used[index]], len(place))
    return pa.DictionaryArray.from_arrays(
        pa.array(of_used[inverse.reshape(-1)], pa.int32()), pa.array(list(place), kind)
    )


def constant(value: str, length: int) -> pa.DictionaryArray:
    return dictionary(np.zeros(length, np.int32), [value], pa.string())


class TurnRows:
    """TURN rows of one shard until they are taken as a batch."""

    def __init__(self, measures: int) -> None:
        self._width = (measures + 7) // 8
        self._plain: tuple[list[object], ...] = tuple([] for _ in _PLAIN)
        self._profile: list[int] = []
        self._bits: list[int] = []
        self._known_bits: dict[tuple[int, int], int] = {}
        self._append = tuple(column.append for column in self._plain)
        self._uris: list[str] = []

    def __len__(self) -> int:
        return len(self._profile)

    def add(self, record: Record, profile: Profile, bits: tuple[int, int], values: tuple[object, ...]) -> None:
        """One row; `values` in the order of the plain columns, `bits` eligible and fired."""
        for append, value in zip(self._append, values, strict=True):
            append(value)
        self._profile.append(profile.number)
        self._bits.append(self._known_bits.setdefault(bits, len(self._known_bits)))
        self._uris.append(record.source_uri)

    def take(self, profiles: Sequence[Profile]) -> pa.RecordBatch:
        """The rows so far as a batch of STAGED_TURN; the collection is empty afterwards."""
        profile, bits = np.array(self._profile, np.int64), np.array(self._bits, np.int64)
        columns = {
            name: pa.array(values, STAGED_TURN.field(name).type)
            for name, values in zip(_PLAIN, self._plain, strict=True)
        }
        for index, name in enumerate(NAMES):
            columns[name] = dictionary(profile, [one.names[index] for one in profiles], pa.string())
        columns["coverage"] = dictionary(profile, [one.coverage for one in profiles], pa.string())
        for index, name in enumerate(_FLAGS):
            values = pa.array([one.flags[index] for one in profiles], STAGED_TURN.field(name).type)
            columns[name] = values.take(pa.array(profile))
        known = [(self._packed(eligible), self._packed(fired)) for eligible, fired in self._known_bits]
        columns["eligible"] = dictionary(bits, [pair[0] for pair in known], pa.binary())
        columns["fired"] = dictionary(bits, [pair[1] for pair in known], pa.binary())
        columns["source_file"] = strings(self._uris)
        for column in self._plain:
            column.clear()
        for rest in (self._profile, self._bits, self._uris):
            rest.clear()
        return pa.record_batch([columns[name] for name in STAGED_TURN.names], schema=STAGED_TURN)

    def _packed(self, bits: int) -> bytes:
        return bits.to_bytes(self._width, "little")


def strings(values: Iterable[str]) -> pa.DictionaryArray:
    """A dictionary column of the values."""
    place: dict[str, int] = {}
    codes = [place.setdefault(value, len(place)) for value in values]
    return pa.DictionaryArray.from_arrays(pa.array(codes, pa.int32()), pa.array(list(place), pa.string()))


class DetectionRows:
    """DETECTION rows of one shard."""

    def __init__(self) -> None:
        self._rows: list[dict[str, object]] = []

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, record: Record, profile: Profile, finding: Finding, values: tuple[int, int, str | None]) -> None:
        """One finding; `values`: number of the turn's row, turn key, evidence."""
        row, turn_key, evidence = values
        group = {name: value for name, value in zip(NAMES, profile.names, strict=True) if name in GROUP}
        self._rows.append(
            {
                "source_id": record.source_id,
                "source_uri": record.source_uri,
                "source_pos": record.source_pos,
                "choice": record.choice,
                "turn_key": turn_key,
                **group,
                **{name: getattr(finding, name) for name in finding.__struct_fields__},
                "evidence": evidence,
                "row": row,
            }
        )

    def take(self) -> pa.RecordBatch:
        columns = []
        for field in STAGED_DETECTION:
            values = [row[field.name] for row in self._rows]
            encoded = pa.types.is_dictionary(field.type)
            columns.append(strings(map(str, values)) if encoded else pa.array(values, field.type))
        self._rows.clear()
        return pa.record_batch(columns, schema=STAGED_DETECTION)


class RejectRows:
    """REJECT rows of one shard; beyond MOST they are counted in coverage but not listed."""

    MOST = 1000

    def __init__(self) -> None:
        self._rows: list[tuple[str, int, str, str, str]] = []

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, uri: str, position: int, stage: str, rejected: Rejected) -> None:
        if len(self._rows) < self.MOST:
            self._rows.append((uri, position, stage, rejected.code, rejected.message))

    def take(self) -> pa.RecordBatch:
        columns = list(zip(*self._rows, strict=True)) or [()] * len(STAGED_REJECT)
        arrays = [pa.array(values, field.type) for values, field in zip(columns, STAGED_REJECT, strict=True)]
        return pa.record_batch(arrays, schema=STAGED_REJECT)

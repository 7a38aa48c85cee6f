"""Rows of a shard as Arrow batches: lists of numbers per row, and dictionary columns taken from the profiles' codes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
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

PLAIN = (
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


@dataclass(frozen=True)
class Codes:
    """Codes of rows, made dense in the order of their first row, so that equal rows give equal bytes."""

    used: list[int]
    """The code that each dense one stands for."""
    dense: npt.NDArray[np.int32]

    @classmethod
    def of(cls, codes: npt.NDArray[np.int64]) -> "Codes":
        used, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
        order = np.argsort(first, kind="stable")
        rank = np.empty(len(used), np.int32)
        rank[order] = np.arange(len(used), dtype=np.int32)
        return cls(used[order].tolist(), rank[inverse.reshape(-1)])

    def dictionary(self, values: Sequence[object], kind: pa.DataType) -> pa.DictionaryArray:
        """The values of the rows' codes as a dictionary column in which each value stands once."""
        place: dict[object, int] = {}
        of_used = np.array([place.setdefault(values[code], len(place)) for code in self.used], np.int32)
        rows = of_used[self.dense] if len(place) > 1 else np.zeros(len(self.dense), np.int32)
        return pa.DictionaryArray.from_arrays(pa.array(rows), pa.array(list(place), kind))

    def plain(self, values: Sequence[object], kind: pa.DataType) -> pa.Array:
        """The values of the rows' codes as a plain column."""
        return pa.array([values[code] for code in self.used], kind).take(pa.array(self.dense))


class TurnRows:
    """TURN rows of one shard until they are taken as a batch."""

    def __init__(self, measures: int) -> None:
        self._width = (measures + 7) // 8
        self._rows: list[tuple[object, ...]] = []

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, *row: object) -> None:
        """One row: URI of the source, number of the profile, bits (eligible, fired), then the values of PLAIN."""
        self._rows.append(row)

    def take(self, profiles: Sequence[Profile]) -> pa.RecordBatch:
        """The rows so far as a batch of STAGED_TURN; the collection is empty afterwards."""
        columns = list(zip(*self._rows, strict=True)) or [()] * (3 + len(PLAIN))
        self._rows.clear()
        arrays = {
            name: pa.array(values, STAGED_TURN.field(name).type)
            for name, values in zip(PLAIN, columns[3:], strict=True)
        }
        known: dict[object, int] = {}
        bits = Codes.of(np.array([known.setdefault(pair, len(known)) for pair in columns[2]], np.int64))
        profile = Codes.of(np.array(columns[1], np.int64))
        for index, name in enumerate(NAMES):
            arrays[name] = profile.dictionary([one.names[index] for one in profiles], pa.string())
        arrays["coverage"] = profile.dictionary([one.coverage for one in profiles], pa.string())
        for index, name in enumerate(_FLAGS):
            arrays[name] = profile.plain([one.flags[index] for one in profiles], STAGED_TURN.field(name).type)
        for index, name in enumerate(("eligible", "fired")):
            packed = [pair[index].to_bytes(self._width, "little") for pair in known]  # type: ignore[index]
            arrays[name] = bits.dictionary(packed, pa.binary())
        arrays["source_file"] = strings(columns[0])
        return pa.record_batch([arrays[name] for name in STAGED_TURN.names], schema=STAGED_TURN)


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

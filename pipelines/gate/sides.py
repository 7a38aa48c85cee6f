"""The two sides of a comparison: counts pooled over everything that is not compared."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipelines.intervals import Floats

POSITIONS = range(1, 6)
MEASURE_KEYS = ("measure_kind", "measure", "measure_version", "tier")
_SUMS = (
    "turns",
    "leaked_turns",
    "conversations",
    "guessed_conversations",
    *(f"at_risk_{position}" for position in POSITIONS),
    *(f"first_leaks_{position}" for position in POSITIONS),
)


@dataclass(frozen=True)
class Side:
    """One measure on one side: candidate or baseline. At risk and first leaks by position 1 to 5."""

    turns: int
    leaked_turns: int
    conversations: int
    guessed: int
    at_risk: Floats
    first_leaks: Floats

    @property
    def followed(self) -> int:
        """Conversations whose first response lies in the run."""
        return int(self.at_risk[0])

    @property
    def leaked(self) -> int:
        """Those that leaked within the first five positions."""
        return int(self.first_leaks.sum())


NOTHING = Side(0, 0, 0, 0, np.zeros(5), np.zeros(5))


def unsplit(counts: pa.Table) -> pa.Table:
    """The COUNT rows of whole groups."""
    return counts.filter(pc.equal(counts["cut"].cast(pa.string()), "all"))


def of_cut(counts: pa.Table, cut: str) -> pa.Table:
    """The COUNT rows of one cut."""
    return counts.filter(pc.equal(counts["cut"].cast(pa.string()), cut))


def of_measures(counts: pa.Table, measures: Sequence[str]) -> pa.Table:
    """The COUNT rows of some measures."""
    return counts.filter(pc.is_in(counts["measure"].cast(pa.string()), pa.array(measures, pa.string())))


def pooled(counts: pa.Table, keys: Sequence[str]) -> dict[tuple[str, ...], Side]:
    """Sums over all rows that agree in `keys`, in the order of the keys' values."""
    names = {name: counts[name].cast(pa.string()) for name in keys}
    table = pa.table({**names, **{name: counts[name] for name in _SUMS}})
    summed = table.group_by(list(keys)).aggregate([(name, "sum") for name in _SUMS])
    found = {}
    for row in summed.to_pylist():
        found[tuple(row[key] for key in keys)] = Side(
            turns=row["turns_sum"],
            leaked_turns=row["leaked_turns_sum"],
            conversations=row["conversations_sum"],
            guessed=row["guessed_conversations_sum"],
            at_risk=np.array([row[f"at_risk_{position}_sum"] for position in POSITIONS], np.float64),
            first_leaks=np.array([row[f"first_leaks_{position}_sum"] for position in POSITIONS], np.float64),
        )
    return dict(sorted(found.items()))

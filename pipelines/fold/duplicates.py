"""The turns that count, one per turn key, and the list of the others."""

import numpy as np
import pyarrow as pa

from pipelines.fold.columns import Bools, Ints, codes, names_column, numbers
from pipelines.schema import DUPLICATE

_HIDDEN = ("redacted", "truncated", "external_ref", "encrypted", "shuffled")


def drop_duplicates(turns: pa.Table) -> tuple[pa.Table, pa.Table]:
    """TURN rows that count (one per turn key), and a DUPLICATE row for each of the others.

    All rows with one turn key must be in `turns`. An answer wins over a failed attempt, then content that can be judged, then
    the lowest (source_file, source_pos). A row of the same place and choice as the one that counts is the same turn read
    twice: it is dropped and not listed.
    """
    keys = numbers(turns, "turn_key")
    rising = np.sort(keys)
    if not (rising[1:] == rising[:-1]).any():
        return turns, DUPLICATE.empty_table()
    files, names = codes(turns["source_file"])
    places, choices = numbers(turns, "source_pos"), numbers(turns, "choice")
    order = np.lexsort((choices, places, files, -_shown(turns), ~_answered(turns), keys))
    leads = np.concatenate(([True], keys[order][1:] != keys[order][:-1]))
    winner = order[np.maximum.accumulate(np.where(leads, np.arange(len(order)), 0))]
    same = (files[order] == files[winner]) & (places[order] == places[winner]) & (choices[order] == choices[winner])
    listed = ~leads & ~same
    loser, winner = order[listed], winner[listed]
    columns = [
        pa.array(keys[loser]),
        names_column(files[loser], names),
        pa.array(places[loser]),
        pa.array(choices[loser]),
        names_column(files[winner], names),
        pa.array(places[winner]),
    ]
    return turns.take(pa.array(np.sort(order[leads]))), pa.table(columns, schema=DUPLICATE)


def _answered(turns: pa.Table) -> Bools:
    return numbers(turns, "answered").astype(np.bool_)


def judged(turns: pa.Table) -> Bools:
    """Whether the log shows the content of each turn, or shows that it had none."""
    return np.asarray(_shown(turns) > 0)


def _shown(turns: pa.Table) -> Ints:
    """0 where the content is hidden, 1 where the row has no such field, 2 where it shows the content or that there was none."""
    states, names = codes(turns["content_state"])
    level = np.array([0 if name in _HIDDEN else 1 if name == "absent" else 2 for name in names], np.int64)
    return level[states] * numbers(turns, "body_logged").astype(np.int64)

"""Sparse matrices of what `runtime.Extractor` sees in many texts, for training.

Columns come from the extractor itself, so training cannot judge a text by anything the runtime does not see.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy import sparse

from classifier.runtime import BUCKETS, Extractor

LEAST = 5
"""A column seen in fewer training texts is left out."""


class Seen(NamedTuple):
    """What the extractor saw in some texts."""

    columns: tuple[frozenset[str], ...]
    grams: sparse.csr_matrix
    """texts × BUCKETS, 1/√n for each of the n windows that occur."""


def look(extractor: Extractor, texts: Sequence[str], tools: Sequence[str]) -> Seen:
    """Columns and n-gram matrix of every text, in order."""
    columns, rows, places, values = [], [], [], []
    for number, (text, tool) in enumerate(zip(texts, tools, strict=True)):
        names, found = extractor.look(text, tool)
        columns.append(frozenset(names))
        norm = 1 / np.sqrt(max(sum(map(len, found.values())), 1))
        for present in found.values():
            rows += [number] * len(present)
            places += sorted(present)
            values += [norm] * len(present)
    shape = (len(texts), BUCKETS)
    return Seen(tuple(columns), sparse.csr_matrix((values, (rows, places)), shape=shape, dtype=np.float64))


def names(seen: Seen) -> tuple[str, ...]:
    """The columns that occur in at least LEAST texts, sorted."""
    counts = Counter(name for columns in seen.columns for name in columns)
    return tuple(sorted(name for name, count in counts.items() if count >= LEAST))


def columns(seen: Seen, known: Sequence[str]) -> sparse.csr_matrix:
    """texts × known columns, 1 where the column is seen; columns that are not known are ignored."""
    place = {name: number for number, name in enumerate(known)}
    pairs = [(row, place[name]) for row, held in enumerate(seen.columns) for name in sorted(held) if name in place]
    rows, places = zip(*pairs, strict=True) if pairs else ((), ())
    return sparse.csr_matrix((np.ones(len(pairs)), (rows, places)), shape=(len(seen.columns), len(known)))

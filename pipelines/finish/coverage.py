"""COVERAGE from what shards and parts have counted: one row per source file and format, also for a file in which nothing was."""

from collections import Counter
from collections.abc import Iterable

import pyarrow as pa

from pipelines.schema import COVERAGE

_COLUMNS = frozenset(COVERAGE.names) - {"source_uri", "format", "detail"}
Counts = tuple[tuple[str, str, dict[str, int]], ...]


def coverage_table(files: Iterable[tuple[str, str]], counts: Iterable[Counts]) -> pa.Table:
    """COVERAGE, sorted; `files` names each input with the format that it was taken for.

    An item all of whose turns are duplicates was accepted when it was read and becomes a duplicate here.
    """
    found: dict[tuple[str, str], Counter[str]] = {}
    for part in counts:
        for uri, name, added in part:
            found.setdefault((uri, name), Counter()).update(added)
    seen = {uri for uri, _ in found}
    for uri, name in files:
        if uri not in seen:
            found[uri, name] = Counter()
    rows = []
    for (uri, name), count in sorted(found.items()):
        duplicates = count.pop("duplicate_items", 0)
        count["accepted"] -= duplicates
        count["duplicate"] += duplicates
        detail = sorted((counter, times) for counter, times in count.items() if counter not in _COLUMNS and times)
        rows.append({"source_uri": uri, "format": name, **{c: count[c] for c in _COLUMNS}, "detail": detail})
    return pa.Table.from_pylist(rows, schema=COVERAGE)

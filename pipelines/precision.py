"""PRECISION of rules from a labels file: how many findings of a rule people looked at, and how many of those are leaks.

JSON lines or CSV, one labelled finding a row:

    {"rule_id": "first-sentence-preamble", "rule_version": 1, "correct": true}

`correct` is true where the finding is a leak. Other columns (language, who labelled) are free.
"""

import csv
import io
from collections import Counter
from collections.abc import Iterator, Mapping

import msgspec
import pyarrow as pa

from pipelines.errors import ConfigurationError
from pipelines.schema import PRECISION

_COLUMNS = ("rule_id", "rule_version", "correct")
_MOST_DIGITS = 9
_TRUTH = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


def read_precision(content: bytes, name: str, versions: Mapping[str, int]) -> pa.Table:
    """PRECISION of the rules in `versions` (id → version), counted from the labels; labels of an older version stay apart.

    Raises ConfigurationError that names the file, the row, the column and what is allowed there.
    """
    labels: Counter[tuple[str, str]] = Counter()
    correct: Counter[tuple[str, str]] = Counter()
    for number, row in enumerate(_rows(content, name), 1):
        place = f"{name}, label {number}"
        missing = [column for column in _COLUMNS if row.get(column) in (None, "")]
        if missing:
            raise ConfigurationError(f"{place}: {missing[0]} is missing; a label has {', '.join(_COLUMNS)}")
        rule, version, truth = (str(row[column]).strip() for column in _COLUMNS)
        if rule not in versions:
            raise ConfigurationError(f"{place}: rule_id names no rule; `leakrate rules` lists them")
        if not version.isdecimal() or len(version) > _MOST_DIGITS or not 1 <= int(version) <= versions[rule]:
            raise ConfigurationError(f"{place}: rule_version of {rule} is a whole number from 1 to {versions[rule]}")
        if truth.lower() not in _TRUTH:
            raise ConfigurationError(f"{place}: correct is one of {', '.join(_TRUTH)}")
        key = rule, str(int(version))
        labels[key] += 1
        correct[key] += _TRUTH[truth.lower()]
    rows = [(*key, labels[key], correct[key]) for key in sorted(labels)]
    return pa.Table.from_pylist([dict(zip(PRECISION.names, row, strict=True)) for row in rows], schema=PRECISION)


def _rows(content: bytes, name: str) -> Iterator[Mapping[str, object]]:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"{name} is not UTF-8 text") from error
    if not text.lstrip().startswith("{"):
        yield from _table(text, name)
        return
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            yield msgspec.json.decode(line, type=dict[str, object])
        except (msgspec.MsgspecError, RecursionError) as error:
            raise ConfigurationError(f"{name}, line {number}: not a JSON object") from error


def _table(text: str, name: str) -> Iterator[Mapping[str, object]]:
    rows = csv.DictReader(io.StringIO(text, newline=""))
    try:
        yield from rows
    except csv.Error as error:
        raise ConfigurationError(f"{name}, line {rows.line_num + 1}: not valid CSV: {error}") from error

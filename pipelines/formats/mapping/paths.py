"""Values that a path finds in a decoded row: dots, `[]`, `[0]`, `['a.b']` and `*`, as mapping files write them.

    choices[0].message.content     request.headers['x-team']     spans[].attributes     ['llm.output_messages.*.message.role']

`[]` stands for every element of an array. `*` stands for every key or element, and inside a quoted key for any run of characters
without a dot, so that flattened keys with an index are one path. A map column of Parquet (pairs of key and value) has keys like an object.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_STEP = re.compile(
    r"\.?(?:(?P<key>[^.\[\]'\"*]+)|(?P<any>\*)|\[(?P<index>\d+)\]|(?P<every>\[\])|\[(?P<quote>['\"])(?P<quoted>.+?)(?P=quote)\])"
)
_MOST = 10_000


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a path: a key, an index, every element (`every`), or the keys that fit (`before` and `after` a star)."""

    key: str | None = None
    index: int | None = None
    every: bool = False
    around: tuple[str, ...] = ()


Path = tuple[Step, ...]


def compiled(path: str) -> Path:
    """The steps of a path; ValueError with one sentence where the text is no path."""
    steps: list[Step] = []
    place = 0
    while place < len(path):
        found = _STEP.match(path, place)
        if found is None or (place == 0 and path.startswith(".")):
            raise ValueError(f"{path!r} is not a path: see position {place}; write keys with dots as ['a.b']")
        steps.append(_step(found))
        place = found.end()
    if not steps:
        raise ValueError("a path may not be empty")
    return tuple(steps)


def _step(found: "re.Match[str]") -> Step:
    if found["index"] is not None:
        return Step(index=int(found["index"]))
    if found["every"] or found["any"]:
        return Step(every=True)
    key = found["key"] if found["key"] is not None else found["quoted"]
    return Step(around=tuple(key.split("*"))) if "*" in key else Step(key=key)


def values(path: Path, row: object) -> Iterator[object]:
    """Every value that the path leads to, in the row's order, at most ten thousand; nulls are left out."""
    found: list[object] = [row]
    for step in path:
        found = [below for above in found for below in _below(step, above)][:_MOST]
    return (value for value in found if value is not None)


def _below(step: Step, above: object) -> list[object]:
    if isinstance(above, dict):
        if step.key is not None:
            return [above[step.key]] if step.key in above else []
        if step.every:
            return list(above.values())
        return [value for key, value in above.items() if step.around and _fits(step.around, key)]
    if not isinstance(above, list | tuple):
        return []
    if step.key is not None:
        return [pair[1] for pair in above if isinstance(pair, tuple) and len(pair) == 2 and pair[0] == step.key][-1:]
    if step.every:
        return list(above)
    if step.index is not None:
        return [above[step.index]] if step.index < len(above) else []
    return []


def _fits(around: tuple[str, ...], key: object) -> bool:
    """Whether a key consists of these pieces with something without a dot between each two."""
    if not isinstance(key, str) or not key.startswith(around[0]):
        return False
    place = len(around[0])
    for piece in around[1:-1]:
        at = key.find(piece, place) if piece else -1
        if at <= place - (not piece) or "." in key[place:at]:
            return False
        place = at + len(piece)
    last = around[-1]
    end = len(key) - len(last)
    return key.endswith(last) and end > place and "." not in key[place:end]


def replaced(path: Path, row: object, value: object) -> object:
    """The row with the value where the path leads, copied as far as the path reaches; the row itself where it leads nowhere."""
    if not path:
        return value
    step, rest = path[0], path[1:]
    if step.key is not None and isinstance(row, dict) and step.key in row:
        return {**row, step.key: replaced(rest, row[step.key], value)}
    if step.index is not None and isinstance(row, list) and step.index < len(row):
        return [*row[: step.index], replaced(rest, row[step.index], value), *row[step.index + 1 :]]
    return row

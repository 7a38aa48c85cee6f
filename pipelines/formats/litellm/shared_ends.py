"""Payload lines without the end that they share with lines before them: the price map of the model and what follows it.

The map is two thirds of an untrimmed row and the same in every row of a model, so a line is read up to there once its end is known.
"""

import msgspec

from pipelines.formats.litellm.row import Row

_MAP = b'"model_map_information"'
_MOST = 32
_LONGEST = 1 << 16
_MOST_MISSES = 64
_decode = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode


class SharedEnds:
    """The ends that lines of one file have in common.

    An end is a comma and whole fields of the row up to the line's end, none of which `Row` reads a value from. A line that closes
    with it is, up to the comma and with a brace behind, the same row to `Row`.
    """

    def __init__(self) -> None:
        self._ends: list[bytes] = []
        self._misses = 0

    def cut(self, line: bytes) -> bytes:
        """The row without its shared end, or the line itself."""
        for end in self._ends:
            if line.endswith(end):
                return line[: -len(end)] + b"}"
        if self._misses < _MOST_MISSES and len(self._ends) < _MOST:
            self._learn(line)
        return line

    def _learn(self, line: bytes) -> None:
        self._misses += 1
        comma = line.rfind(b",", 0, max(line.rfind(_MAP), 0))
        if comma > 0 and len(line) - comma < _LONGEST and _tells_nothing(line[comma + 1 :]):
            self._ends.append(line[comma:])


def _tells_nothing(fields: bytes) -> bool:
    try:
        found = _decode(b"{" + fields)
    except msgspec.MsgspecError:
        return False
    read = found.keys() & set(Row.__struct_fields__)
    return all(Row.__annotations__[name] is None and bytes(found[name]) == b"null" for name in read)

"""A payload line without its price map, which is more than half of it and the same for every call of a model."""

from json import JSONDecodeError, JSONDecoder

_KEY = b'"model_map_information":'
_VARIANTS = 4
_MODELS = 1024

_known: dict[bytes, tuple[bytes, ...]] = {}
"""Opening of a price map, which names the model → the whole objects as written."""


def without_prices(line: bytes) -> bytes:
    """The line with an empty price map. Exact: what is left out is one whole JSON object, compared byte by byte with one that was
    read before; a key inside a string could not match, because its quotes would be escaped."""
    key = line.find(_KEY)
    start = line.find(b"{", key + len(_KEY), key + len(_KEY) + 2) if key >= 0 else -1
    comma = line.find(b",", start, start + 256) if start >= 0 else -1
    if comma < 0:
        return line
    opening = line[start:comma]
    for known in _known.get(opening, ()):
        if line.startswith(known, start):
            return line[:start] + b"{}" + line[start + len(known) :]
    _learn(opening, line, start)
    return line


def _learn(opening: bytes, line: bytes, start: int) -> None:
    variants = _known.get(opening, ())
    if len(variants) >= _VARIANTS or (not variants and len(_known) >= _MODELS):
        return
    try:
        text = line[start:].decode()
        _, end = JSONDecoder().raw_decode(text)
    except (UnicodeDecodeError, JSONDecodeError, RecursionError):
        return
    _known[opening] = (*variants, text[:end].encode())

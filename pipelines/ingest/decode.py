"""One JSON item decoded, or the reason why it cannot be: never an exception, never a word of its text.

The ladder: msgspec (strict and fast), then the standard library on text with replacement characters, which takes what real logs hold
(NaN, lone surrogates, broken UTF-8, huge integers), then a reject.
"""

import json
from json import JSONDecodeError

import msgspec

from pipelines.formats.format import Item, Rejected

BOM = b"\xef\xbb\xbf"
DEEPEST = 200
"""Levels of nesting beyond which an item is hostile rather than a log."""

_CONTAINERS = (dict, list)
_strict = msgspec.json.Decoder().decode


def decode(raw: bytes | memoryview) -> Item | Rejected:
    """The decoded item, a Rejected, or None for `null`; blanks, BOM and line ends around it do not matter."""
    try:
        item = _strict(raw)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return _lenient(bytes(raw))
    raw = bytes(raw)
    few_brackets = raw.count(b"{") + raw.count(b"[") <= DEEPEST
    return item if few_brackets or not too_deep(item) else _reject(raw, "too_deep")


def _lenient(raw: bytes) -> Item | Rejected:
    text = raw.removeprefix(BOM).decode("utf-8", "replace").strip(" \t\r\n\x00")
    try:
        item = json.loads(text, strict=False)
    except JSONDecodeError as error:
        return _reject(raw, "truncated_json" if _is_cut(error, text) else "invalid_json")
    except RecursionError:
        return _reject(raw, "too_deep")
    except ValueError:
        return _reject(raw, "invalid_number")
    return _reject(raw, "too_deep") if too_deep(item) else without_surrogates(item)


def _is_cut(error: JSONDecodeError, text: str) -> bool:
    return error.pos >= len(text) - 1 or error.msg.startswith("Unterminated string")


def _reject(raw: bytes, code: str) -> Rejected:
    return Rejected(code, f"{len(raw)} bytes")


def too_deep(item: Item) -> bool:
    level = [item] if isinstance(item, _CONTAINERS) else []
    for _ in range(DEEPEST):
        if not level:
            return False
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, _CONTAINERS)
        ]
    return bool(level)


def without_surrogates(item: Item) -> Item:
    """The item with half surrogates, which no encoder can write again, replaced."""
    if isinstance(item, str):
        return item if item.isascii() else item.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(item, dict):
        return {without_surrogates(key): without_surrogates(value) for key, value in item.items()}
    if isinstance(item, list):
        return [without_surrogates(value) for value in item]
    return item

"""One JSON item decoded, or the reason why it cannot be: never an exception, never a word of its text.

The ladder: msgspec (strict and fast), then the standard library on text with replacement characters, which takes what real logs hold
(NaN, lone surrogates, broken UTF-8, huge integers), then a reject.
"""

import json
from collections.abc import Iterator
from json import JSONDecodeError

import msgspec

from pipelines.formats.format import Item, Rejected

BOM = b"\xef\xbb\xbf"
DEEPEST = 200
"""Levels of nesting beyond which an item is hostile rather than a log."""

SEVERAL = "several_values"
"""Code of what holds more than one value; `decoded_line` reads them one by one."""

_CONTAINERS = (dict, list)
_BETWEEN = " \t\r\n\x00\x1e,"
_next = json.JSONDecoder(strict=False).raw_decode
_strict = msgspec.json.Decoder().decode


def decode(raw: bytes | memoryview) -> Item | Rejected:
    """The decoded item, a Rejected, or None for `null`; blanks, BOM and line ends around it do not matter."""
    try:
        item = _strict(raw)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return _lenient(bytes(raw))
    raw = bytes(raw)
    few_brackets = raw.count(b"{") + raw.count(b"[") <= DEEPEST
    return item if few_brackets or not too_deep(item) else _reject(len(raw), "too_deep")


def decoded_line(line: bytes | memoryview, first: Item | Rejected) -> Iterator[Item | Rejected]:
    """Each item of a line whose decoding gave `first`: mostly this one, and several where files without a last line end were put
    together. Only objects are read so, each character once; what follows the last whole one is one reject.
    """
    if not isinstance(first, Rejected) or first.code != SEVERAL:
        yield first
        return
    text, at = _text(bytes(line)), 0
    while at < len(text):
        item, end = _object(text, at)
        yield item
        at = end
        while text[at : at + 1] in _BETWEEN and at < len(text):
            at += 1


def _object(text: str, at: int) -> tuple[Item | Rejected, int]:
    """The object at that place and where it ends; a reject of all the rest where there is none."""
    rest, code = len(text) - at, "invalid_json"
    try:
        item, end = _next(text, at) if text[at] == "{" else (None, len(text))
    except JSONDecodeError as error:
        code = "truncated_json" if _is_cut(error, text) else code
    except RecursionError:
        code = "too_deep"
    except ValueError:
        code = "invalid_number"
    else:
        if isinstance(item, dict):
            return (_reject(end - at, "too_deep") if too_deep(item) else without_surrogates(item)), end
    return _reject(rest, code), len(text)


def _text(raw: bytes) -> str:
    return raw.removeprefix(BOM).decode("utf-8", "replace").strip(" \t\r\n\x00\x1e")


def _lenient(raw: bytes) -> Item | Rejected:
    text = _text(raw)
    try:
        item = json.loads(text, strict=False)
    except JSONDecodeError as error:
        if text.startswith("{") and error.msg == "Extra data":
            return _reject(len(raw), SEVERAL)
        return _reject(len(raw), "truncated_json" if _is_cut(error, text) else "invalid_json")
    except RecursionError:
        return _reject(len(raw), "too_deep")
    except ValueError:
        return _reject(len(raw), "invalid_number")
    return _reject(len(raw), "too_deep") if too_deep(item) else without_surrogates(item)


def _is_cut(error: JSONDecodeError, text: str) -> bool:
    return error.pos >= len(text) - 1 or error.msg.startswith("Unterminated string")


def _reject(size: int, code: str) -> Rejected:
    return Rejected(code, f"{size} bytes")


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

"""Calls in the small language of Gemma 4 and FunctionGemma: `call:name{key:<|"|>text<|"|>,n:1}`, with or without its tokens.

Source: example calls of the families' files (2026-11-30).
"""

from itertools import islice

import re2

from pipelines.rules.call_syntax.call import CallSyntax, Found, ParsedCall

_HEADER = re2.compile(
    r"(?:(?P<mark><\|tool_call>|<start_function_call>)\s*)?\bcall:(?P<name>[A-Za-z_][\w.\-]{0,127})\s*\{"
)
_CLOSERS = ("<tool_call|>", "<end_function_call>")
_KEY = re2.compile(r"[\s,]*(?:<\|\"\|>|<escape>)?([A-Za-z_][\w.\-]{0,127})(?:<\|\"\|>|<escape>)?\s*:")
_QUOTES = ('<|"|>', "<escape>", '"')
_DEPTH = 30
_ATTEMPTS = 200


def find(text: str, names: frozenset[str]) -> list[Found]:
    """One envelope per `call:name{`; without calls where its braces do not close."""
    found: list[Found] = []
    for match in islice(_HEADER.finditer(text), _ATTEMPTS):
        if match.start() < (found[-1].end if found else 0):
            continue
        marked = match.group("mark") is not None
        read = _object(text, match.end(), 0)
        if read is None:
            if marked:
                found.append(Found(match.start(), len(text.rstrip()), ()))
            continue
        values, end, bare = read
        for closer in _CLOSERS:
            if text.startswith(closer, end):
                end += len(closer)
        found.append(Found(match.start(), end, (ParsedCall(match.group("name"), values, frozenset(bare)),), marked))
    return found


def _object(text: str, place: int, depth: int) -> tuple[dict[str, object], int, set[str]] | None:
    """Values from behind `{`, the place behind `}`, and the keys whose values are bare words."""
    values: dict[str, object] = {}
    bare: set[str] = set()
    while depth <= _DEPTH:
        rest = text[place : place + 200].lstrip(" \n,")
        if rest.startswith("}"):
            return values, text.index("}", place) + 1, bare
        key = _KEY.match(text[place : place + 200])
        read = _value(text, place + key.end(), depth) if key else None
        if key is None or read is None:
            return None
        values[key.group(1)], place, is_bare = read
        if is_bare:
            bare.add(key.group(1))
    return None


def _array(text: str, place: int, depth: int) -> tuple[list[object], int] | None:
    items: list[object] = []
    while depth <= _DEPTH:
        place += len(text[place : place + 200]) - len(text[place : place + 200].lstrip(" \n,"))
        if text.startswith("]", place):
            return items, place + 1
        read = _value(text, place, depth)
        if read is None:
            return None
        item, place, _ = read
        items.append(item)
    return None


def _value(text: str, place: int, depth: int) -> tuple[object, int, bool] | None:
    """One value, the place behind it, and whether it is a bare word."""
    place += len(text[place : place + 200]) - len(text[place : place + 200].lstrip())
    for quote in _QUOTES:
        if text.startswith(quote, place):
            end = text.find(quote, place + len(quote))
            return None if end < 0 else (text[place + len(quote) : end], end + len(quote), False)
    if text.startswith("{", place):
        inner = _object(text, place + 1, depth + 1)
        return None if inner is None else (inner[0], inner[1], False)
    if text.startswith("[", place):
        items = _array(text, place + 1, depth + 1)
        return None if items is None else (items[0], items[1], False)
    return _word(text, place)


def _word(text: str, place: int) -> tuple[object, int, bool] | None:
    """A number, true, false, null, or bare text up to the next key or the closing brace (quotes were stripped)."""
    end = _WORD_END.search(text[place : place + 4000])
    if end is None:
        return None
    return text[place : place + end.start()].strip(), place + end.start(), True


_WORD_END = re2.compile(r",\s*(?:<\|\"\|>)?[A-Za-z_][\w.\-]{0,63}(?:<\|\"\|>)?\s*:|[}\]]|,")

SYNTAX = CallSyntax(
    name="gemma_call",
    covers=("gemma_call",),
    needles=("call:",),
    find=find,
)

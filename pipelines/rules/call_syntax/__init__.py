"""SYNTAXES: how models write tool calls as text, and the envelopes of calls that a text holds."""

from collections.abc import Callable, Iterable
from functools import cache

import msgspec

from pipelines.rules.call_syntax import (
    arg_pairs,
    bare_json,
    function_xml,
    gemma_call,
    invoke_xml,
    json_envelope,
    kimi_channels,
    named_json,
    python_call,
)
from pipelines.rules.call_syntax.call import CallSyntax, Found, ParsedCall
from pipelines.rules.call_syntax.json_values import skip, value_at
from pipelines.rules.literals import bits_in_text
from pipelines.rules.views.decoded import Decoded
from pipelines.schema import Tool

__all__ = ["SYNTAXES", "CallSyntax", "Envelope", "Found", "ParsedCall", "read_arguments_of", "read_envelopes"]

SYNTAXES: tuple[CallSyntax, ...] = (
    json_envelope.SYNTAX,
    function_xml.SYNTAX,
    arg_pairs.SYNTAX,
    invoke_xml.SYNTAX,
    named_json.SYNTAX,
    kimi_channels.SYNTAX,
    gemma_call.SYNTAX,
    python_call.SYNTAX,
    bare_json.SYNTAX,
)
"""In order of preference: where two read the same place, the first counts."""


_MOST = 200
"""Envelopes of one syntax in one text that are kept; no answer holds more."""


class Envelope(msgspec.Struct, frozen=True):
    """Calls written as text, in code points of the original text; see `Found`."""

    start: int
    end: int
    syntax: str
    calls: tuple[ParsedCall, ...]
    marked: bool
    closed: bool = True


def read_arguments_of(text: str, tool_choice: str | None, tools: Iterable[Tool]) -> tuple[Envelope, ...]:
    """The call that a content stands for which is nothing but the arguments of the tool that the request forced."""
    place = skip(text, 0)
    forced = next((tool for tool in tools if tool.name == tool_choice), None)
    read = value_at(text, place) if forced else None
    if forced is None or read is None or not isinstance(read[0], dict) or text[read[1] :].strip():
        return ()
    properties = (forced.parameters or {}).get("properties")
    if not isinstance(properties, dict) or not read[0] or not read[0].keys() <= properties.keys():
        return ()
    return (Envelope(place, read[1], "arguments", (ParsedCall(forced.name, read[0]),), False),)


@cache
def _written() -> Callable[[str], int]:
    """From a text to the places in SYNTAXES of those of which a needle stands in it, as bits."""
    return bits_in_text((needle, 1 << number) for number, syntax in enumerate(SYNTAXES) for needle in syntax.needles)


def read_envelopes(decoded: Decoded, tools: Iterable[Tool]) -> tuple[Envelope, ...]:
    """All envelopes of a text, in order and disjoint. Readable ones go before cut ones at the same place."""
    names = frozenset(tool.name for tool in tools)
    written = _written()(decoded.text)
    found = [
        (not item.calls, number, syntax.name, item)
        for number, syntax in enumerate(SYNTAXES)
        if not syntax.marked or written >> number & 1
        for item in syntax.find(decoded.text, names)[:_MOST]
        if item.marked or all(call.name in names for call in item.calls)
    ]
    kept: list[Envelope] = []
    for _, _, name, item in sorted(found, key=lambda entry: (entry[0], entry[1], entry[3].start)):
        start, end = decoded.origin(item.start), decoded.origin(item.end)
        if all(end <= other.start or other.end <= start for other in kept):
            kept.append(Envelope(start, end, name, item.calls, item.marked, item.closed))
    return tuple(sorted(kept, key=lambda envelope: envelope.start))

"""Calls in Kimi K3's channels: `<|open|>call tool="…"<|sep|>` with `argument` or one `json` element.

Source: example call of the family's file (2026-11-30).
"""

import json

import re2

from pipelines.rules.call_syntax.call import CallSyntax, Found, ParsedCall

_CALL = re2.compile(
    r"(?s)(?:<\|open\|>tools<\|sep\|>\s*)?<\|open\|>call tool=\"(?P<name>[^\"<>]{1,128})\"(?: index=\"\d+\")?"
    r"[^<>|]{0,64}<\|sep\|>(?P<body>.*?)"
    r"<\|close\|>call<\|sep\|>(?:\s*<\|close\|>tools<\|sep\|>)?"
)
_ARGUMENT = re2.compile(
    r"(?s)<\|open\|>argument key=\"(?P<key>[^\"<>]{1,128})\"(?: type=\"(?P<type>\w+)\")?<\|sep\|>(?P<value>.*?)<\|close\|>argument<\|sep\|>"
    r"|<\|open\|>json type=\"object\"<\|sep\|>(?P<json>.*?)<\|close\|>json<\|sep\|>"
)
_OPEN = re2.compile(r"(?:<\|open\|>tools<\|sep\|>\s*)?<\|open\|>call tool=\"")


def find(text: str, names: frozenset[str]) -> list[Found]:
    """One envelope per call; without calls where the call is not closed."""
    found = [
        Found(match.start(), match.end(), (_call(match.group("name"), match.group("body")),))
        for match in _CALL.finditer(text)
    ]
    last = found[-1].end if found else 0
    cut = _OPEN.search(text[last:])
    if cut:
        found.append(Found(last + cut.start(), len(text.rstrip()), ()))
    return found


def _call(name: str, body: str) -> ParsedCall:
    values: dict[str, object] = {}
    try:
        for match in _ARGUMENT.finditer(body):
            if match.group("json") is not None:
                values.update(json.loads(match.group("json")))
            else:
                raw = match.group("value")
                values[match.group("key")] = raw if match.group("type") in (None, "string") else json.loads(raw)
    except (ValueError, TypeError, RecursionError):
        return ParsedCall(name, None)
    return ParsedCall(name, values)


SYNTAX = CallSyntax(name="kimi_channels", covers=("kimi_channels",), needles=('<|open|>call tool="',), find=find)

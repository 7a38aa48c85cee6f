"""Calls as `<function=name>` with `<parameter=key>` elements, alone or in `<tool_call>` or `<seed:tool_call>`.

Written by Qwen3-Coder, Qwen3.5 and later, Nemotron-3, Step-3.5, MiMo-V2, Granite 4.2, Seed-OSS and others (families' files, 2026-11-30).
"""

import re2

from pipelines.rules.call_syntax.call import CallSyntax, Found, ParsedCall

_TOKEN = re2.compile(
    r"(?P<open>(?:<(?:\w+:)?tool_call>\s*)?<function=\s*\"?(?P<name>[^<>\"\n]{1,128}?)\"?\s*>)|(?P<close></function>)"
    r"|(?P<set><parameter=\s*\"?(?P<key>[^<>\"\n]{1,128}?)\"?\s*>)|(?P<unset></parameter>)|(?P<outer></(?:\w+:)?tool_call>)"
)


def find(text: str, names: frozenset[str]) -> list[Found]:
    """One envelope per `<function=…>`; without calls where the function is not closed."""
    found: list[Found] = []
    start = name = key = None
    values: dict[str, object] = {}
    begin = 0
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup if match.lastgroup in ("open", "close", "set", "unset", "outer") else _kind(match)
        if kind == "open":
            if start is not None:
                found.append(Found(start, match.start(), ()))
            start, name, key, values = match.start(), match.group("name").strip(), None, {}
        elif start is None or name is None:
            if kind == "outer" and found and not text[found[-1].end : match.start()].strip():
                found[-1] = Found(found[-1].start, match.end(), found[-1].calls)
        elif kind == "set":
            if key is not None:
                values[key] = _value(text[begin : match.start()])
            key, begin = match.group("key").strip(), match.end()
        elif kind == "unset":
            if key is not None:
                values[key] = _value(text[begin : match.start()])
            key = None
        else:
            if key is not None:
                values[key] = _value(text[begin : match.start()])
            found.append(Found(start, match.end(), (ParsedCall(name, values, frozenset(values)),)))
            start = name = key = None
    if start is not None and name is not None:
        whole = bool(values) and key is None and text.rstrip().endswith("</parameter>")
        found.append(
            Found(
                start, len(text.rstrip()), (ParsedCall(name, values, frozenset(values)),) if whole else (), closed=False
            )
        )
    return [call for call in found if not _holds_json(text, call)]


def _kind(match: re2._Match) -> str:
    return next(kind for kind in ("open", "close", "set", "unset", "outer") if match.group(kind) is not None)


def _value(raw: str) -> str:
    """The text of a parameter without the one line break that the template puts at each end."""
    return raw.removeprefix("\n").removesuffix("\n")


def _holds_json(text: str, found: Found) -> bool:
    """`<function=name>{…}</function>` is Functionary's form and read elsewhere."""
    inner = text[found.start : found.start + 300].partition("<function=")[2].partition(">")[2]
    return inner.lstrip()[:1] == "{"


SYNTAX = CallSyntax(
    name="function_xml",
    covers=("xml_function_parameter",),
    needles=("<function=",),
    find=find,
)

"""Calls as bare JSON without any marker: Llama 3, xLAM, and what stripped special tokens leave of Hermes, Jamba, Granite and Mistral.

Only the name of an offered tool makes them calls. The JSON is the whole text, begins it, or ends it; a fence around it is part of it.
"""

import re2

from pipelines.rules.call_syntax.call import CallSyntax, Found, ParsedCall
from pipelines.rules.call_syntax.json_values import calls_of, skip, value_at

_START = re2.compile(
    r"(?:^|\n|[.:!?。：！？]\s?)(?P<fence>```(?:json|tool_call|tool|function_call)?\s*)?(?P<json>[{\[])"
)
_NAMED = re2.compile(r"^\s*(?P<name>[A-Za-z_][\w.\-]{0,127})\s?(?P<json>\{)")
_CUT = re2.compile(
    r"^\s*(?:```(?:json)?\s*)?([{\[]\s*\{?\s*\"(?:name|function|tool_name)\"\s*:\s*\"(?P<name>[\w.\-]{1,128})\")"
)
"""A call of which the beginning is there; with the name of an offered tool it is one even when it was cut."""
_ATTEMPTS = 24
"""Places of one text at which JSON is tried; each costs the length of the text at most."""


def find(text: str, names: frozenset[str]) -> list[Found]:
    """Calls of offered tools whose JSON ends the text, or begins it."""
    found: list[Found] = []
    if not names or ("{" not in text and "[" not in text):
        return found
    named = _NAMED.match(text[:300])
    if named and named.group("name") in names:
        read = value_at(text, named.start(2))
        if read and isinstance(read[0], dict) and not text[read[1] :].strip():
            return [Found(named.start(1), read[1], (ParsedCall(named.group("name"), read[0]),), marked=False)]
    cut = _CUT.match(text[:400])
    if cut and cut.group("name") in names and value_at(text, cut.start(1)) is None:
        return [Found(cut.start(1), len(text.rstrip()), (), marked=False, closed=False)]
    last = 0
    for number, match in enumerate(_START.finditer(text)):
        if number >= _ATTEMPTS:
            break
        if match.start(2) < last:
            continue
        call = _at(text, match, names)
        if call:
            found.append(call)
            last = call.end
        elif read := value_at(text, match.start(2)):
            last = read[1]
    return found


def _at(text: str, match: re2._Match, names: frozenset[str]) -> Found | None:
    place = match.start(2)
    calls: list[ParsedCall] = []
    end = place
    while (read := value_at(text, place)) is not None:
        held = calls_of(read[0])
        if held is None or any(call.name not in names for call in held):
            break
        calls += held
        end = read[1]
        place = skip(text, end, " \t\r\n;,")
    if not calls:
        return None
    start = match.start(2)
    after = skip(text, end)
    if match.group("fence") and text.startswith("```", after):
        start, end = match.start(1), after + 3
    return Found(start, end, tuple(calls), marked=False)


SYNTAX = CallSyntax(
    name="bare_json",
    covers=("bare_json",),
    needles=(
        '"arguments":',
        '"parameters":',
        '"arguments" :',
        '"parameters" :',
        '"tool_name":',
        '"tool_input":',
        '"args":',
    ),
    find=find,
    marked=False,
)

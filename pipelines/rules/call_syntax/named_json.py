"""Calls as a name and a JSON object between tokens: DeepSeek, Kimi K2, Solar, PLaMo, Mistral, harmony, Functionary, and what remains of
harmony and Kimi when special tokens were stripped.

Source: example calls of the families' files (2026-11-30).
"""

import re2

from pipelines.rules.call_syntax.call import CallSyntax, Found, ParsedCall
from pipelines.rules.call_syntax.json_values import skip, value_at

_NAME = r"[A-Za-z_][\w.\-]{0,127}"
_HEADERS = (
    r"(?:<\|tool[▁_ ]calls(?:_section)?[▁_ ]begin\|>\s*)?<\|tool[▁_ ]call[▁_ ]begin\|>\s*(?:function\s*<\|tool[▁_ ]sep\|>\s*)?"
    rf"(?:functions\.)?(?P<a>{_NAME})(?::\d+)?\s*(?:<\|tool[▁_ ]sep\|>|<\|tool_call_argument_begin\|>)?\s*(?:```(?:json)?)?",
    rf"(?:<\|tool_calls\|>\s*)?<\|tool_call:begin\|>[\w-]{{0,64}}<\|tool_call:name\|>(?P<b>{_NAME})<\|tool_call:args\|>",
    r"(?:<\|plamo:begin_tool_requests:plamo\|>\s*)?<\|plamo:begin_tool_request:plamo\|>\s*<\|plamo:begin_tool_name:plamo\|>"
    rf"(?P<c>{_NAME})<\|plamo:end_tool_name:plamo\|>\s*<\|plamo:begin_tool_arguments:plamo\|>(?:<\|plamo:constrain\|>json<\|plamo:msg\|>)?",
    rf"\[TOOL_CALLS?\]\s*(?P<d>{_NAME})\s*(?:\[CALL_ID\]\s*[\w-]{{0,64}})?\s*(?:\[ARGS\])?",
    r"(?:<\|start\|>)?(?:assistant)?(?:<\|channel\|>\s?\w+\s?)?\s?\bto=(?:functions\.)?"
    rf"(?P<e>{_NAME})\s*(?:<\|channel\|>\s?\w+\s?)?(?:(?:<\|constrain\|>)?\s?(?:json|code))?\s*<\|message\|>",
    rf"(?i:assistant)?(?i:commentary|analysis)?\s?\bto=functions\.(?P<f>{_NAME}?)\s*(?:<\|channel\|>\s?\w+)?\s*(?:json|code)?\s*(?P<x>\{{)",
    rf"<function=(?P<g>{_NAME})>",
    rf"(?:^|\n)>>>(?P<h>{_NAME})\n",
    rf"\bfunctions\.(?P<i>{_NAME}?):\d{{1,3}}",
    rf"<(?:tool_call|function_call)>\s*(?P<k>{_NAME})\s*(?P<y>\{{)",
    rf"<(?:tool_call|function_call|tool_use|function) name=\"(?P<l>{_NAME})\">",
    rf"✿FUNCTION✿:\s*(?P<m>{_NAME})\s*\n✿ARGS✿:",
    rf"(?:^|\n)Action:\s*(?P<j>{_NAME})\s*\nAction Input:",
)
_HEADER = re2.compile("|".join(_HEADERS))
_CLOSER = re2.compile(
    r"\s*(?:```)?\s*(?:<\|tool[▁_ ]call[▁_ ]end\|>|<\|tool_call:end\|>"
    r"|<\|plamo:end_tool_arguments:plamo\|>\s*<\|plamo:end_tool_request:plamo\|>"
    r"|<\|call\|>|<\|end\|>|</function>|</tool_call>|</function_call>|</tool_use>)?"
    r"(?:\s*(?:<\|tool[▁_ ]calls(?:_section)?[▁_ ]end\|>|<\|calls\|>|<\|plamo:end_tool_requests:plamo\|>))?"
)
_UNMARKED = ("i", "j")
"""Stripped forms that hold no token: only a tool's own name makes them calls."""
_ATTEMPTS = 200
_CUT_REACH = 20_000


def find(text: str, names: frozenset[str]) -> list[Found]:
    """One envelope per header; without calls where no whole JSON object follows although one begins there."""
    found: list[Found] = []
    for number, match in enumerate(_HEADER.finditer(text)):
        group = next(key for key, value in match.groupdict().items() if value and key not in "xy")
        if number >= _ATTEMPTS:
            break
        brace = next((_HEADER.groupindex[key] for key in "xy" if match.group(key)), None)
        place = match.start(brace) if brace else skip(text, match.end())
        if text[place : place + 1] != "{":
            continue
        read = value_at(text, place)
        start = match.start() + len(match.group()) - len(match.group().lstrip())
        if read is None or not isinstance(read[0], dict):
            found.append(Found(start, _end_of_cut(text, place), (), group not in _UNMARKED))
            continue
        end = read[1]
        closer = _CLOSER.match(text[end : end + 200])
        end += len(closer.group().rstrip()) if closer and closer.group().strip() else 0
        name = match.group(group).strip().removeprefix("functions.")
        found.append(Found(start, end, (ParsedCall(name, read[0]),), group not in _UNMARKED))
    return found


def _end_of_cut(text: str, place: int) -> int:
    closer = _CUT.search(text[place : place + _CUT_REACH])
    return place + closer.end() if closer else len(text.rstrip())


_CUT = re2.compile(
    r"<\|tool[▁_ ]call[▁_ ]end\|>(?:\s*<\|tool[▁_ ]calls(?:_section)?[▁_ ]end\|>)?|<\|tool_call:end\|>|<\|call\|>|</function>"
)

SYNTAX = CallSyntax(
    name="named_json",
    covers=(
        "deepseek_token_frame", "kimi_token_frame", "solar_tool_call", "plamo_tool_request", "mistral_tool_calls", "harmony_commentary",
        "functionary_function", "functionary_recipient",
    ),
    needles=(
        "tool▁call▁begin", "tool_call_begin", "tool call begin", "tool_call:begin", "begin_tool_request",
        "[TOOL_CALL", "to=functions.", " to=",
        "<function=", "<tool_call>", "<function_call>", "_call name=", "<function name=", "<tool_use name=", ">>>",
        "Action Input:", "✿FUNCTION✿", *(f":{digit}{{" for digit in range(10)), *(f":{digit} {{" for digit in range(10)),
    ),
    find=find,
)  # fmt: skip

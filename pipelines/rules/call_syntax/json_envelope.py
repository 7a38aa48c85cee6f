"""Calls as JSON behind a marker: Hermes and Qwen `<tool_call>`, arrays of Nemotron, Granite, Jamba, Hunyuan, Apriel, Cohere, Apertus,
Phi, InternLM, Llama's python tag, HyperCLOVA X, GigaChat 3, Inkling and Command-R.

Source: example calls of the families' files (2026-11-30).
"""

import re2

from pipelines.rules.call_syntax.call import CallSyntax, Found, ParsedCall
from pipelines.rules.call_syntax.json_values import LIMIT, begins_json, calls_of, skip, value_at

_OPENER = re2.compile(
    r"<(?:tool_calls?|TOOLCALL|function_?calls?|longcat_tool_call|iquest_tool_call)(?::\w+)?>|\[TOOL_CALLS?\]|<\|tool_calls?\|>|functools"
    r"|<\|action_start\|>\s*<\|plugin\|>|<\|START_ACTION\|>|<\|tools_prefix\|>|<\|python_tag\|>|(?:function call)?<\|role_sep\|>"
    r"|(?:^|\s)-> tool/function_call|<\|function_call\|>|[\w.-]{0,64}<\|content_invoke_tool(?:_json)?\|>|<\|tool_call_start\|>"
    r"|Action:\s*```(?:json)?|<tools>|<tool_use>"
)
_CLOSER = re2.compile(
    r"\s*\}?\s*(?:```\s*)?(?:</(?:tools|tool_use|tool_calls?|TOOLCALL|function_?calls?|longcat_tool_call|iquest_tool_call)(?::\w+)?>|\[/TOOL_CALLS?\]|<\|/?tool_calls?\|>"
    r"|<\|action_end\|>|<\|END_ACTION\|>|<\|tools_suffix\|>|<\|tool_call_end\|>|<\|end_message\|>|<\|eom_id\|>|<\|eot_id\|>|<\|im_end\|>|```)"
)
_PLAIN = ("<tools>", "<tool_use>")
"""Openings that prompts and other markup use as well: only the name of an offered tool makes them a call."""
_ATTEMPTS = 200
"""Markers of one text that are tried; more than that is no answer of a model."""


def find(text: str, names: frozenset[str]) -> list[Found]:
    """One envelope per marker behind which JSON begins; without calls where the JSON is cut or holds none."""
    found: list[Found] = []
    for number, match in enumerate(_OPENER.finditer(text)):
        place = skip(text, match.end())
        if number >= _ATTEMPTS:
            break
        if match.start() < (found[-1].end if found else 0) or not begins_json(text, place):
            continue
        end, calls, whole = _values(text, place)
        if match.group().startswith("Action") and not calls:
            continue
        start = match.start() + len(match.group()) - len(match.group().lstrip())
        if not whole and (mended := _mended(text, place)):
            end, calls, whole = mended
        closer = _CLOSER.match(text[end : end + 80])
        if closer:
            end += closer.end()
        marked = not match.group().startswith(_PLAIN)
        if marked or (whole and calls):
            found.append(
                Found(start, end if whole or closer else _end_of_cut(text, place), calls if whole else (), marked)
            )
    return found


def _values(text: str, place: int) -> tuple[int, tuple[ParsedCall, ...], bool]:
    """End of the JSON values from `place` on (several may follow, with `;`, `,` or white space between), and their calls."""
    calls: list[ParsedCall] = []
    end = place
    while (read := value_at(text, place)) is not None:
        value, end = read
        held = calls_of(value, loose=True)
        if held is None:
            return end, (), True
        calls += held
        place = skip(text, end, " \t\r\n;,")
    return end, tuple(calls), bool(calls) and text[place : place + 1] not in ("{", "[")


def _mended(text: str, place: int) -> tuple[int, tuple[ParsedCall, ...], bool] | None:
    """The same when only the last closing brace is missing before the closing tag, or when the braces are doubled."""
    if text.startswith("{{", place) and (doubled := value_at(text, place + 1)):
        held = calls_of(doubled[0], loose=True)
        return (doubled[1], held, True) if held else None
    end = text.find("</", place, place + LIMIT)
    read = value_at(text[place:end].rstrip() + "}", 0) if end > 0 else None
    held = calls_of(read[0], loose=True) if read else None
    return (place + len(text[place:end].rstrip()), held, True) if held else None


def _end_of_cut(text: str, place: int) -> int:
    """A cut call runs to its closing tag, else to the end of the text."""
    closer = text.find("</", place)
    bracket = text.find(">", closer)
    return bracket + 1 if 0 <= closer < bracket else len(text.rstrip())


SYNTAX = CallSyntax(
    name="json_envelope",
    covers=(
        "json_in_tool_call", "json_in_tool_calls", "toolcall_array", "granite_tool_call", "functools_array",
        "internlm_action", "cohere_action",
        "apertus_tools", "hyperclovax_function_call", "gigachat_function_call", "inkling_invoke", "command_r_action", "mistral_tool_calls",
    ),
    needles=(
        "tool_call>", "tool_calls>", "tool_call:", "tool_calls:", "TOOLCALL>", "function_call>", "function_calls>",
        "functioncall>", "[TOOL_CALL",
        "tool_call|>", "tool_calls|>", "functools[", "<|plugin|>", "START_ACTION|>", "tools_prefix|>", "python_tag|>", "role_sep|>",
        "-> tool/function_call", "<|function_call|>", "content_invoke_tool", "tool_call_start|>", "tool_call&gt;",
        "Action:\n```", "<tools>", "tool_use>", "Action: ```",
    ),
    find=find,
)  # fmt: skip

"""Calls as a name and pairs of key and value: GLM, Ling 3, Laguna, Hy3 and Hy4, K2 Horizon, LongCat, IQuest and Solar Open 2.

Source: example calls of the families' files (2026-11-30).
"""

import re2

from pipelines.rules.call_syntax.call import CallSyntax, Found, ParsedCall

_TOKEN = re2.compile(
    r"(?P<open>(?:<(?:ifm\|)?tool_calls(?::\w+)?>\s*)?<(?:ifm\||longcat_|iquest_)?tool_call(?::\w+)?>\s*(?P<name>[A-Za-z_][\w.\-]{0,127})"
    r"\s*(?:<tool_sep(?::\w+)?>)?)"
    r"|(?P<solar><\|tool_call:start\|>\s*(?P<other>[A-Za-z_][\w.\-]{0,127}))"
    r"|(?P<key><(?:ifm\||longcat_)?arg_key(?::\w+)?>|<\|tool_arg:start\|>)"
    r"|(?P<value></(?:ifm\||longcat_)?arg_key(?::\w+)?>\s*(?:<ifm\|arg_type>[^<]{0,40}</ifm\|arg_type>\s*)?<(?:ifm\||longcat_)?arg_value(?::\w+)?>"
    r"|<\|tool_arg:value\|>)"
    r"|(?P<end></(?:ifm\||longcat_)?arg_value(?::\w+)?>|<\|tool_arg:end\|>)"
    r"|(?P<close></(?:ifm\||longcat_|iquest_)?tool_call(?::\w+)?>(?:\s*</(?:ifm\|)?tool_calls(?::\w+)?>)?|<\|tool_call:end\|>)"
)
_KINDS = ("open", "solar", "key", "value", "end", "close")


def find(text: str, names: frozenset[str]) -> list[Found]:
    """One envelope per call; without calls where it is not closed. A name alone is a call without arguments when it is an
    offered tool's, or looks like one where no tools are known."""
    found: list[Found] = []
    start = name = key = None
    values: dict[str, object] = {}
    begin = 0
    for match in _TOKEN.finditer(text):
        kind = next(kind for kind in _KINDS if match.group(kind) is not None)
        if kind in ("open", "solar"):
            start, name, key, values = match.start(), match.group("name") or match.group("other"), None, {}
        elif start is None or name is None:
            continue
        elif kind == "key":
            begin = match.end()
        elif kind == "value":
            key, begin = text[begin : match.start()].strip(), match.end()
        elif kind == "end" and key is not None:
            values[key] = text[begin : match.start()].removeprefix("\n").removesuffix("\n")
            key = None
        elif kind == "close":
            if values or (_is_bare(text, start, name, match.start()) and (name in names if names else "_" in name)):
                found.append(
                    Found(start, match.end(), (ParsedCall(name, values, frozenset(values)),) if key is None else ())
                )
            start = name = None
    if start is not None and name is not None and (values or key is not None or name in names):
        whole = bool(values) and key is None and text.rstrip().endswith(">")
        found.append(
            Found(
                start, len(text.rstrip()), (ParsedCall(name, values, frozenset(values)),) if whole else (), closed=False
            )
        )
    return found


def _is_bare(text: str, start: int, name: str, close: int) -> bool:
    """Whether nothing but the name stands between the tags."""
    return text[start:close].rpartition(">")[2].strip() == name or text[start:close].rpartition(name)[2].strip() in (
        "",
        "<tool_sep>",
    )


SYNTAX = CallSyntax(
    name="arg_pairs",
    covers=("glm_arg_key", "solar_tool_arg"),
    needles=("tool_call>", "tool_call:", "tool_call&gt;", "<|tool_call:start|>", "arg_key"),
    find=find,
)

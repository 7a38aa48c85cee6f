"""Calls as Python: Llama 4 and 3.2 lists, LFM2 and Olmo 3 in their tags, Llama's python tag, Gemma 3's tool_code block.

Source: example calls of the families' files (2026-11-30).
"""

import ast

import re2

from pipelines.rules.call_syntax.call import CallSyntax, Found, ParsedCall

_ENVELOPE = re2.compile(
    r"(?s)<\|tool_call_start\|>(?P<lfm>.*?)<\|tool_call_end\|>|<function_calls>(?P<olmo>.*?)</function_calls>"
    r"|<\|python_start\|>(?P<llama>.*?)<\|python_end\|>|```tool_code\n(?P<gemma>.*?)```|<\|python_tag\|>(?P<tag>[^\n]*)"
)
_LIST = re2.compile(r"^\s*\[\s*[A-Za-z_][\w.]*\(")
_TRAIL = re2.compile(r"(?:\s*<\|\w{1,24}\|>)+\s*$")
_LIMIT = 20_000
_WORDS = {"true": True, "false": False, "null": None}


def find(text: str, names: frozenset[str]) -> list[Found]:
    """Envelopes of marked calls, and the text itself (or its last paragraph) when it is one list of calls."""
    found = []
    for match in _ENVELOPE.finditer(text):
        body = next((value for value in match.groupdict().values() if value is not None), "")
        calls = parse(body)
        if calls or (match.group("lfm") is not None or match.group("olmo") is not None):
            found.append(
                Found(
                    match.start(),
                    match.end() - (len(body) - len(body.rstrip()) if match.group("tag") else 0),
                    calls or (),
                )
            )
    if not found and _LIST.match(_last_paragraph(text)):
        body = _TRAIL.sub("", _last_paragraph(text)).strip()
        calls = parse(body)
        if calls:
            start = text.rindex(body)
            found.append(Found(start, start + len(body), calls, marked=False))
    return [call for call in found if call.calls or call.marked]


def _last_paragraph(text: str) -> str:
    return text.rstrip().rpartition("\n\n")[2]


def parse(body: str) -> tuple[ParsedCall, ...]:
    """The calls of a Python list, or of one call a line (`print(…)` around one and `.call` behind its name are dropped)."""
    if len(body) > _LIMIT:
        return ()
    try:
        tree = ast.parse(body.strip())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    calls: list[ParsedCall] = []
    for statement in tree.body:
        if not isinstance(statement, ast.Expr):
            return ()
        items = statement.value.elts if isinstance(statement.value, ast.List | ast.Tuple) else [statement.value]
        read = [_call(item) for item in items]
        if not all(read):
            return ()
        calls += [call for call in read if call]
    return tuple(calls)


def _call(node: ast.expr) -> ParsedCall | None:
    if not isinstance(node, ast.Call):
        return None
    name = ast.unparse(node.func)
    if name == "print" and len(node.args) == 1:
        return _call(node.args[0])
    arguments: dict[str, object] = {}
    try:
        for keyword in node.keywords:
            if keyword.arg is None:
                return None
            arguments[keyword.arg] = _value(keyword.value)
    except (ValueError, RecursionError):
        return ParsedCall(name.removesuffix(".call"), None)
    return ParsedCall(name.removesuffix(".call"), None if node.args else arguments)


def _value(node: ast.expr) -> object:
    if isinstance(node, ast.Name) and node.id in _WORDS:
        return _WORDS[node.id]
    if isinstance(node, ast.List | ast.Tuple):
        return [_value(item) for item in node.elts]
    if isinstance(node, ast.Dict):
        return {
            str(ast.literal_eval(key)): _value(value)
            for key, value in zip(node.keys, node.values, strict=True)
            if key is not None
        }
    return ast.literal_eval(node)


SYNTAX = CallSyntax(
    name="python_call",
    covers=("python_calls", "olmo_function_calls", "python_tool_code"),
    needles=(
        "tool_call_start|>", "function_calls>", "python_start|>", "```tool_code", "python_tag|>",
        '")]', "')]", "])]", "})]", "()]", "True)]", "False)]", "None)]", "true)]", "false)]", *(f"{digit})]" for digit in range(10)),
    ),
    find=find,
)  # fmt: skip

"""Calls as `<invoke name="…">` elements: DeepSeek DSML, GigaChat GCML, MiniMax-M2 and M3, Muse, Step-3, dots, Claude, MiniCPM5, Beam.

Source: example calls of the families' files (2026-11-30).
"""

import re2

from pipelines.rules.call_syntax.call import CallSyntax, Found, ParsedCall

_PREFIX = r"(?:\|(?:DSML|GCML)\| ?|[a-z]+:)?"
_WRAP = (
    r"(?:minimax:tool_call|dots_function_call|"
    r"(?:\|(?:DSML|GCML)\| ?|[a-z]+:)?(?:function_calls|tool_calls|tool_call|toolcalls|calls|tool))"
)
_STEP = r"<\|tool_calls_begin\|>\s*|<\|tool_call_begin\|>\s*(?:function)?\s*<\|tool_sep\|>\s*"
_TOKEN = re2.compile(
    rf"(?P<open>(?P<wrap>(?:<{_WRAP}>\s*|{_STEP}| ?to=[\w.]+<\|message\|>\s*)+)?<(?P<prefix>{_PREFIX})"
    r"(?:invoke|function) name=[\"']?(?P<name>[^<>\"'\n]{1,128}?)[\"']?\s*>)"
    r"|(?P<beam>(?:assistant)? ?to=(?P<target>[\w.]+)<\|channel\|>\s?\w+\s?<\|constrain\|>xml<\|message\|>)"
    rf"|(?P<set><{_PREFIX}param(?:eter)? name=[\"']?(?P<key>[^<>\"'\n]{{1,128}}?)[\"']?(?: (?:string"
    rf"|type)=\"(?P<kind>[^\"<>]{{0,20}})\")?\s*>)"
    rf"|(?P<unset></{_PREFIX}param(?:eter)?>)|(?P<close></{_PREFIX}(?:invoke|function)>)|(?P<outer></{_WRAP}>|<\|tool_calls?_end\|>|<\|call\|>|<\|eot\|>)"
)
_CHILD = re2.compile(r"<(?P<key>[A-Za-z_][\w.\-]{0,63})>(?P<value>[^<]*)</(?P<same>[A-Za-z_][\w.\-]{0,63})>")
_KINDS = ("open", "beam", "set", "unset", "close", "outer")


class _Reader:
    """Reads one text from token to token."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.found: list[Found] = []
        self.start: int | None = None
        self.name = ""
        self.values: dict[str, object] = {}
        self.untyped: set[str] = set()
        self.key: str | None = None
        self.typed = False
        self.begin = self.body = 0
        self.marked = False

    def token(self, kind: str, match: re2._Match) -> None:
        if kind in ("open", "beam"):
            self.open(kind, match)
        elif kind == "set":
            self.put(match.start())
            self.key, self.begin, self.typed = (
                match.group("key").strip(),
                match.end(),
                match.group("kind") not in (None, "true", "string"),
            )
        elif kind == "unset":
            self.put(match.start())
        elif kind == "close" or (kind == "outer" and self.start is not None):
            self.close(match)
        elif self.found and not self.text[self.found[-1].end : match.start()].strip():
            last = self.found[-1]
            self.found[-1] = Found(last.start, match.end(), last.calls, True)

    def open(self, kind: str, match: re2._Match) -> None:
        if self.start is not None:
            self.found.append(Found(self.start, match.start(), (), self.marked))
        self.start, self.key, self.values, self.untyped = match.start(), None, {}, set()
        self.name = (match.group("target") or match.group("name")).strip()
        self.body = match.end()
        self.marked = kind == "beam" or bool(match.group("wrap") or match.group("prefix"))

    def put(self, end: int) -> None:
        if self.key is not None and self.start is not None:
            raw = self.text[self.begin : end].removeprefix("\n").removesuffix("\n")
            self.values[self.key] = raw.removeprefix("<![CDATA[").removesuffix("]]>") if "<![CDATA[" in raw else raw
            self.untyped.add(self.key)
        self.key = None

    def close(self, match: re2._Match) -> None:
        if self.start is None:
            return
        self.put(match.start())
        if not self.values:
            for child in _CHILD.finditer(self.text[self.body : match.start()]):
                if child.group("key") == child.group("same"):
                    self.values[child.group("key")] = child.group("value").removeprefix("\n").removesuffix("\n")
                    self.untyped.add(child.group("key"))
        self.found.append(
            Found(self.start, match.end(), (ParsedCall(self.name, self.values, frozenset(self.untyped)),), self.marked)
        )
        self.start = None


def find(text: str, names: frozenset[str]) -> list[Found]:
    """One envelope per call; without calls where it is not closed."""
    reader = _Reader(text)
    for match in _TOKEN.finditer(text):
        reader.token(next(kind for kind in _KINDS if match.group(kind) is not None), match)
    if reader.start is not None and (reader.values or reader.key is not None or reader.marked):
        whole = bool(reader.values) and reader.key is None and text.rstrip().endswith(">")
        calls = (ParsedCall(reader.name, reader.values, frozenset(reader.untyped)),) if whole else ()
        reader.found.append(Found(reader.start, len(text.rstrip()), calls, reader.marked, closed=False))
    return reader.found


SYNTAX = CallSyntax(
    name="invoke_xml",
    covers=("dsml", "invoke_wrapper", "prefixed_invoke", "named_function_param", "harmony_parameters"),
    needles=("invoke name=", "<function name=", "<|constrain|>xml"),
    find=find,
)

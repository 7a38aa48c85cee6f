"""The special tokens of all families, and the runs of them that stand in a content outside of thoughts, calls and code."""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import islice
from typing import TYPE_CHECKING

import msgspec
import re2
from msgspec.structs import replace

from pipelines.families import AMBIGUOUS, FAMILIES
from pipelines.rules.views.excuse import excuse_of_marker
from pipelines.rules.views.intervals import merge
from pipelines.rules.views.markup_question import asks_about_markup

if TYPE_CHECKING:
    from pipelines.rules.rule import Turn

_NOT_TOKENS = frozenset(
    {
        *AMBIGUOUS,
        "<tool_response>",
        "</tool_response>",
        "<eos>",
        "<bos>",
        "<eop>",
        "<sop>",
        "/nothink",
        "<answer>",
        "</answer>",
    }
)
"""Literals that ordinary text, HTML or prompts hold as well; `</s>` and its like count at the very end only."""
_EXTRA = (
    "<|im_start|>", "<|im_end|>", "<|endoftext|>", "<|eot_id|>", "<|eom_id|>", "<|start_header_id|>",
    "<|end_header_id|>", "<|begin_of_text|>",
    "<|channel>", "<channel|>", "<|turn>", "<turn|>", "<|tool_response>", "<tool_response|>", "<start_of_turn>",
    "<end_of_turn>", "<|return|>",
    "<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>", "<|fim_pad|>", "<|repo_name|>", "<|file_sep|>", "<|EOT|>",
    "<|begin_of_solution|>", "<|end_of_solution|>", "<|END_RESPONSE|>", "<|END_OF_TURN_TOKEN|>", "<|end_of_turn|>", "<|diff_marker|>",
    "<|tool_calls_section_begin|>", "<|tool_calls_section_end|>", "<|tool_call_begin|>", "<|tool_call_end|>",
    "<|tool_call_argument_begin|>",
    "<|tool▁calls▁begin|>", "<|tool▁calls▁end|>", "<|tool▁call▁begin|>", "<|tool▁call▁end|>", "<|tool▁sep|>",
    "<|python_tag|>", "<|constrain|>",
    "<|tool_calls_begin|>", "<|tool_calls_end|>", "<|tool_sep|>", "<|start|>", "<|message|>", "<|end|>", "<|call|>", "<|channel|>",
    "[END FINAL RESPONSE]", "[gMASK]<sop>", "<think/>", "<think />", "<|begin_of_box|>", "<|end_of_box|>",
)  # fmt: skip
_BLANKS = " \t\n\f\r"
"""What re2 takes for white space."""
_MOST_RUNS = 500
"""Runs of one content that are read; no answer holds more, and each costs a look into the request."""
ENDINGS = ("</s>", "<eos>", "[EOS]", "[EOT]", "<|end_of_text|>", "<end_of_sentence>")
"""End tokens that count when the content ends with them."""
OWNED = ("<s>", "[INST]", "[/INST]")
"""Tokens that count for the families that own them."""
_ROLES = r"(?:system|user|human|assistant|model|tool|developer|ipython|environment|observation)"
_USER_START = re2.compile(
    r"<\|im_start\|>\s?(?:user|human|system|tool)|<\|start_header_id\|>\s?(?:user|human|system|ipython)|<\|start\|>(?:user|system|developer)"
    r"|<\|(?:user|human|observation|begin_user|message_user|user_start|im_user|User|USER_TOKEN)\|>|<start_of_turn>\s?user|<\|turn>\s?user"
    r"|\[\|user\|\]|\[INST\]|<\|start_of_role\|>\s?user|<\|header_start\|>\s?user|<\|begin\|>user|<longcat_user>|<role>HUMAN</role>"
)
"""A turn of somebody else begins: what follows is invented."""


_TOKEN = re2.compile(r"<\|[\w:]+\|>")


@cache
def literals() -> tuple[str, ...]:
    """The closed list, bars as in decoded text; longest first so that the longest literal wins at a place."""
    tokens = {token.replace("｜", "|") for family in FAMILIES for token in family.special_tokens} | set(_EXTRA)
    tokens |= set(_TOKEN.findall("\n".join(marker for family in FAMILIES for marker in family.call_markers)))
    kept = {
        token
        for token in tokens
        if token not in _NOT_TOKENS and token not in ENDINGS and len(token) > 3 and "\n" not in token
    }
    return tuple(sorted(kept, key=lambda token: (-len(token), token)))


@cache
def _run() -> re2._Regexp:
    token = "|".join(re2.escape(token) for token in literals())
    header = rf"(?:<\|(?:im_start|start|start_header_id|start_of_role|header_start|begin|turn>?)\|?>|<start_of_turn>)\s?{_ROLES}\b"
    name = r"<\|channel\|>\s?(?:analysis|final|commentary)\b|\A(?:final|commentary)<\|message\|>"
    channel = r"<\|(?:open|close)\|>[a-z]+(?: \w+=\"[^\"<>]{0,64}\")*<\|sep\|>|<\|(?:plamo:)?constrain\|>\s?\w+|<\|channel>thought\b"
    return re2.compile(rf"(?:(?:{channel}|{header}|{name}|{token})\s*)+")


_RENDERED = re2.compile(
    r"^\s*(?:<\|(?:begin_of_text|startoftext|begin_of_document)\|>|<s>|<bos>)?\s*(?:<\|(?:im_start|start|start_header_id|"
    r"start_of_role|header_start)\|>|<start_of_turn>|<\|turn>|\[INST\]|<\|)\s?(?:user|system|developer|human)"
)
_RENDER = re2.compile(
    r"(?i)\b(?:render|convert|write|format|show|give|turn|put|express|serialize|example|sample|schreib\w*|zeig\w*|wandle|"
    r"ecris|montre|escribe|muestra|escreva|mostre|scrivi|mostra)\b|写|转换|展示|書い|変換|써|변환|напиши|покажи|преобраз"
)


class Run(msgspec.Struct, frozen=True, gc=False):
    """Special tokens with nothing but white space between them, in code points of the content."""

    start: int
    end: int
    excuse: str | None
    opens_turn: bool
    """A turn of the user, the system or a tool begins in it."""


def read_runs(turn: Turn) -> tuple[Run, ...]:
    """Runs outside of thoughts and calls, in order, excused ones too."""
    taken = merge(
        [(block.start, block.end) for block in turn.blocks if not block.excuse]
        + [(call.start, call.end) for call in turn.envelopes]
    )
    runs = []
    text = turn.decoded.text
    for match in islice(_run().finditer(text), _MOST_RUNS):
        tokens = match.group().rstrip(_BLANKS)
        start, end = turn.decoded.origin(match.start()), turn.decoded.origin(match.start() + len(tokens))
        for first, last in taken:
            if first <= start < last:
                start = last
        if start < end:
            excuse = excuse_of_marker(turn, start, end) or _as_subject(turn, start, end)
            runs.append(Run(start, end, excuse, _opens_turn(tokens)))
    return (*_with_neighbours(turn.content, runs), *_owned(turn), *_ending(turn))


@lru_cache(maxsize=1024)
def _opens_turn(tokens: str) -> bool:
    return _USER_START.search(tokens) is not None


def _owned(turn: Turn) -> list[Run]:
    """Tokens that ordinary text holds as well, for the families that own them; `[/INST]` is named where what stands before it is."""
    runs: list[Run] = []
    for token in OWNED:
        at = turn.content.find(token) if token in turn.family.special_tokens and turn.family.name != "unknown" else -1
        if at >= 0 and not (token == "<s>" and "</s>" in turn.content[at:]):
            end = at + len(token)
            excuse = excuse_of_marker(turn, _begin(turn.content, at), end) or _as_subject(turn, at, end)
            runs.append(Run(at, end, excuse, token == "[INST]"))
    if len(runs) > 1 and runs[-2].excuse == "mention" and not runs[-1].excuse:
        runs[-1] = replace(runs[-1], excuse="mention")
    return runs


def _begin(text: str, start: int) -> int:
    """Where the run of such tokens begins that ends at `start`."""
    for token in OWNED:
        if text.endswith(token, 0, start):
            return start - len(token)
    return start


def _as_subject(turn: Turn, start: int, end: int) -> str | None:
    """Whether the user asks about tokens and these stand alone on a line, as in a list of them."""
    text = turn.content
    line = text[text.rfind("\n", 0, start) + 1 : start] + (text[end : end + 200].partition("\n")[0])
    alone = not line.strip(" -*•0123456789.")
    if (alone or (_is_rendered(text) and _RENDER.search(turn.last_user[:2000]))) and asks_about_markup(turn.last_user):
        return "requested_format"
    return None


def _is_rendered(text: str) -> bool:
    """Whether the content begins with a token that opens a turn of the user or the system: a conversation is written out."""
    return text.lstrip()[:1] in ("<", "[") and _RENDERED.match(text) is not None


def _with_neighbours(text: str, runs: list[Run]) -> list[Run]:
    """Where one token of a line is talked about, so are the others of that line."""
    lines = {text.rfind("\n", 0, run.start) for run in runs if run.excuse == "mention"}
    return [
        replace(run, excuse="mention") if not run.excuse and text.rfind("\n", 0, run.start) in lines else run
        for run in runs
    ]


def _ending(turn: Turn) -> tuple[Run, ...]:
    text = turn.content.rstrip()
    for ending in ENDINGS if text.endswith(ENDINGS) else ():
        if text.endswith(ending) and not (ending == "</s>" and "<s>" in text):
            start = len(text) - len(ending)
            return (Run(start, len(text), excuse_of_marker(turn, start, len(text)), False),)
    return ()


NEEDLES = (
    "<beginning_of_", "<begin_of_", "function_results>", "AVAILABLE_TOOLS", "<start_of_image>", "SYSTEM_PROMPT]", "TOOL_RESULTS]",
    "SYS>>", "longcat_", "<s>", "[INST]", "[/INST]",
    "<think/", "<think /", "<|", "|>", "<｜", "｜>", "<‖", "&lt;|", "\\u003c|", "start_of_turn>", "end_of_turn>",
    "[|user|]", "[|assistant|]", "[|endofturn|]", "</s>", "<eos>", "[EOS]", "[EOT]", "end_of_sentence>",
    "FINAL RESPONSE]", "[SYSTEM_PROMPT]", "[TOOL_RESULTS]", "[AVAILABLE_TOOLS]", "[gMASK]", "<longcat_", "<seed:",
    "<role>", "]~b]", "]~!b[", "[e~[", "<SPECIAL_", "<function_results>", "TOOL_RESPONSE>", "tool_responses:",
    "tool_response:", "budget_reflect>", "<reserved_", "<<SYS>>", "〈|EOS|〉", "[|system|]", "[|tool|]",
)  # fmt: skip
"""Literals without which no token of the closed list stands in a text."""

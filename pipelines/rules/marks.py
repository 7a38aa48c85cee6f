"""The marks that models write around their thoughts, and the frames of an answer, as literals and patterns of decoded text.

The families' files are the source (2026-11-30); a test holds that every reasoning marker of every family is one of these.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

import re2


@dataclass(frozen=True, slots=True)
class Pair:
    """One way to enclose thoughts: patterns of the two ends. `lone_end`: the end alone says that thoughts came before it."""

    name: str
    start: str
    end: str
    lone_end: bool = True


_NEVER = r"\b\B"
_NAMES = r"(?:thoughts?|reasoning|scratch_?pad|inner_(?:monologue|thoughts?)|internal_(?:monologue|thoughts?)|ant_?-?thinking|reflection)"

PAIRS = (
    Pair(
        "answer_frame",
        _NEVER,
        r"(?:<\|end\|>\s*)?<\|start\|>assistant<\|channel\|>\s?final\s?(?:<\|constrain\|>\s?\w+\s?)?<\|message\|>"
        r"|(?:<\|eom\|>\s*)?<\|start\|>assistant to=user<\|message\|>|(?:<\|end\|>\s*)?<\|begin\|>assistant<\|content\|>"
        r"|<\|end_message\|><\|message_model\|><\|content_text\|>",
    ),
    Pair(
        "think",
        r"(?i:<(?:seed:|mm:|longcat_|ifm\|)?think(?:ing|_fast(?:er)?)?(?::[a-z0-9_-]+)?\s?>)",
        r"(?i:<\s?/\s?(?:seed:|mm:|longcat_|ifm\|)?think(?:ing|_fast(?:er)?)?(?::[a-z0-9_-]+)?\s?>)|</think\n",
    ),
    Pair("details", r"<details type=\"reasoning\"[^<>]{0,200}>", r"</details>", lone_end=False),
    Pair(
        "thought",
        rf"(?i:<{_NAMES}>)",
        rf"(?i:</{_NAMES}>)",
    ),
    Pair("unused", r"<unused94>(?:thought\n)?", r"<unused95>"),
    Pair("brackets", r"\[THINK\]", r"\[/THINK\]"),
    Pair("triangles", r"◁think▷", r"◁/think▷"),
    Pair("cohere", r"<\|START_THINKING\|>", r"<\|END_THINKING\|>"),
    Pair("apertus", r"<\|inner_prefix\|>", r"<\|inner_suffix\|>"),
    Pair("begin_of_thought", r"<\|begin_of_thought\|>", r"<\|end_of_thought\|>"),
    Pair("colon", r"<\|think:start\|>", r"<\|think:end\|>"),
    Pair("plamo", r"<\|plamo:begin_think:plamo\|>", r"<\|plamo:end_think:plamo\|>"),
    Pair("gemma", r"<\|channel>thought\n?", r"<channel\|>"),
    Pair("kimi_channels", r"<\|open\|>think<\|sep\|>", r"<\|close\|>think<\|sep\|>"),
    Pair("apriel", r"Here are my reasoning steps:\n", r"\[BEGIN FINAL RESPONSE\]"),
    Pair("budget_note", r"<seed:cot_budget_reflect>", r"</seed:cot_budget_reflect>", lone_end=False),
    Pair("hyperclova", r"\A/think\n", r"<\|im_end\|>\n<\|im_start\|>assistant\n?", lone_end=False),
    Pair("inkling", r"<\|content_thinking\|>", r"<\|end_message\|>", lone_end=False),
    Pair("solar", r"(?:<\|begin\|>assistant)?<\|think\|>", r"<\|end\|>", lone_end=False),
    Pair("muse", r"(?:<\|start\|>assistant)? ?to=self<\|message\|>", r"<\|eom\|>", lone_end=False),
    Pair(
        "harmony",
        r"(?:<\|start\|>)?(?:assistant)?<\|channel\|>\s?analysis(?: to=[\w.]+)?\s?(?:<\|constrain\|>\s?\w+\s?)?(?:<\|message\|>)?"
        r"|\Aanalysis<\|message\|>",
        r"<\|end\|>|<\|return\|>|<\|call\|>|<\|start\|>|<\|channel\|>\s?final",
        lone_end=False,
    ),
)
"""Pairs in order; the first whose pattern matches at a place names the mark."""

MARK = re2.compile("|".join(f"(?P<o{i}>{pair.start})|(?P<c{i}>{pair.end})" for i, pair in enumerate(PAIRS)))
"""All starts (groups o0, o1, …) and ends (c0, c1, …) in one pattern."""

_PLACES = re2.compile("|".join(f"(?:{pair.start})|(?:{pair.end})" for pair in PAIRS))
"""The same without groups, which find places several times as fast."""


def mark_places(text: str, most: int) -> Iterator[tuple[int, int, int, bool]]:
    """Start, end, index of the pair and whether it opens, of the first `most` marks in a decoded text."""
    for match in islice(_PLACES.finditer(text), most):
        start, end = match.span()
        pair, opens = _kind(text[start:end], start == 0)
        yield start, end, pair, opens


@lru_cache(maxsize=4096)
def _kind(mark: str, begins: bool) -> tuple[int, bool]:
    """Pair of a mark and whether it opens; some marks count at the beginning of a text only."""
    found = MARK.match(mark) if begins else MARK.match("\n" + mark, 1)
    group = found.lastgroup
    return int(group[1:]), group[0] == "o"


_ENDS = tuple(re2.compile(pair.end) for pair in PAIRS)


def closes(pair: int, mark: str) -> bool:
    """Whether `mark` is an end of PAIRS[pair]; some ends belong to several pairs."""
    return _ENDS[pair].fullmatch(mark) is not None


_ROLE = r"(?:assistant|model|ai|bot)"
FRAME = re2.compile(
    r"(?:\s*(?:<\|start\|>(?:assistant)?|(?:assistant)?<\|channel\|>\s?final|final<\|message\|>|<\|message\|>|<\|constrain\|>\s?\w+|<\|end\|>|<\|return\|>|<\|eom\|>|<\|eot\|>"
    r"|<\|START_RESPONSE\|>|<\|START_TEXT\|>|<\|open\|>(?:response|message)<\|sep\|>|<\|message_model\|>|<\|content_text\|>"
    rf"|<\|begin\|>{_ROLE}|<\|content\|>|<\|im_end\|>|<\|im_start\|>{_ROLE}|<\|assistant\|>|<\|im_content\|>"
    r"|<\|begin_of_solution\|>|<\|end_message\|>|<response>|<answer>)| ?to=user)+"
)
"""A run of tokens that opens the answer behind the thoughts; matched at the end of a block only."""
FRAME_STARTS = ("<", "assistant<", "final<", "to=user")
"""What a frame begins with, behind white space."""

ANSWER_ENDS = {
    "<response>": "</response>",
    "<answer>": "</answer>",
    "[BEGIN FINAL RESPONSE]": "[END FINAL RESPONSE]",
}
"""Opening of the answer behind the thoughts → what closes it; both are frame only when the block leaked."""

BUDGET_SENTENCES = (
    "Considering the limited time by the user, I have to give the solution based on the thinking directly now.",
    "Considering the limited time, I have to give the solution based on the thinking directly now.",
)
"""Sentences that engines force at the end of a thinking budget (Qwen3's model cards and templates, read 2026-11-30)."""

GLUED_STARTS = (
    "We",
    "The",
    "User",
    "Need",
    "I ",
    "I'",
    "It",
    "This",
    "Let",
    "Okay",
    "So ",
    "You",
    "Use",
    "They",
    "Just",
    "Answer",
)
GLUED_FINALS = (
    "The",
    "Here",
    "Yes",
    "No",
    "Sure",
    "It",
    "You",
    "This",
    "To ",
    "I ",
    "I'",
    "**",
    "# ",
    "1.",
    "- ",
    "In ",
    "A ",
    "Hello",
    "Hi",
)
"""First words by which the prefilter finds the stripped channel names `analysis` and `final` glued to a text."""

THINK_NEEDLES = (
    "think>", "think >", "Think>", "THINK>", "thinking>", "think_fast", "think&gt;", "thinking&gt;", "think&#",
    "\\u003cthink", "\\u003c/think",
    "\\u003Cthink", "\\u003C/think", "THINK]", "think▷", "think:", "＜think", "thought>", "thoughts>", "reasoning>", "scratchpad>",
    "scratch_pad>", "inner_monologue>", "nner_thought", "nternal_", "nt-thinking>", "eflection>", "<unused9",
    "Thought>", "Reasoning>", "thinking>", "hinking>", "</thi", "<thin", "<|channel>thought", "<channel|>",
    "THINKING|>", "inner_prefix|>", "inner_suffix|>",
    "_of_thought|>", "begin_think", "end_think", "reasoning steps:\n", "FINAL RESPONSE]", "content_thinking", "to=self", "analysis<",
    "<|channel|>", "think<|sep|>", "<|think|>", "|analysis", "｜think", "/think\n", "<|end|>", "<|eom|>",
    "<|end_message|>", "<|im_end|>\n<|im_start|>", 'type="reasoning"',
    "budget_reflect>", "assistant to=user", "content_text", "assistant<|content",
)  # fmt: skip
"""Literals without which no mark of PAIRS stands in a text."""

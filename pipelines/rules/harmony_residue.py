"""Thoughts of a harmony model stand in the answer, with the channel names glued to the text because the special tokens were stripped.

Catches: `analysis` glued to the start … `assistantfinal` glued to the answer (any family), thoughts that end in `assistantfinal`,
`assistantcommentary` or `assistantanalysis` and a glued `analysis` or `final` alone (gpt-oss and unknown families).
Why it matters: the analysis channel is not held to safety standards and is not for users.
Misses: a stripped answer that begins with `final` and a rare first word; analysis without its name.
False alarms: none known beyond quoted words, which count as quotes or code.
Likely layers: engine_parser.
"""

from collections.abc import Iterator

import re2

from pipelines.rules import denominators
from pipelines.rules.examples import answer, clean, leak
from pipelines.rules.marks import GLUED_FINALS, GLUED_STARTS
from pipelines.rules.rule import Excluded, Rule, Span, Turn
from pipelines.rules.views.excuse import excuse_of_place

_START = re2.compile(r"^\s*(?i:(?:assistant)?analysis)(?:\n\s*)?(?P<text>[^\s:a-z])")
_BORDER = re2.compile(
    r"(?i:assistant\s?final)(?P<text>[^\sa-z]|\n|$)|assistant(?:commentary|analysis)\b|(?i:assistantfinal)"
)
_ALONE = re2.compile(rf"analysis(?:{'|'.join(re2.escape(word) for word in GLUED_STARTS)})")
_WORDS = "|".join(re2.escape(word.strip()) for word in GLUED_FINALS)
_FINAL = re2.compile(rf"^\s*final(?P<text>(?:{_WORDS})(?:[^A-Za-z]|$))")
_OWNERS = ("gpt-oss", "unknown")


def find(turn: Turn) -> Iterator[Span | Excluded]:
    """Thoughts with the glued names around them, or the glued name alone."""
    text = turn.content
    sign = text.lstrip()[:1]
    start = _START.match(text) if sign in ("a", "A") else None
    final = _FINAL.match(text) if sign == "f" else None
    owner = turn.family.name in _OWNERS
    border = next((match for match in _BORDER.finditer(text) if _glued(text, match.start(), bool(start))), None)
    if border is not None and (start or owner):
        yield from _up_to_border(turn, border, bool(start))
    elif _ALONE.search(text[:60]) and start and owner and _may_be_alone(turn) and border is None:
        stop = min((call.start for call in turn.envelopes), default=len(text.rstrip()))
        yield Span(_first(text), stop, confidence=0.85, repair="strip" if turn.envelopes else "regenerate")
    elif final and owner and not (start or border):
        yield Span(_first(text), final.start(1), confidence=0.85, symptom="boundary_token")


def _may_be_alone(turn: Turn) -> bool:
    """Whether thoughts without a border are to be expected: cut by the token limit, or known to be harmony."""
    return turn.record.finish_reason == "length" or turn.family.name == "gpt-oss"


def _up_to_border(turn: Turn, border: re2._Match, named: bool) -> Iterator[Span | Excluded]:
    text = turn.content
    excuse = excuse_of_place(turn, border.start(), border.end())
    if excuse:
        yield Excluded(excuse)
        return
    begin, end = (
        _first(text),
        border.end(1) - len(border.group(1) or "") if border.group(1) is not None else border.end(),
    )
    calls = [call.start for call in turn.envelopes if call.start <= border.start() < call.end]
    if calls or not border.group().lower().startswith(("assistantfinal", "assistant final")):
        end = border.start()
    if not text[begin : border.start()].strip():
        yield Span(begin, end, symptom="boundary_token")
        return
    left = text[end:].strip()
    yield Span(begin, end, confidence=0.98 if named else 0.9, repair="strip" if left else "regenerate")


def _glued(text: str, place: int, named: bool) -> bool:
    """Whether the word stands at the start, glued to the text before it, or alone on its line behind a named analysis."""
    if place <= _first(text) or not text[place - 1].isspace():
        return True
    return (
        named
        and text[place - 1] == "\n"
        and text[place : place + 40].partition("\n")[0].strip().lower() == "assistantfinal"
    )


def _first(text: str) -> int:
    return len(text) - len(text.lstrip())


RULE = Rule(
    id="stripped-harmony-channels",
    version=1,
    status="stable",
    tier="rule",
    symptom="reasoning_leak",
    find=find,
    eligible=denominators.content_is_text,
    needles=lambda family: (
        "assistantfinal",
        "assistantFinal",
        "Assistantfinal",
        "AssistantFinal",
        "assistant final",
        "assistantcommentary",
        "assistantanalysis",
        *(f"analysis{word}" for word in GLUED_STARTS),
        *(f"final{word}" for word in GLUED_FINALS),
    ),
    repair="strip",
    layers=("engine_parser",),
    action="Serve the model through the engine's harmony parser, or render and parse with the harmony library at "
    "low-level endpoints; plain decoding drops the tokens that separate the channels.",
    verify="The raw text with skip_special_tokens=false shows whole frames where the answer shows glued names.",
    doc=__doc__,
    leaks=(
        leak(
            "the usual form",
            answer("analysisOne word is asked: yes.assistantfinalYes", family="gpt-oss"),
            "analysisOne word is asked: yes.assistantfinal",
        ),
        leak(
            "another family name in the log",
            answer("analysisUser greets.assistantfinalHello!", family="qwen3"),
            "analysisUser greets.assistantfinal",
        ),
        leak("no analysis before it", answer("assistantfinalSure.", family="gpt-oss"), "assistantfinal"),
        leak("the final channel's name alone", answer("finalThe bus leaves at 8:00.", family="gpt-oss"), "final"),
        leak(
            "cut by the token limit",
            answer("analysisWe need to list the", family="gpt-oss", finish="length"),
            "analysisWe need to list the",
        ),
    ),
    clean=(
        clean(
            "a requested heading", answer("Analysis: churn was flat.\n\nFinal recommendation: wait.", family="gpt-oss")
        ),
        clean("a word of the sentence", answer("analysis of variance compares means.", family="gpt-oss")),
        clean(
            "the residue is explained in code spans",
            answer("The word `assistantfinal` is the border.", user="Why 'assistantfinal'?"),
        ),
    ),
)

"""Thoughts stand in the answer behind or before a channel name that remained when special tokens were stripped.

Catches: Gemma 4's `thought` alone on the first line, Kimi K3's `thinkresponse` between thoughts and answer (and `responsemessage` behind
it), Muse's ` to=self` … `assistant to=user`.
Why it matters: no tag is left, so filters that look for tags let the thoughts pass.
Misses: families whose stripped markers leave nothing at all (Cohere, Apertus, Inkling, Mistral).
False alarms: an answer about the very word; excused when the user's message names it.
Likely layers: engine_parser.
"""

from collections.abc import Iterator

import re2

from pipelines.rules import denominators
from pipelines.rules.examples import answer, clean, leak
from pipelines.rules.rule import Excluded, Rule, Span, Turn
from pipelines.rules.views.excuse import excuse_of_place

_GEMMA = re2.compile(r"^\s*thought\n")
_SENTENCE = re2.compile(r"^\s*thought\n\s*\S+(?: \S+){3}|^\s*thought\n\s*[^\x00-\x7f]{8}")
"""Thoughts are sentences; a list of single words below the word is none."""
_ALONE = re2.compile(r"^\s*thought\n\s*[^\s\p{Ll}]")
"""The word without thoughts: what follows begins like a sentence, not like the next word of a list."""
_MUSE = re2.compile(r"^\s?to=self(?P<thoughts>(?s:.*?))(?P<border>assistant to=user)")
_MUSE_CUT = re2.compile(r"^\s?to=self[^\s<]")


def find(turn: Turn) -> Iterator[Span | Excluded]:
    """The thoughts with the names around them; where the answer follows without any border, all of the content."""
    family, text = turn.family.name, turn.content
    if family in ("gemma4", "unknown") and _GEMMA.match(text):
        yield from _gemma(turn)
    if family in ("kimi-k3", "unknown"):
        yield from _kimi(turn)
    muse = _MUSE.match(text)
    if muse:
        yield Span(0, muse.end(), confidence=0.97)
    elif family == "muse" and _MUSE_CUT.match(text):
        yield Span(0, len(text.rstrip()), repair="regenerate")


def _gemma(turn: Turn) -> Iterator[Span | Excluded]:
    """Nothing marks where the answer begins: the last paragraph is it, where there are several."""
    asked = "thought" in turn.last_user.lower()
    if asked or not _SENTENCE.search(turn.content):
        word = _GEMMA.match(turn.content)
        if asked or turn.family.name != "gemma4" or word is None or not _ALONE.match(turn.content):
            yield Excluded("requested_format")
        else:
            yield Span(0, word.end(), confidence=0.8, symptom="boundary_token")
        return
    body = turn.content.rstrip()
    border = body.rfind("\n\n")
    start = len(turn.content) - len(turn.content.lstrip())
    if border > start + len("thought\n"):
        yield Span(start, border, confidence=0.85, repair="strip")
    else:
        yield Span(start, len(body), confidence=0.85, repair="regenerate")


def _kimi(turn: Turn) -> Iterator[Span | Excluded]:
    text = turn.content
    at = text.find("thinkresponse")
    if at >= 0:
        end = at + len("thinkresponse")
        excuse = excuse_of_place(turn, at, end)
        glued = text[end : end + 1].strip() or turn.family.name == "kimi-k3"
        if excuse or not glued:
            yield Excluded(excuse or "mention")
            return
        blank = not text[:at].strip()
        yield Span(len(text) - len(text.lstrip()), end, symptom="boundary_token" if blank else None)
    if text.rstrip().endswith("responsemessage"):
        end = len(text.rstrip())
        yield Span(end - len("responsemessage"), end, symptom="boundary_token")


RULE = Rule(
    id="stripped-channel-names",
    version=1,
    status="stable",
    tier="rule",
    symptom="reasoning_leak",
    find=find,
    eligible=lambda turn: (
        denominators.content_is_text(turn) and turn.family.name in ("gemma4", "kimi-k3", "muse", "unknown")
    ),
    needles=lambda family: ("thought\n", "thinkresponse", "responsemessage", "to=self"),
    repair="strip",
    layers=("engine_parser",),
    action="Set the reasoning parser of the family, so that the engine stops stripping its special tokens before they are read.",
    verify="Ask for the raw text with skip_special_tokens=false: the channel's tokens stand around the name.",
    doc=__doc__,
    leaks=(
        leak(
            "Gemma: the channel name on the first line",
            answer("thought\nTwo plus two. Easy.\n\nFour.", family="gemma4"),
            "thought\nTwo plus two. Easy.",
        ),
        leak(
            "Gemma: nothing but the name before a short answer",
            answer("thought\nSalut!", family="gemma4", user="Hello in Romanian?"),
            "thought\n",
        ),
        leak(
            "Kimi K3: both names glued",
            answer("Dense crumb: proofing.thinkresponseProve it longer.", family="kimi-k3"),
            "Dense crumb: proofing.thinkresponse",
        ),
        leak(
            "Muse: the recipients remain as words",
            answer(" to=selfPolite refusal.assistant to=userDear Marta,", family="muse"),
            " to=selfPolite refusal.assistant to=user",
        ),
    ),
    clean=(
        clean(
            "a dictionary entry for the word",
            answer("thought\n/θɔːt/ *noun*", family="gemma4", user="Dictionary entry: thought"),
        ),
        clean("another family", answer("thought\nprovoking", family="qwen3")),
        clean("a text about thoughts", answer("Thought experiments are old.", family="gemma4")),
    ),
)

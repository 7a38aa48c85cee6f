"""Characters were broken while the text was streamed: replacement characters stand within words.

Catches: U+FFFD beside a letter or in a run, outside of code and quotations.
Why it matters: a character of several bytes was cut between two chunks and is lost.
Misses: broken characters between blanks.
False alarms: answers about encodings that show the character without quoting it; texts that the request already brought broken.
Likely layers: gateway, engine_parser.
"""

from collections.abc import Iterator

import re2

from pipelines.rules import denominators
from pipelines.rules.deltas import is_evidence, streamed_content
from pipelines.rules.examples import answer, clean, leak
from pipelines.rules.rule import Excluded, Rule, Span, Turn
from pipelines.rules.views.excuse import excuse_of_place
from pipelines.schema import Delta

_BROKEN = re2.compile(r"\pL\x{FFFD}+|\x{FFFD}+\pL|\x{FFFD}{2,}")
_LIMIT = 50


def find(turn: Turn) -> Iterator[Span | Excluded]:
    """One span per place, at most fifty."""
    if "\ufffd" not in (turn.record.content or ""):
        return
    streamed = streamed_content(turn.record) if is_evidence(turn.record) else ""
    if streamed and "\ufffd" not in streamed:
        return  # the text is sound there, and the difference is found as such
    excused = "\ufffd" in turn.given_text
    for number, match in enumerate(_BROKEN.finditer(turn.content)):
        if number == _LIMIT:
            return
        excuse = "echo" if excused else excuse_of_place(turn, match.start(), match.end())
        yield Excluded(excuse) if excuse else Span(match.start(), match.end(), confidence=0.9)


RULE = Rule(
    id="broken-characters",
    version=1,
    status="stable",
    tier="rule",
    symptom="stream_loss",
    find=find,
    eligible=denominators.stream_is_logged,
    needles=lambda family: ("\ufffd",),
    repair="regenerate",
    layers=("gateway", "engine_parser"),
    action="Decode streams incrementally, or only whole lines of them; never each chunk of bytes on its own.",
    verify="The same request without streaming has the characters.",
    doc=__doc__,
    leaks=(
        leak("within a word", answer("Das Caf\ufffd ist offen.")),
        leak("a run of three", answer("정답은 \ufffd\ufffd\ufffd입니다.")),
    ),
    clean=(
        clean(
            "the stream has the characters: another rule finds the difference",
            answer("Das Caf\ufffd ist offen.", chunks=(Delta(content="Das Café"), Delta(content=" ist offen."))),
        ),
        clean("explained in code", answer("The mark `caf\ufffd` means that bytes were lost.")),
        clean("the request brought it", answer("Caf\ufffd is broken.", user="Why is there Caf\ufffd in my file?")),
        clean("shown alone between blanks", answer("It is shown as \ufffd in most fonts.")),
    ),
)

"""The thoughts go on in the content: they were cut at a mark that they only mention.

Catches: content that begins with the sign that closes what the reasoning left open (a tag, a code span, a bracket).
Why it matters: a filter took a mention for the end of the reasoning, and the rest of the thoughts stands before the answer.
Misses: cuts at a space.
False alarms: none known.
Likely layers: engine_parser, gateway.
"""

from collections.abc import Iterator

from pipelines.rules import denominators
from pipelines.rules.examples import answer, clean, leak
from pipelines.rules.rule import Excluded, Rule, Span, Turn
from pipelines.rules.views.sentences import lines_of
from pipelines.schema import OPENING_START

_OPENS = {">": "<", "`": "`", ")": "(", "]": "["}
_TAIL = 40


def find(turn: Turn) -> Iterator[Span | Excluded]:
    """The first line, when another text follows behind a blank line."""
    content, reasoning = turn.content, turn.reasoning.rstrip()
    opener = _OPENS.get(content[:1])
    if opener is None or not _is_left_open(reasoning[-_TAIL:], opener, content[0]):
        return
    first = lines_of(content, (), 1)[0]
    if first.gap_after and content[first.end :].strip():
        yield Span(first.start, first.end, confidence=0.8)


def _is_left_open(tail: str, opener: str, closer: str) -> bool:
    if opener == closer:
        return tail.count(opener) % 2 == 1
    return tail.rfind(opener) > tail.rfind(closer)


RULE = Rule(
    id="thoughts-continue-in-content",
    version=1,
    status="preview",
    tier="heuristic",
    symptom="reasoning_leak",
    find=find,
    eligible=denominators.content_is_text,
    openings=tuple(OPENING_START + closer for closer in _OPENS),
    repair="strip",
    layers=("engine_parser", "gateway"),
    action="Split at the token of the tag, not at its characters; a tag that is only mentioned is text.",
    verify="Ask a question about tags: the thoughts stay in their field.",
    doc=__doc__,
    leaks=(
        leak(
            "cut within a tag",
            answer("> fits, or <em>? Both are fine.\n\nUse `<i>`.", reasoning="For italics <i"),
            "> fits, or <em>? Both are fine.",
        ),
        leak(
            "cut within a code span",
            answer("` ist der Name. Kurz antworten.\n\nDer Befehl heißt ls.", reasoning="Der Befehl `ls"),
        ),
    ),
    clean=(
        clean(
            "an answer that begins with a quotation",
            answer("> To be\n\nThat is Hamlet.", reasoning="They quote Hamlet."),
        ),
        clean("the thoughts are closed", answer("`ls` lists.\n\nTry it.", reasoning="Use `ls`.")),
        clean("nothing follows", answer("> fits.", reasoning="For italics <i")),
    ),
)

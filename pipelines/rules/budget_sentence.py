"""The sentence that ends a thinking budget stands in the visible answer.

Catches: the engine's forced end string (`reasoning_end_str` of the row or of the deployment) without its tag, at the start of the
content, and the known sentences of model cards.
Why it matters: a budget was reached in the middle of a thought, and users read the emergency brake.
Misses: a custom string of a deployment when the row itself shows neither the string nor a budget and is not read in full.
False alarms: none known; the string is exact.
Likely layers: engine_parser.
"""

from collections.abc import Iterator

from pipelines.rules import denominators
from pipelines.rules.examples import answer, clean, leak
from pipelines.rules.marks import BUDGET_SENTENCES, MARK
from pipelines.rules.rule import Excluded, Rule, Span, Turn
from pipelines.rules.views.excuse import excuse_of_place
from pipelines.rules.views.intervals import covers, merge
from pipelines.schema import Record

_SHORTEST = 12
"""A custom string shorter than this is a tag or a word and no sentence to look for."""


def find(turn: Turn) -> Iterator[Span | Excluded]:
    """The first place of each sentence that is not part of a block of thoughts."""
    inside = merge((block.start, block.end) for block in turn.blocks if not block.excuse)
    for sentence in sentences(turn):
        at = turn.content.find(sentence)
        if at < 0 or covers(inside, at, at + len(sentence)):
            continue
        excuse = excuse_of_place(turn, at, at + len(sentence))
        yield Excluded(excuse) if excuse else Span(at, at + len(sentence), confidence=0.97)


def sentences(turn: Turn) -> tuple[str, ...]:
    """What to look for: the deployment's string without its marks, then the known sentences."""
    own = turn.record.reasoning_end_str or turn.identity.reasoning_end_str or ""
    plain = MARK.sub("", own).strip()
    return ((plain,) if len(plain) >= _SHORTEST else ()) + BUDGET_SENTENCES


def _wants(record: Record) -> bool:
    return record.reasoning_end_str is not None or record.thinking_token_budget is not None


RULE = Rule(
    id="budget-sentence-in-content",
    version=1,
    status="stable",
    tier="rule",
    symptom="boundary_token",
    find=find,
    eligible=denominators.content_is_text,
    needles=lambda family: ("Considering the limited time",),
    wants=_wants,
    repair="strip",
    layers=("engine_parser",),
    action="Keep a regression test for the end string, and take an engine release in which the forced end reaches the parser; until then "
    "leave the budget to max_tokens.",
    verify="Repeat with a larger thinking_token_budget: the sentence disappears.",
    doc=__doc__,
    leaks=(
        leak(
            "a custom end sentence without its tag",
            answer(
                "Time is up, here is my best answer.\n\nAudit C first.",
                reasoning_end_str="Time is up, here is my best answer.</think>",
            ),
            "Time is up, here is my best answer.",
        ),
        leak("the known sentence", answer(BUDGET_SENTENCES[0] + "\n\nYes."), BUDGET_SENTENCES[0]),
    ),
    clean=(
        clean("no such string is configured", answer("Time is up, here is my best answer.", user="Say time is up.")),
        clean("the string is a tag, which has its own rule", answer("</think>Yes", reasoning_end_str="</think>")),
    ),
)

"""Thoughts stand in the answer between the plain sentences that some models use as their boundary.

Catches: Granite 3.2's "Here is my thought process:" … "Here is my response:" in that order, "Here are my reasoning steps:" of Apriel, and
Granite's second sentence alone where its thoughts were split off.
Why it matters: the boundary is ordinary English, so no token filter sees it.
Misses: a model that words the sentences differently.
False alarms: a user who asked for these very sentences.
Likely layers: engine_parser, model.
"""

from collections.abc import Iterator

import re2

from pipelines.rules import denominators
from pipelines.rules.examples import answer, clean, leak
from pipelines.rules.rule import Excluded, Rule, Span, Turn
from pipelines.rules.views.excuse import excuse_of_place

_THOUGHTS = re2.compile(r"^\s*(?:\*\*Here(?:'s|’s| is) my thought process:\*\*|Here(?:'s|’s| is) my thought process:)")
_RESPONSE = re2.compile(r"(?:\*\*Here(?:'s|’s| is) my response:\*\*|Here(?:'s|’s| is) my response:)\s*")
_STEPS = re2.compile(r"^\s*Here are my reasoning steps:")


def find(turn: Turn) -> Iterator[Span | Excluded]:
    """Both sentences with the thoughts between them, or one sentence where only one is there."""
    text = turn.content
    thoughts, response, steps = _THOUGHTS.match(text), _RESPONSE.search(text), _STEPS.match(text)
    start = len(text) - len(text.lstrip())
    if steps and not any(block.thoughts and not block.excuse for block in turn.blocks):
        yield from _excusable(
            turn, Span(start, len(text.rstrip()), confidence=0.85, repair="regenerate"), steps.group().strip()
        )
    elif thoughts and response:
        yield from _excusable(turn, Span(start, response.end(), confidence=0.97), thoughts.group().strip())
    elif (
        response and _is_granite(turn) and text[: response.start()].strip() and text[: response.start()].endswith("\n")
    ):
        yield from _excusable(turn, Span(start, response.end(), confidence=0.85), response.group().strip())
    elif thoughts and _is_granite(turn):
        yield from _excusable(
            turn, Span(start, len(text.rstrip()), confidence=0.85, repair="regenerate"), thoughts.group().strip()
        )
    elif response and response.start() <= start and _is_granite(turn):
        yield from _excusable(
            turn, Span(start, response.end(), symptom="boundary_token", confidence=0.9), response.group().strip()
        )


def _excusable(turn: Turn, span: Span, sentence: str) -> Iterator[Span | Excluded]:
    excuse = excuse_of_place(turn, span.start, span.start + len(sentence))
    if not excuse and sentence.lower().strip("*:") in turn.asked.lower():
        excuse = "requested_format"
    yield Excluded(excuse) if excuse else span


def _is_granite(turn: Turn) -> bool:
    parser = turn.record.reasoning_parser or turn.identity.reasoning_parser
    return turn.family.name.startswith("granite") or parser.startswith("granite")


RULE = Rule(
    id="reasoning-sentences-in-content",
    version=1,
    status="stable",
    tier="rule",
    symptom="reasoning_leak",
    find=find,
    eligible=denominators.content_is_text,
    needles=lambda family: ("my thought process:", "my response:", "my reasoning steps:"),
    repair="strip",
    layers=("engine_parser", "model"),
    action="Set the reasoning parser of the family (granite); it splits at these sentences.",
    verify="With the parser set, the sentences are gone from the content and the thoughts stand in the reasoning field.",
    doc=__doc__,
    leaks=(
        leak(
            "both sentences in order",
            answer(
                "Here is my thought process:\n\nCheck clause 4.\n\nHere is my response:\n\nYes, it is covered.",
                family="granite-3.2/3.3",
            ),
            "Here is my thought process:\n\nCheck clause 4.\n\nHere is my response:\n\n",
        ),
        leak(
            "the second sentence alone, thoughts were split off",
            answer("Here is my response: A mile is longer.", family="granite-3.2/3.3", reasoning="1.609 km"),
            "Here is my response: ",
        ),
    ),
    clean=(
        clean(
            "ordinary prose of another family", answer("Here is my response: we thank the reviewer.", family="mistral")
        ),
        clean(
            "the user prescribed the opening",
            answer("Here is my response: ok", family="granite-3.2/3.3", user="Start with 'Here is my response:'"),
        ),
    ),
)

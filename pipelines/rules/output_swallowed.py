"""Tokens were billed, and neither content nor reasoning nor a call came.

Catches: empty messages that stopped by themselves although the usage counts a whole answer.
Why it matters: a parser threw the answer away, and HTTP says 200.
Misses: short answers; rows without usage.
False alarms: reasoning that a provider bills and never shows, when it says so nowhere in the row.
Likely layers: engine_parser, gateway.
"""

from collections.abc import Iterator

from pipelines.rules import denominators
from pipelines.rules.endings import has_no_answer
from pipelines.rules.examples import answer, clean, leak
from pipelines.rules.rule import Excluded, Rule, Span, Turn
from pipelines.schema import Usage

_ENOUGH_TOKENS = 16
"""An end token or two, or an empty block of thoughts, cost less."""


def find(turn: Turn) -> Iterator[Span | Excluded]:
    """An empty span: there is no text to point at. Reads states and counts only."""
    record, usage = turn.record, turn.record.usage
    shown = record.reasoning_state == "empty" and record.include_reasoning is not False
    visible = (usage.output or 0) - (usage.reasoning or 0)
    states_empty = record.content_state in ("null", "empty")
    if (
        record.finish_reason == "stop"
        and shown
        and states_empty
        and has_no_answer(record)
        and visible >= _ENOUGH_TOKENS
    ):
        yield Span(0, 0, confidence=0.85)


RULE = Rule(
    id="output-swallowed",
    version=1,
    status="stable",
    tier="rule",
    symptom="misrouted_answer",
    find=find,
    eligible=denominators.finish_and_reasoning_are_known,
    repair="regenerate",
    layers=("engine_parser", "gateway"),
    action="Capture the text before the parsers (skip_special_tokens=false) and compare; set reasoning parser and "
    "tool parser of the model together.",
    verify="The same request without parsers returns the text.",
    doc=__doc__,
    leaks=(leak("57 tokens and nothing to see", answer(None, usage=Usage(input=12, output=57))),),
    clean=(
        clean("an end token", answer("", usage=Usage(input=12, output=1))),
        clean("all of it was reasoning, as billed", answer(None, usage=Usage(input=12, output=57, reasoning=56))),
        clean(
            "the request left the reasoning out",
            answer(None, usage=Usage(input=12, output=57), include_reasoning=False),
        ),
        clean("there is an answer", answer("It starts at noon.", usage=Usage(input=12, output=57))),
        clean("ended by length", answer(None, finish="length", usage=Usage(input=12, output=57))),
    ),
)

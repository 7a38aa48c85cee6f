"""The token limit was reached before an answer began.

Catches: turns that ended by length with nothing in the content, no call and no refusal.
Why it matters: a blank answer looks like a dead model; the budget was spent on thoughts, and a grammar was never applied.
Misses: thoughts that leaked into the content; they have rules of their own.
False alarms: none known.
Likely layers: client, model.
"""

from collections.abc import Iterator

from pipelines.rules import denominators
from pipelines.rules.endings import has_no_answer
from pipelines.rules.examples import answer, clean, leak
from pipelines.rules.rule import Excluded, Rule, Span, Turn
from pipelines.schema import Record, ToolCall


def find(turn: Turn) -> Iterator[Span | Excluded]:
    """The reasoning as far as it goes, or an empty span where the row does not show it."""
    if turn.record.finish_reason == "length" and has_no_answer(turn.record):
        yield Span(0, len(turn.reasoning), confidence=0.99)


def _wants(record: Record) -> bool:
    return record.finish_reason == "length" and record.content_state in ("text", "null", "empty")


RULE = Rule(
    id="ended-before-answer",
    version=1,
    status="stable",
    tier="rule",
    symptom="truncated_reasoning",
    find=find,
    eligible=denominators.finish_is_known,
    wants=_wants,
    channel="reasoning",
    repair="regenerate",
    layers=("client", "model"),
    action="Raise max_tokens, or set thinking_token_budget; treat the turn as a failed validation.",
    verify="Compare the length of the reasoning with max_tokens.",
    doc=__doc__,
    leaks=(
        leak("thoughts to the limit", answer(None, reasoning="Birke, Buche, dann vielleicht", finish="length")),
        leak("the row does not show the reasoning", answer("", finish="length")),
        leak("line breaks are no answer", answer("\n\n", reasoning="Erst rechnen wir", finish="length")),
    ),
    clean=(
        clean("an answer had begun", answer("Birch and", reasoning="List trees.", finish="length")),
        clean("stopped by itself", answer(None, reasoning="Birch.")),
        clean("a call is the answer", answer(None, finish="length", calls=(ToolCall("get_weather", "{}"),))),
    ),
)

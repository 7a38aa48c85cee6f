"""The same structured call stands twice in one turn: same tool, same arguments.

Catches: calls that are equal as JSON.
Why it matters: a parser that reads a call twice makes the client act twice.
Misses: copies with other arguments.
False alarms: a model that wants two draws of the same lottery; that is why the rule is in preview.
Likely layers: engine_parser, model.
"""

from collections.abc import Iterator

from pipelines.rules import denominators
from pipelines.rules.examples import WEATHER, answer, clean, leak
from pipelines.rules.raw_tool_call import canonical
from pipelines.rules.rule import Excluded, Rule, Span, Turn
from pipelines.rules.tool_arguments import wants
from pipelines.schema import ToolCall


def find(turn: Turn) -> Iterator[Span | Excluded]:
    """One span per call that repeats an earlier one; start and end are places in the list of calls."""
    seen = set()
    for place, call in enumerate(turn.record.tool_calls):
        key = (call.name, canonical(call.arguments))
        if key in seen and call.name:
            yield Span(place, place + 1, confidence=0.7)
        seen.add(key)


RULE = Rule(
    id="tool-call-repeated",
    version=1,
    status="preview",
    tier="rule",
    symptom="field_contract",
    find=find,
    eligible=denominators.call_is_there,
    wants=wants,
    channel="tool_calls",
    repair="none",
    layers=("engine_parser", "model"),
    action="Give tools with side effects an idempotency key, and look in the raw text whether the call stands there once.",
    verify="The raw text holds one call where tool_calls holds two.",
    doc=__doc__,
    leaks=(
        leak(
            "equal but for the white space",
            answer(
                None,
                tools=(WEATHER,),
                calls=(ToolCall("get_weather", '{"city":"Oslo"}'), ToolCall("get_weather", '{"city": "Oslo"}')),
                finish="tool_calls",
            ),
        ),
    ),
    clean=(
        clean(
            "two cities",
            answer(
                None,
                tools=(WEATHER,),
                calls=(ToolCall("get_weather", '{"city":"Oslo"}'), ToolCall("get_weather", '{"city":"Bergen"}')),
                finish="tool_calls",
            ),
        ),
    ),
)

"""The arguments of a structured call stand a second time in the visible answer.

Catches: the JSON of a call's arguments at the end of the content, equal to those of a structured call of the same turn.
Why it matters: users read machine text behind a legitimate interim sentence.
Misses: arguments that were formatted in another way or cut.
False alarms: an answer that shows the user the data it sends on purpose.
Likely layers: engine_parser.
"""

import json
from collections.abc import Iterator

from pipelines.rules import denominators
from pipelines.rules.call_syntax.json_values import value_at
from pipelines.rules.examples import WEATHER, answer, clean, leak
from pipelines.rules.rule import Excluded, Rule, Span, Turn
from pipelines.rules.tool_arguments import wants
from pipelines.rules.views.intervals import covers
from pipelines.schema import ToolCall

_TRIES = 40


def find(turn: Turn) -> Iterator[Span | Excluded]:
    """The last JSON object of the content where it equals the arguments of a structured call."""
    arguments = [_read(call) for call in turn.record.tool_calls]
    text = turn.content.rstrip()
    if not any(arguments) or not text.endswith("}"):
        return
    place = len(text)
    for _ in range(_TRIES):
        place = text.rfind("{", 0, place)
        if place < 0:
            return
        read = value_at(text, place)
        if read and read[1] == len(text) and read[0] in arguments:
            yield Excluded("code") if covers(turn.code, place, len(text)) else Span(place, len(text), confidence=0.95)
            return


def _read(call: ToolCall) -> object:
    try:
        value = json.loads(call.arguments or "")
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and value else None


RULE = Rule(
    id="call-arguments-in-content",
    version=1,
    status="stable",
    tier="rule",
    symptom="raw_tool_call",
    find=find,
    eligible=lambda turn: denominators.calls_may_stand_in_content(turn) and denominators.call_is_there(turn),
    wants=wants,
    repair="strip",
    layers=("engine_parser",),
    action="Take an engine release whose parser drops the text of a call that it has read, and report the model's call form.",
    verify="Compare content and tool_calls of the same response: the JSON is in both.",
    doc=__doc__,
    leaks=(
        leak(
            "behind an interim sentence",
            answer(
                'I will check the forecast.{"city":"Oslo"}',
                tools=(WEATHER,),
                calls=(ToolCall("get_weather", '{"city": "Oslo"}'),),
                finish="tool_calls",
            ),
            '{"city":"Oslo"}',
        ),
    ),
    clean=(
        clean(
            "other data",
            answer(
                'Config: {"unit":"C"}',
                tools=(WEATHER,),
                calls=(ToolCall("get_weather", '{"city": "Oslo"}'),),
                finish="tool_calls",
            ),
        ),
        clean("no call is structured", answer('{"city":"Oslo"}', tools=(WEATHER,))),
    ),
)

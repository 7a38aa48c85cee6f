"""A token or tag of the model's call format stands in the name of a structured call, or at the end of one of its values.

Catches: names with channel tokens, argument tags, a namespace (`functions.`) or an index around the name of an offered tool; values
with an argument tag or an end token glued to them or on a line of its own behind them.
Why it matters: the client does not find the tool, or runs it with a value that nobody meant.
Misses: markers in the middle of a value, and those that the value, a user or a tool result names (`stop=</parameter>`).
False alarms: a value that ends in such a tag on purpose, glued to a word.
Likely layers: engine_parser.
"""

from collections.abc import Iterator

from pipelines.rules.examples import WEATHER, answer, clean, leak
from pipelines.rules.rule import Excluded, Rule, Span, Turn
from pipelines.rules.tool_arguments import faults, schema_is_logged, wants
from pipelines.schema import ToolCall


def find(turn: Turn) -> Iterator[Span | Excluded]:
    """One span per call; start and end are places in the list of calls."""
    yield from faults(turn, ("marker",))


RULE = Rule(
    id="marker-in-tool-call",
    version=1,
    status="stable",
    tier="rule",
    symptom="tool_args_invalid",
    find=find,
    eligible=schema_is_logged,
    wants=wants,
    channel="tool_calls",
    repair="rescue",
    layers=("engine_parser",),
    action="Take an engine release whose parser knows this header form, and clean names in the gateway until then.",
    verify="The raw text shows the token behind the name.",
    doc=__doc__,
    leaks=(
        leak(
            "a channel token behind the name",
            answer(
                None,
                tools=(WEATHER,),
                calls=(ToolCall("get_weather<|channel|>commentary", '{"city": "Oslo"}'),),
                finish="tool_calls",
            ),
        ),
        leak(
            "an argument tag behind the name",
            answer(
                None,
                tools=(WEATHER,),
                calls=(ToolCall("get_weather</arg_value>", '{"city": "Oslo"}'),),
                finish="tool_calls",
            ),
        ),
        leak(
            "Kimi's namespace and index",
            answer(
                None,
                tools=(WEATHER,),
                calls=(ToolCall("functions.get_weather:0", '{"city": "Oslo"}'),),
                finish="tool_calls",
            ),
        ),
        leak(
            "an argument tag behind a value",
            answer(
                None,
                tools=(WEATHER,),
                calls=(ToolCall("get_weather", '{"city": "Oslo\\n</parameter>"}'),),
                finish="tool_calls",
            ),
        ),
    ),
    clean=(
        clean(
            "the value is a mark and nothing else",
            answer(
                None, tools=(WEATHER,), calls=(ToolCall("get_weather", '{"city": "</think>"}'),), finish="tool_calls"
            ),
        ),
        clean(
            "the value names a mark in a sentence",
            answer(
                None,
                tools=(WEATHER,),
                calls=(ToolCall("get_weather", '{"city": "The end mark is </think>"}'),),
                finish="tool_calls",
            ),
        ),
        clean(
            "a plain name",
            answer(
                None, tools=(WEATHER,), calls=(ToolCall("get_weather", '{"city": "<b>Oslo</b>"}'),), finish="tool_calls"
            ),
        ),
    ),
)

"""A token or tag of the model's call format stands inside the name of a structured call.

Catches: names with channel tokens, argument tags, a namespace (`functions.`) or an index around the name of an offered tool.
Why it matters: the client does not find the tool, although the call is complete.
Misses: markers inside argument values that the schema accepts.
False alarms: tool names that hold such characters themselves are offered under that name and fit.
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
    ),
    clean=(
        clean(
            "a plain name",
            answer(
                None, tools=(WEATHER,), calls=(ToolCall("get_weather", '{"city": "<b>Oslo</b>"}'),), finish="tool_calls"
            ),
        ),
    ),
)

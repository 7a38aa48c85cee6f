"""A structured call names a tool that the request does not offer.

Catches: invented names and parts of an answer that the parser took for a call.
Why it matters: the client cannot run it, and the text that became the call is missing from the answer.
Misses: a wrong tool among those offered.
False alarms: tools that the gateway adds behind the log.
Likely layers: model, engine_parser.
"""

from collections.abc import Iterator

from pipelines.rules.examples import WEATHER, answer, clean, leak
from pipelines.rules.rule import Excluded, Rule, Span, Turn
from pipelines.rules.tool_arguments import faults, schema_is_logged, wants
from pipelines.schema import ToolCall


def find(turn: Turn) -> Iterator[Span | Excluded]:
    """One span per call; start and end are places in the list of calls."""
    if turn.record.tools:
        yield from faults(turn, ("name",))


RULE = Rule(
    id="tool-name-unknown",
    version=1,
    status="stable",
    tier="rule",
    symptom="tool_args_invalid",
    find=find,
    eligible=lambda turn: schema_is_logged(turn) and bool(turn.record.tools),
    wants=wants,
    channel="tool_calls",
    repair="regenerate",
    layers=("model", "engine_parser"),
    action="See in the raw text whether the model invented the call or the parser took JSON of the answer for one; in "
    "the second case change the parser.",
    verify="The raw text holds the family's call marker around the call, or it does not.",
    doc=__doc__,
    leaks=(
        leak(
            "a JSON example of the answer became a call",
            answer(None, tools=(WEATHER,), calls=(ToolCall("order.created", '{"id": 7}'),), finish="tool_calls"),
        ),
    ),
    clean=(
        clean(
            "an offered tool",
            answer(None, tools=(WEATHER,), calls=(ToolCall("get_weather", '{"city": "Oslo"}'),), finish="tool_calls"),
        ),
        clean("no tools in the log", answer(None, tools=None, calls=(ToolCall("x", "{}"),), finish="tool_calls")),
    ),
)

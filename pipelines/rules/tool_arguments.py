"""The arguments of a structured call are no JSON object, or the tool's schema does not accept them.

Catches: missing, cut, doubly encoded or decorated JSON, and every violation of the JSON Schema in the request.
Why it matters: the call fails in the client, or runs with values that nobody meant.
Misses: values that fit the schema and are still wrong; schemas that the log does not hold.
False alarms: schemas with patterns that re2 cannot express are not checked by that pattern.
Likely layers: engine_parser, model.
"""

from collections.abc import Iterator

from pipelines.rules import denominators
from pipelines.rules.arguments import fault_of
from pipelines.rules.examples import WEATHER, answer, clean, leak
from pipelines.rules.rule import Excluded, Rule, Span, Turn
from pipelines.schema import Record, ToolCall


def find(turn: Turn) -> Iterator[Span | Excluded]:
    """One span per call; start and end are places in the list of calls."""
    yield from faults(turn, ("json", "schema"))


def faults(turn: Turn, kinds: tuple[str, ...]) -> Iterator[Span]:
    """Spans over the calls with a fault of one of `kinds`; rescued only when the call as it was meant is certain and allowed."""
    record = turn.record
    if record.tools is None or record.gateway_rewrites & {"arguments_cut", "arguments_rewritten"}:
        return
    for place, call in enumerate(record.tool_calls):
        fault = fault_of(call, record) if call.type == "function" else None
        if fault is None or fault.kind not in kinds:
            continue
        repair = (
            "rescue"
            if fault.meant and record.tool_choice != "none" and record.finish_reason != "length"
            else "regenerate"
        )
        yield Span(place, place + 1, confidence=0.99, repair=repair)


def wants(record: Record) -> bool:
    """Calls are read in full wherever they are."""
    return record.tool_calls_state == "present"


def schema_is_logged(turn: Turn) -> bool:
    """Whether a structured call is there and the request's tools are in the log."""
    return denominators.call_is_there(turn) and turn.record.tools is not None


RULE = Rule(
    id="tool-arguments-invalid",
    version=1,
    status="stable",
    tier="rule",
    symptom="tool_args_invalid",
    find=find,
    eligible=schema_is_logged,
    wants=wants,
    channel="tool_calls",
    repair="regenerate",
    layers=("engine_parser", "model"),
    action="Check the tool-call parser against the model's generation; with a correct parser, validate arguments against the schema in the "
    "gateway and ask again once with the error. Strict function schemas make the engine constrain them.",
    verify="Validate the raw text's arguments: when they are right there, the parser damaged them.",
    doc=__doc__,
    leaks=(
        leak(
            "a required argument is missing",
            answer(None, tools=(WEATHER,), calls=(ToolCall("get_weather", "{}"),), finish="tool_calls"),
        ),
        leak(
            "encoded twice",
            answer(
                None,
                tools=(WEATHER,),
                calls=(ToolCall("get_weather", '"{\\"city\\": \\"Oslo\\"}"'),),
                finish="tool_calls",
            ),
        ),
        leak(
            "the label of a fence before the JSON",
            answer(
                None, tools=(WEATHER,), calls=(ToolCall("get_weather", 'json\n{"city": "Oslo"}'),), finish="tool_calls"
            ),
        ),
        leak(
            "a word where a number is wanted",
            answer(
                None,
                tools=(WEATHER,),
                calls=(ToolCall("get_weather", '{"city": "Oslo", "days": "two"}'),),
                finish="tool_calls",
            ),
        ),
    ),
    clean=(
        clean(
            "arguments that fit",
            answer(None, tools=(WEATHER,), calls=(ToolCall("get_weather", '{"city":"Oslo"}'),), finish="tool_calls"),
        ),
        clean(
            "the tools are not in the log",
            answer(None, tools=None, calls=(ToolCall("get_weather", "{}"),), finish="tool_calls"),
        ),
    ),
)

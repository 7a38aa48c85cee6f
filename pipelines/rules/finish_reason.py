"""The finish reason and the list of calls contradict each other.

Catches: `tool_calls` promised and none there; calls there and `stop` although the model was free to choose.
Why it matters: agents loop over the finish reason, so they stop too early or wait for a call that never comes.
Misses: a gateway that makes the finish reason up; such rows are flagged and skipped.
False alarms: a forced or required tool, where `stop` is allowed; APIs without this reason.
Likely layers: engine_parser, api_contract, gateway.
"""

from collections.abc import Iterator

from pipelines.rules.examples import WEATHER, answer, clean, leak
from pipelines.rules.rule import Excluded, Rule, Span, Turn
from pipelines.schema import ToolCall

_PROMISES = frozenset({"tool_calls", "function_call", "tool_use"})


def find(turn: Turn) -> Iterator[Span | Excluded]:
    """One span per turn, in the channel tool_calls."""
    record = turn.record
    there = record.tool_calls_state == "present"
    if record.finish_reason in _PROMISES and not there:
        yield Span(0, 0, confidence=0.97)
    elif record.finish_reason == "stop" and there and record.tool_choice in (None, "auto"):
        yield Span(0, len(record.tool_calls), confidence=0.8)


def _eligible(turn: Turn) -> bool:
    record = turn.record
    known = record.finish_reason is not None and record.tool_calls_state in ("present", "empty")
    made_up = "finish_reason_made_up" in record.gateway_rewrites
    return record.body_logged and known and not made_up and record.api in ("chat", "unknown")


RULE = Rule(
    id="finish-reason-contradicts-calls",
    version=1,
    status="stable",
    tier="rule",
    symptom="field_contract",
    find=lambda turn: find(turn) if _eligible(turn) else (),
    eligible=_eligible,
    channel="tool_calls",
    repair="none",
    layers=("engine_parser", "api_contract", "gateway"),
    action="Let agents look at the list of calls as well as at the finish reason; update the engine or the gateway that sets it.",
    verify="Ask the engine directly, without the gateway, and compare both fields.",
    doc=__doc__,
    leaks=(
        leak("calls are promised, none is there", answer("Checking.", tools=(WEATHER,), finish="tool_calls")),
        leak(
            "a call is there, the reason says stop",
            answer(None, tools=(WEATHER,), calls=(ToolCall("get_weather", '{"city": "Oslo"}'),)),
        ),
    ),
    clean=(
        clean(
            "a named tool was forced, stop is allowed",
            answer(
                None, tools=(WEATHER,), calls=(ToolCall("get_weather", '{"city": "Oslo"}'),), tool_choice="get_weather"
            ),
        ),
        clean(
            "both agree",
            answer(None, tools=(WEATHER,), calls=(ToolCall("get_weather", '{"city": "Oslo"}'),), finish="tool_calls"),
        ),
        clean(
            "the gateway makes reasons up",
            answer("ok", finish="tool_calls", gateway_rewrites=frozenset({"finish_reason_made_up"})),
        ),
    ),
)

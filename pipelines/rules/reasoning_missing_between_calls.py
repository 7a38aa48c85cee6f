"""The reasoning between the calls of a running turn was not sent back although the template wants it.

Catches: gpt-oss requests after a tool result in which no assistant message with calls has its reasoning.
Why it matters: the model has to think again from nothing at every step, and its format breaks.
Misses: other families; requests in which some messages have it.
False alarms: turns at an effort so low that the model did not reason before its calls.
Likely layers: client.
"""

from collections.abc import Iterator

from pipelines.rules import denominators
from pipelines.rules.examples import answer, clean, leak
from pipelines.rules.history import NAMES, is_named, running_turn
from pipelines.rules.rule import Excluded, Rule, Span, Turn
from pipelines.schema import Message, Record, ToolCall


def find(turn: Turn) -> Iterator[Span | Excluded]:
    """An empty span: what is wrong is missing. Source: "Verifying gpt-oss implementations", read 2026-11-30."""
    if turn.record.messages is None or not _wants(turn.record):
        return
    messages = running_turn(turn.record)
    calling = [message for message in messages if message.role == "assistant" and message.tool_calls]
    replayed = any(message.kind == "reasoning" or message.reasoning for message in messages)
    if calling and not replayed and turn.record.previous_response_id is None:
        yield Span(0, 0, confidence=0.9)


def _wants(record: Record) -> bool:
    return record.last_role == "tool" and is_named(record, NAMES)


_CALL = (ToolCall("lamp_state", '{"lamp": "hall"}', id="1"),)


def _after_a_call(*, reasoning: str | None, model: str = "openai/gpt-oss-120b") -> Turn:
    messages = (
        Message("user", "Is it on?"),
        Message("assistant", reasoning=reasoning, tool_calls=_CALL),
        Message("tool", "on", tool_call_id="1"),
    )
    return answer("Yes.", family="gpt-oss", model_requested=model, messages=messages, last_role="tool")


RULE = Rule(
    id="reasoning-missing-between-calls",
    version=1,
    status="stable",
    tier="rule",
    symptom="history_contamination",
    find=find,
    eligible=denominators.history_is_known,
    wants=_wants,
    channel="messages",
    layers=("client",),
    action="Send the reasoning of each call of the running turn back in `reasoning`, and drop it after the final answer.",
    verify="The rendered prompt holds the analysis before each call.",
    doc=__doc__,
    leaks=(leak("the call came back without it", _after_a_call(reasoning=None)),),
    clean=(
        clean("it came back", _after_a_call(reasoning="Ask the device first.")),
        clean("another family", _after_a_call(reasoning=None, model="Qwen/Qwen3-8B")),
    ),
)

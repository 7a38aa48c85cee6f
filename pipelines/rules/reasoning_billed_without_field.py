"""Reasoning tokens are billed, and the message has no reasoning.

Catches: a usage with reasoning tokens of a model whose reasoning an engine separates, in a format that would show it.
Why it matters: a gateway dropped the field, or the client's model of the API is another one.
Misses: usages without a count of reasoning tokens.
False alarms: providers that never return the reasoning of an open model and do not say so.
Likely layers: gateway, api_contract.
"""

from collections.abc import Iterator

from pipelines.rules import denominators
from pipelines.rules.examples import answer, clean, leak
from pipelines.rules.rule import Excluded, Rule, Span, Turn
from pipelines.schema import Usage

_ELSEWHERE = ("reasoning_dropped", "think_inserted")
"""The gateway dropped the reasoning, or wrote it into the content."""


def find(turn: Turn) -> Iterator[Span | Excluded]:
    """An empty span. Reads states and counts only."""
    record, usage = turn.record, turn.record.usage
    billed = (usage.reasoning or 0) > 0 and not usage.estimated
    hidden = record.include_reasoning is False or not record.gateway_rewrites.isdisjoint(_ELSEWHERE)
    separable = bool(turn.family.reasoning_end) and record.api in ("chat", "responses", "messages")
    if billed and separable and not hidden and record.body_logged and record.reasoning_state == "empty":
        yield Span(0, 0, confidence=0.85)


RULE = Rule(
    id="reasoning-billed-without-field",
    version=1,
    status="stable",
    tier="rule",
    symptom="field_contract",
    find=find,
    eligible=denominators.body_is_logged,
    channel="reasoning",
    layers=("gateway", "api_contract"),
    action="Compare with the response of the engine: read `reasoning` and `reasoning_content`, and let the gateway pass one of them on.",
    verify="The direct response has the field.",
    doc=__doc__,
    leaks=(leak("240 tokens without a field", answer("11", family="qwen3", usage=Usage(output=250, reasoning=240))),),
    clean=(
        clean(
            "the field is there", answer("11", family="qwen3", reasoning="11.", usage=Usage(output=250, reasoning=240))
        ),
        clean(
            "the request excluded it",
            answer("11", family="qwen3", include_reasoning=False, usage=Usage(output=250, reasoning=240)),
        ),
        clean(
            "the format cannot show it",
            answer("11", family="qwen3", reasoning_state="dropped_by_format", usage=Usage(output=250, reasoning=240)),
        ),
        clean(
            "a managed model whose reasoning is never returned",
            answer("11", family="gpt-5", usage=Usage(output=250, reasoning=240)),
        ),
        clean(
            "the gateway estimated the count",
            answer("11", family="qwen3", usage=Usage(output=250, reasoning=240, estimated=True)),
        ),
        clean(
            "the gateway merged the reasoning into the content",
            answer(
                "<think>11</think>11",
                family="qwen3",
                usage=Usage(output=250, reasoning=240),
                gateway_rewrites=frozenset({"think_inserted"}),
            ),
        ),
        clean("a model that does not reason", answer("11", family="qwen2.5", usage=Usage(output=2, reasoning=0))),
    ),
)

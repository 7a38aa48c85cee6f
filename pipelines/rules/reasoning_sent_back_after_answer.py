"""The reasoning of a finished turn was sent back although it belongs to running turns only.

Catches: gpt-oss requests with reasoning on assistant messages before the last user message.
Why it matters: the model goes on with old thoughts; after the final answer they have to be removed.
Misses: other families, whose templates drop it by themselves.
False alarms: none known.
Likely layers: client.
"""

from collections.abc import Iterator

from pipelines.rules import denominators
from pipelines.rules.examples import answer, clean, leak
from pipelines.rules.history import NAMES, finished_turns, is_named
from pipelines.rules.rule import Excluded, Rule, Span, Turn
from pipelines.schema import Message, Record


def find(turn: Turn) -> Iterator[Span | Excluded]:
    """An empty span. Source: "Verifying gpt-oss implementations", read 2026-11-30."""
    if turn.record.messages is None or not _wants(turn.record):
        return
    if any(
        message.role == "assistant" and message.reasoning and message.content for message in finished_turns(turn.record)
    ):
        yield Span(0, 0, confidence=0.85)


def _wants(record: Record) -> bool:
    sent_back = record.history_reasoning or not record.light
    return sent_back and record.position != 1 and is_named(record, NAMES)


def _talk(reasoning: str | None, *, model: str = "openai/gpt-oss-20b") -> Turn:
    messages = (
        Message("user", "Is it on?"),
        Message("assistant", "Yes.", reasoning=reasoning),
        Message("user", "Since when?"),
    )
    return answer(
        "Since 5.",
        family="gpt-oss",
        model_requested=model,
        messages=messages,
        position=2,
        history_reasoning=reasoning is not None,
    )


RULE = Rule(
    id="reasoning-sent-back-after-answer",
    version=1,
    status="stable",
    tier="rule",
    symptom="history_contamination",
    find=find,
    eligible=denominators.history_is_known,
    wants=_wants,
    channel="messages",
    layers=("client",),
    action="Remove the reasoning of earlier turns once they have their final answer.",
    verify="The rendered prompt holds analysis of the running turn only.",
    doc=__doc__,
    leaks=(leak("sent back with the finished answer", _talk("It said on.")),),
    clean=(
        clean("removed", _talk(None)),
        clean("another family, whose template drops it", _talk("It said on.", model="Qwen/Qwen3-8B")),
    ),
)

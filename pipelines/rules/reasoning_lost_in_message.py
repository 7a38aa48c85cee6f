"""The stream had reasoning, and the assembled message has none.

Catches: reasoning deltas in the chunks of a message without a reasoning field.
Why it matters: whoever assembled the message reads another field name, and the reasoning is gone for logs and for the next turn.
Misses: rows without chunks.
False alarms: none known.
Likely layers: gateway, client.
"""

from collections.abc import Iterator

from pipelines.rules import denominators
from pipelines.rules.deltas import is_evidence, streamed_reasoning
from pipelines.rules.examples import answer, clean, leak
from pipelines.rules.message_differs_from_stream import wants_chunks
from pipelines.rules.rule import Excluded, Rule, Span, Turn
from pipelines.schema import Delta


def find(turn: Turn) -> Iterator[Span | Excluded]:
    """The whole reasoning of the stream."""
    if is_evidence(turn.record) and turn.record.reasoning_state == "empty":
        lost = streamed_reasoning(turn.record)
        if lost.strip():
            yield Span(0, len(lost), confidence=0.97)


_STREAM = (Delta(reasoning_content="17 is odd."), Delta(content="17"))

RULE = Rule(
    id="reasoning-lost-in-message",
    version=1,
    status="stable",
    tier="rule",
    symptom="field_contract",
    find=find,
    eligible=denominators.body_is_logged,
    wants=wants_chunks,
    channel="stream",
    repair="rescue",
    layers=("gateway", "client"),
    action="Let the assembler read both `reasoning` and `reasoning_content` of each delta.",
    verify="The assembled message has the reasoning of the chunks.",
    doc=__doc__,
    leaks=(leak("translated without it", answer("17", chunks=_STREAM, assembled_by="gateway")),),
    clean=(
        clean("it is there", answer("17", reasoning="17 is odd.", chunks=_STREAM, assembled_by="gateway")),
        clean("joined by us", answer("17", chunks=_STREAM, assembled_by="us")),
        clean(
            "the format cannot show it",
            answer("17", chunks=_STREAM, reasoning_state="dropped_by_format", assembled_by="gateway"),
        ),
        clean("no reasoning in the stream", answer("17", chunks=(Delta(content="17"),), assembled_by="gateway")),
    ),
)

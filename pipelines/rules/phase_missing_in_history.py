"""Earlier assistant messages were sent back without their phase.

Catches: a history without any phase for a model whose own answer has phases.
Why it matters: the model takes its old interim updates for answers and stops early, or repeats them.
Misses: models that left the phase out of this answer.
False alarms: histories that were answered by another model.
Likely layers: client.
"""

from collections.abc import Iterator

from pipelines.rules.examples import answer, clean, leak
from pipelines.rules.rule import Excluded, Rule, Span, Turn
from pipelines.schema import Message, Part, Record


def find(turn: Turn) -> Iterator[Span | Excluded]:
    """An empty span: what is wrong is missing."""
    if not _eligible(turn) or not any(part.phase for part in turn.record.parts):
        return
    said = [
        message
        for message in turn.record.messages or ()
        if message.role == "assistant" and message.kind == "message" and message.content
    ]
    if said and not any(message.phase for message in said):
        yield Span(0, 0, confidence=0.85)


def _eligible(turn: Turn) -> bool:
    return turn.record.phases and turn.record.messages is not None and turn.record.previous_response_id is None


def _wants(record: Record) -> bool:
    return record.phases


_FINAL = (Part(0, 2, phase="final_answer"),)
_BEFORE = (Message("user", "Run it."), Message("assistant", "Running it."), Message("user", "And?"))

RULE = Rule(
    id="phase-missing-in-history",
    version=1,
    status="stable",
    tier="rule",
    symptom="history_contamination",
    find=find,
    eligible=_eligible,
    wants=_wants,
    channel="messages",
    layers=("client",),
    action="Send each assistant item's phase back unchanged, or use previous_response_id.",
    verify="Every assistant item of the request has the phase that it had in its response.",
    doc=__doc__,
    leaks=(leak("replayed by hand", answer("OK", phases=True, parts=_FINAL, messages=_BEFORE)),),
    clean=(
        clean(
            "sent back unchanged",
            answer(
                "OK",
                phases=True,
                parts=_FINAL,
                messages=(*_BEFORE[:1], Message("assistant", "Running it.", phase="commentary"), _BEFORE[2]),
            ),
        ),
        clean("the first turn", answer("OK", phases=True, parts=_FINAL)),
        clean("the API has no phases", answer("OK", messages=_BEFORE)),
        clean("a model without phases", answer("OK", phases=True, parts=(Part(0, 2),), messages=_BEFORE)),
    ),
)

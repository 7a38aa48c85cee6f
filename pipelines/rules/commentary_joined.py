"""Commentary was joined to the final answer, so that its phase is lost.

Catches: Responses objects whose commentary stands in one text with the answer, and rows that say they were flattened from an API
with phases
and begin with progress notes.
Why it matters: users read interim updates as part of the answer, and a replayed history cannot tell them apart.
Misses: flattened rows whose commentary does not read like a progress note.
False alarms: a Responses object that keeps commentary in items of its own is as its API says: it is marked as configured.
Likely layers: client, gateway.
"""

from collections.abc import Iterator

from pipelines.rules import denominators, notes
from pipelines.rules.examples import answer, clean, leak
from pipelines.rules.rule import Excluded, Rule, Span, Turn
from pipelines.schema import Part, Record

_COMMENTARY = "commentary"


def find(turn: Turn) -> Iterator[Span | Excluded]:
    """One span per part of commentary that stands beside an answer, or the progress notes of a flattened row."""
    record = turn.record
    spoken = [part for part in record.parts if part.phase == _COMMENTARY]
    if spoken:
        if len(spoken) < len(record.parts):
            for part in spoken:
                text = turn.content[part.start : part.end]
                start = part.start + len(text) - len(text.lstrip())
                yield Span(start, part.start + len(text.rstrip()), configured=record.flattened_from is None)
        return
    passage = notes.lead(turn) if record.flattened_from == "responses" and not record.tool_calls else None
    if passage is not None and passage.answered:
        yield Span(passage.start, passage.end, confidence=0.85)


def _wants(record: Record) -> bool:
    return record.phases or record.flattened_from is not None


_BOTH = "I'm reading all three logs.\n\nThe second one has it."
_PARTS = (Part(0, 29, phase=_COMMENTARY, item=0), Part(29, len(_BOTH), phase="final_answer", item=1))

RULE = Rule(
    id="commentary-joined-to-answer",
    version=1,
    status="stable",
    tier="rule",
    symptom="commentary_leak",
    find=find,
    eligible=denominators.phases_are_known,
    wants=_wants,
    repair="strip",
    layers=("client", "gateway"),
    action="Leave out items whose phase is commentary (a missing phase is a final answer); use the Responses API "
    "where preambles must be told apart.",
    verify="Check the phase of each output item.",
    doc=__doc__,
    leaks=(
        leak(
            "the text of both items in one field",
            answer(_BOTH, phases=True, parts=_PARTS, flattened_from="responses"),
            "I'm reading all three logs.",
        ),
        leak(
            "flattened into a chat completion",
            answer(
                "Ich prüfe zuerst den Zähler.\nDer Verbrauch stieg im Mai.",
                flattened_from="responses",
            ),
            "Ich prüfe zuerst den Zähler.",
        ),
    ),
    clean=(
        clean(
            "a missing phase is a final answer",
            answer(_BOTH, phases=True, parts=(Part(0, 29, item=0), Part(29, len(_BOTH), item=1))),
        ),
        clean(
            "the final answer only",
            answer("The second one has it.", phases=True, parts=(Part(0, 22, phase="final_answer"),)),
        ),
        clean("flattened, and no commentary in it", answer("The second one has it.", flattened_from="responses")),
        clean("an API without phases", answer("Ich prüfe zuerst den Zähler.\nEs stimmt.")),
    ),
)

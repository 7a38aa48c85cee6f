"""A redacted row still holds the answer or the reasoning in clear text.

Catches: rows whose content was replaced by a redaction mark while another field kept the text.
Why it matters: the log was to hold no text of users or models, and it does.
Misses: fields that no format page names.
False alarms: none known.
Likely layers: gateway.
"""

from collections.abc import Iterator

from pipelines.rules.examples import answer, clean, leak
from pipelines.rules.rule import Excluded, Rule, Span, Turn
from pipelines.schema import Record


def find(turn: Turn) -> Iterator[Span | Excluded]:
    """An empty span: the field's name is in the record, its text is nobody's business."""
    if turn.record.redacted_leftover is not None:
        yield Span(
            0, 0, confidence=0.97, channel="reasoning" if "reason" in turn.record.redacted_leftover else "content"
        )


def _eligible(turn: Turn) -> bool:
    return turn.record.content_state == "redacted" or turn.record.redacted_leftover is not None


def _wants(record: Record) -> bool:
    return record.content_state == "redacted"


RULE = Rule(
    id="redacted-row-holds-text",
    version=1,
    status="stable",
    tier="rule",
    symptom="field_contract",
    find=find,
    eligible=_eligible,
    wants=_wants,
    layers=("gateway",),
    action="Redact every field that can hold the text: provider fields, thinking blocks, reasoning under both names, logprobs.",
    verify="A redacted test row holds no word of the answer.",
    doc=__doc__,
    leaks=(
        leak(
            "the reasoning was forgotten", answer(None, content_state="redacted", redacted_leftover="reasoning_content")
        ),
    ),
    clean=(
        clean("redacted whole", answer(None, content_state="redacted")),
        clean("not redacted", answer("Yes.")),
    ),
)

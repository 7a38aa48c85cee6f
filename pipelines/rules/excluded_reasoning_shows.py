"""Reasoning shows although the request excluded it: in its field, in the logprobs or in the token ids.

Catches: `include_reasoning: false` with reasoning in the response, or with logprobs that hold more text than the content.
Why it matters: what was to be kept from the client reaches it on a side path.
Misses: rows that do not log logprobs.
False alarms: none known; SGLang has no such switch and is left alone.
Likely layers: engine_parser, gateway.
"""

from collections.abc import Iterator

from pipelines.rules import denominators
from pipelines.rules.examples import answer, clean, leak
from pipelines.rules.rule import Excluded, Rule, Span, Turn
from pipelines.schema import Record

_MARGIN = 12
"""So many characters more than the content are no end token."""


def find(turn: Turn) -> Iterator[Span | Excluded]:
    """The reasoning where it came along, else an empty span."""
    record = turn.record
    if record.include_reasoning is not False or record.engine == "sglang":
        return
    if turn.reasoning.strip():
        yield Span(0, len(turn.reasoning), channel="reasoning", confidence=0.97)
    elif record.logprobs_text and record.content_state in ("text", "null", "empty"):
        told, shown = ("".join(text.split()) for text in (record.logprobs_text, turn.content))
        if len(told) > len(shown) + _MARGIN and (not shown or shown in told):
            yield Span(0, 0, confidence=0.9)


def _wants(record: Record) -> bool:
    return record.include_reasoning is False


RULE = Rule(
    id="excluded-reasoning-shows",
    version=1,
    status="stable",
    tier="rule",
    symptom="field_contract",
    find=find,
    eligible=denominators.body_is_logged,
    wants=_wants,
    layers=("engine_parser", "gateway"),
    action="Take a release in which include_reasoning=false hides the span from logprobs and token ids, or do not return logprobs.",
    verify="The text of the logprobs equals the content.",
    doc=__doc__,
    leaks=(
        leak(
            "through logprobs",
            answer("17", include_reasoning=False, logprobs_text="16 is even, 17 is odd.</think>17"),
        ),
        leak("in its field", answer("17", reasoning="17 is odd.", include_reasoning=False)),
    ),
    clean=(
        clean("excluded, as asked", answer("17", include_reasoning=False, reasoning_state="dropped_by_format")),
        clean(
            "logprobs of the answer only",
            answer("17 ist ungerade.", include_reasoning=False, logprobs_text="17 ist ungerade.<|im_end|>"),
        ),
        clean("not excluded", answer("17", reasoning="17 is odd.", logprobs_text="17 is odd.</think>11")),
    ),
)

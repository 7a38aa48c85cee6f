"""The message has two reasoning fields, and their texts differ.

Catches: `reasoning` and `reasoning_content` with unequal texts.
Why it matters: what a client takes for the reasoning depends on the name that it reads; one of the two was cut or made by somebody else.
Misses: rows in which the gateway keeps one of the fields only.
False alarms: none known; white space at the ends does not count.
Likely layers: gateway, api_contract.
"""

from collections.abc import Iterator

from pipelines.rules import denominators
from pipelines.rules.examples import answer, clean, leak
from pipelines.rules.rule import Excluded, Rule, Span, Turn
from pipelines.schema import Record

_NAMES = ("reasoning", "reasoning_content")


def find(turn: Turn) -> Iterator[Span | Excluded]:
    """From where the two texts part to the end of the reasoning."""
    one, other = (turn.record.reasoning_fields.get(name, "").strip() for name in _NAMES)
    if one and other and one != other:
        start = next(
            (index for index, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]),
            min(len(one), len(other)),
        )
        yield Span(start, max(start, len(turn.reasoning)), confidence=0.97)


def _wants(record: Record) -> bool:
    return len(record.reasoning_fields) > 1


RULE = Rule(
    id="reasoning-fields-differ",
    version=1,
    status="stable",
    tier="rule",
    symptom="field_contract",
    find=find,
    eligible=denominators.body_is_logged,
    wants=_wants,
    channel="reasoning",
    layers=("gateway", "api_contract"),
    action="Let one place write both names from the same text, or read `reasoning` first everywhere.",
    verify="Compare with the response of the engine without the gateway.",
    doc=__doc__,
    leaks=(
        leak(
            "one is cut",
            answer(
                "Later.",
                reasoning="Two trains, so 40 minutes.",
                reasoning_fields={"reasoning": "Two trains, so 40 minutes.", "reasoning_content": "Two tr"},
            ),
        ),
        leak(
            "different texts",
            answer(
                "Ja.", reasoning="Erst A.", reasoning_fields={"reasoning": "Erst A.", "reasoning_content": "Erst B."}
            ),
        ),
    ),
    clean=(
        clean(
            "equal", answer("Ja.", reasoning="A.", reasoning_fields={"reasoning": "A.", "reasoning_content": "A.\n"})
        ),
        clean(
            "one name only is a cut, not a fault",
            answer("Ja.", reasoning="A.", reasoning_fields={"reasoning_content": "A."}),
        ),
        clean(
            "one is empty", answer("Ja.", reasoning="A.", reasoning_fields={"reasoning": "A.", "reasoning_content": ""})
        ),
        clean("a model that does not reason", answer("Ja.")),
    ),
)

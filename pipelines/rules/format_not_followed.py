"""The answer is not what the requested format asks for: no JSON at all, JSON off the schema, a text off the pattern, or nothing.

Catches: JSON that cannot be read, JSON that the schema does not accept, texts that a requested pattern or list of choices excludes, an
empty answer.
Why it matters: HTTP says 200, and the caller's code fails.
Misses: grammars in EBNF and structural tags; patterns that no linear-time engine can express.
False alarms: refusals in plain words without a refusal field.
Likely layers: engine_parser, model.
"""

from collections.abc import Iterator

from pipelines.rules import denominators
from pipelines.rules.examples import answer, clean, leak
from pipelines.rules.json_with_text_around import JSON_MODE, wants
from pipelines.rules.rule import Excluded, Rule, Span, Turn
from pipelines.rules.structured import fault_of, is_judged, refusal_of

_SCHEMA: dict[str, object] = {
    "type": "json_schema",
    "json_schema": {"schema": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}},
}


def find(turn: Turn) -> Iterator[Span | Excluded]:
    """An empty span where reading stopped, since no part of the answer is the fault; a refusal is excluded by name."""
    refusal = refusal_of(turn.record)
    if refusal:
        yield Excluded(refusal)
        return
    fault = fault_of(turn) if is_judged(turn.record) else None
    if fault is not None and fault.kind in ("unparsable", "schema", "pattern", "missing"):
        yield Span(fault.place, fault.place)


RULE = Rule(
    id="format-not-followed",
    version=1,
    status="stable",
    tier="rule",
    symptom="structured_invalid",
    find=find,
    eligible=denominators.format_was_requested,
    wants=wants,
    repair="regenerate",
    layers=("engine_parser", "model"),
    action="Validate in the gateway, report the validation error to the model and have it answer again, with a cap; check that the engine "
    "enforces the schema at all.",
    verify="Replay the request: with an enforced schema it cannot fail.",
    doc=__doc__,
    leaks=(
        leak("a wrong type", answer('{"n": "zwölf"}', response_format=_SCHEMA, response_format_state="present")),
        leak("no JSON", answer("La réponse est 20.", response_format=_SCHEMA, response_format_state="present")),
        leak("nothing", answer("", response_format=_SCHEMA, response_format_state="present")),
        leak(
            "a line break in a string",
            answer('{"n": "a\nb"}', response_format=JSON_MODE, response_format_state="present"),
        ),
        leak(
            "no choice",
            answer(
                "maybe", response_format={"type": "choice", "choice": ["yes", "no"]}, response_format_state="present"
            ),
        ),
    ),
    clean=(
        clean("fits", answer('{"n": 20}', response_format=_SCHEMA, response_format_state="present")),
        clean(
            "cut by length, which is a measure of its own",
            answer('{"n": ', finish="length", response_format=_SCHEMA, response_format_state="present"),
        ),
        clean("refused", answer(None, refusal="I cannot.", response_format=_SCHEMA, response_format_state="present")),
        clean(
            "matches the pattern",
            answer("A-1", response_format={"type": "regex", "regex": "[A-Z]-[0-9]"}, response_format_state="present"),
        ),
        clean(
            "a pattern that cannot be checked",
            answer("x", response_format={"type": "regex", "regex": "(?=a)b"}, response_format_state="present"),
        ),
    ),
)

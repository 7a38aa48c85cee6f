"""Valid JSON was delivered with other text around it: a code fence, or prose.

Catches: a fence (also one that is never closed), a greeting or an explanation before or behind the JSON that the request's schema accepts.
Why it matters: every parser on the way fails on an answer whose content is right; the grammar was never applied.
Misses: formats that cannot be checked (grammars in EBNF, structural tags); answers behind the first megabyte.
False alarms: none known; fences inside of a JSON string are part of the value.
Likely layers: engine_parser, model.
"""

from collections.abc import Iterator

from pipelines.rules import denominators
from pipelines.rules.examples import answer, clean, leak
from pipelines.rules.rule import Excluded, Rule, Span, Turn
from pipelines.rules.structured import fault_of, is_judged
from pipelines.schema import Record

JSON_MODE: dict[str, object] = {"type": "json_object"}


def find(turn: Turn) -> Iterator[Span | Excluded]:
    """One span per piece; thoughts in front of the JSON have a rule of their own."""
    fault = fault_of(turn) if is_judged(turn.record) else None
    if fault is None or fault.kind not in ("around", "unparsable"):
        return
    for piece in fault.pieces:
        if piece.kind != "thoughts":
            yield Span(piece.start, piece.end, repair="strip" if fault.kind == "around" else "regenerate")


def wants(record: Record) -> bool:
    return record.response_format_state == "present"


RULE = Rule(
    id="text-around-json",
    version=1,
    status="stable",
    tier="rule",
    symptom="structured_invalid",
    find=find,
    eligible=denominators.format_was_requested,
    wants=wants,
    repair="strip",
    layers=("engine_parser", "model"),
    action="Make the engine apply the grammar: use a release in which the end of the reasoning is not missed under speculative decoding "
    "(vLLM 0.27.0 or later), and keep a schema check in the gateway.",
    verify="Repeat with speculative decoding and async scheduling off: the fence disappears.",
    doc=__doc__,
    leaks=(
        leak("a fence", answer('```json\n{"a": 1}\n```', response_format=JSON_MODE, response_format_state="present")),
        leak(
            "a fence that is never closed",
            answer('```json\n{"a": 1}', response_format=JSON_MODE, response_format_state="present"),
            "```json",
        ),
        leak(
            "a greeting",
            answer('Gerne! {"a": 1}', response_format=JSON_MODE, response_format_state="present"),
            "Gerne!",
        ),
        leak(
            "a farewell",
            answer(
                '{"a": 1}\n\n도움이 되었으면 좋겠습니다.', response_format=JSON_MODE, response_format_state="present"
            ),
            "도움이 되었으면 좋겠습니다.",
        ),
    ),
    clean=(
        clean("bare JSON", answer(' {"a": 1}\n', response_format=JSON_MODE, response_format_state="present")),
        clean(
            "the fence is inside of the value",
            answer(
                '{"page": "~~~\\n```sh\\nls -l\\n```\\n~~~"}',
                response_format=JSON_MODE,
                response_format_state="present",
            ),
        ),
        clean("no format was requested", answer('```json\n{"a": 1}\n```')),
        clean(
            "cut by length, which is a measure of its own",
            answer('```json\n{"a": 1', finish="length", response_format=JSON_MODE, response_format_state="present"),
        ),
    ),
)

"""What is wrong with an answer to a request for JSON."""

import pytest

from pipelines.rules.examples import answer
from pipelines.rules.structured import fault_of, final_item, refusal_of
from pipelines.schema import Part

SCHEMA = {
    "type": "json_schema",
    "json_schema": {"schema": {"type": "object", "required": ["n"], "properties": {"n": {"type": "integer"}}}},
}


def fault(content: str | None, wanted: dict[str, object] = SCHEMA, **fields: object) -> tuple[str, list[str]] | None:
    turn = answer(content, response_format=wanted, response_format_state="present", **fields)
    found = fault_of(turn)
    return (
        None
        if found is None
        else (found.kind, [f"{piece.kind}: {turn.content[piece.start : piece.end]}" for piece in found.pieces])
    )


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ('{"n": 1}', None),
        ('\n {"n": 1}\n', None),
        ('{"n": "1"}', ("schema", [])),
        ('{"n": NaN}', ("unparsable", [])),  # Python reads it, JSON has no such value
        ('{"n": 1}.', ("around", ["prose: ."])),
        ('```json\n{"n": 1}\n```', ("around", ["fence: ```json", "fence: ```"])),
        ('Voilà :\n```\n{"n": 1}\n```', ("around", ["prose: Voilà :\n```", "fence: ```"])),
        ('<think>\n{}\n</think>{"n": 1}', ("around", ["thoughts: <think>\n{}\n</think>"])),
        ('Between {braces}: {"n": 1}', ("around", ["prose: Between {braces}:"])),
        ('{"m": 2} {"n": 1}', ("around", ['prose: {"m": 2}'])),  # the one that fits
        ("n is one", ("unparsable", [])),
        ("", ("missing", [])),
        (None, ("missing", [])),
    ],
)
def test_fault(content: str | None, expected: tuple[str, list[str]] | None) -> None:
    assert fault(content) == expected


def test_json_in_the_reasoning() -> None:
    assert fault(None, reasoning=' {"n": 1}') == ("in_reasoning", [])
    assert fault(None, reasoning='{"m": 1}') == ("missing", [])


@pytest.mark.parametrize(
    ("wanted", "content", "expected"),
    [
        ({"type": "json_object"}, "[1]", ("schema", [])),
        ({"type": "json_object"}, "{}", None),
        ({"type": "regex", "regex": "[0-9]{4}"}, "2026", None),
        ({"type": "regex", "regex": "[0-9]{4}"}, "in 2026", ("pattern", [])),
        ({"type": "regex", "regex": "(?!x)"}, "anything", None),  # cannot be checked
        ({"type": "choice", "choice": ["a", "b"]}, "b", None),
        ({"type": "choice", "choice": ["a", "b"]}, "c", ("pattern", [])),
        ({"type": "grammar", "grammar": "root ::= x"}, "y", None),  # cannot be checked
    ],
)
def test_other_formats(wanted: dict[str, object], content: str, expected: object) -> None:
    assert fault(content, wanted) == expected


def test_the_last_item_that_is_no_commentary_is_judged() -> None:
    content = '{"n": "x"}{"n": 1}'
    parts = (Part(0, 10, phase="commentary", item=0), Part(10, 18, phase="final_answer", item=1))
    turn = answer(content, phases=True, parts=parts, response_format=SCHEMA, response_format_state="present")
    assert final_item(turn.record, len(content)) == (10, 18)
    assert fault_of(turn) is None


@pytest.mark.parametrize(
    ("properties", "api", "expected"),
    [
        ({"reasoning": {}}, "messages", "refused_reasoning_extraction"),
        ({"n": {}}, "messages", "refused"),
        ({"reasoning": {}}, "chat", "refused"),
    ],
)
def test_refusals_have_names(properties: dict[str, object], api: str, expected: str) -> None:
    wanted = {"type": "json_schema", "json_schema": {"schema": {"type": "object", "properties": properties}}}
    turn = answer(None, refusal="no", api=api, response_format=wanted, response_format_state="present")
    assert refusal_of(turn.record) == expected
    assert refusal_of(answer(None, refusal="no").record) is None

"""Who could show a symptom, as a literal table: the log shows what it takes, does not say, or says that it was switched off."""

from typing import Any

import pytest

from pipelines.families import UNKNOWN_FAMILY, by_name
from pipelines.rules.denominators import ELIGIBLE
from pipelines.rules.examples import WEATHER
from pipelines.rules.rule import Turn
from pipelines.schema import SYMPTOMS, Delta, Message, Record, ToolCall

CALL = (ToolCall("get_weather", "{}"),)
ASKED = (Message("user", "Rain?"),)
TEXT = {"content_state": "text"}
NO_BODY = {"content_state": "redacted", "body_logged": False}
FORMAT = {"response_format_state": "present"}

TABLE: dict[str, tuple[list[dict[str, Any]], list[dict[str, Any]]]] = {
    # symptom: records that count, records that do not
    "reasoning_leak": (
        [TEXT],
        [{"content_state": "absent"}, {"content_state": "null"}, {"content_state": "empty"}, NO_BODY],
    ),
    "boundary_token": (
        [TEXT],
        [{"content_state": "absent"}, {"content_state": "null"}, {"content_state": "empty"}, NO_BODY],
    ),
    "raw_tool_call": (
        [
            TEXT | {"tools": (WEATHER,)},
            TEXT | {"tools": (WEATHER,), "tool_choice": "auto", "messages": ASKED},
            TEXT | {"tools": (WEATHER,), "tool_choice": "get_weather"},
            TEXT,  # nothing of the request is in the log
        ],
        [
            TEXT | {"tools": (WEATHER,), "tool_choice": "none"},
            TEXT | {"tools": ()},
            TEXT | {"messages": ASKED},  # the request is there, its tools are unknown
            TEXT | {"instructions": "Be brief."},
            {"content_state": "empty", "tools": (WEATHER,)},
            NO_BODY | {"tools": (WEATHER,)},
        ],
    ),
    "tool_call_in_reasoning": (
        [{"reasoning_state": "present"}],
        [{"reasoning_state": "empty"}, {"reasoning_state": "dropped_by_format"}],
    ),
    "tool_args_invalid": (
        [{"tool_calls_state": "present"}, {"tool_calls": CALL}],
        [{"tool_calls_state": "empty"}, {"tool_calls_state": "dropped_by_format"}],
    ),
    "preamble": (
        [TEXT, TEXT | {"tool_calls_state": "empty"}],
        [TEXT | {"tool_calls_state": "present"}, TEXT | {"tool_calls": CALL}, {"content_state": "absent"}, NO_BODY],
    ),
    "misrouted_answer": (
        [
            {"finish_reason": "stop", "reasoning_state": "present"},
            {"finish_reason": "stop", "reasoning_state": "empty"},
        ],
        [
            {"finish_reason": "stop", "reasoning_state": "dropped_by_format"},
            {"finish_reason": None, "reasoning_state": "present"},
            NO_BODY | {"finish_reason": "stop", "reasoning_state": "present"},
        ],
    ),
    "structured_invalid": (
        [FORMAT, FORMAT | {"finish_reason": "stop"}],
        [
            {"response_format_state": "unknown"},
            {"response_format_state": "absent"},
            FORMAT | {"finish_reason": "length"},
            FORMAT | {"finish_reason": "content_filter"},
            FORMAT | {"refusal": "I cannot help with that."},
            FORMAT | {"gateway_rewrites": frozenset({"stream_cut"})},
            FORMAT | NO_BODY,
        ],
    ),
    "truncated_reasoning": (
        [{"finish_reason": "length"}, {"finish_reason": "stop"}],
        [{}, NO_BODY | {"finish_reason": "length"}],
    ),
    "stream_loss": (
        [TEXT, {"chunks": (Delta(content="Rain."),)}],
        [{"content_state": "absent"}, {"content_state": "empty"}, NO_BODY],
    ),
    "field_contract": ([{}], [NO_BODY]),
    "commentary_leak": ([{"phases": True}, {"flattened_from": "responses"}], [{"phases": False}]),
    "history_contamination": (
        [{"messages": ASKED, "family": "deepseek-r1"}],
        [{"family": "deepseek-r1"}, {"messages": ASKED}],
    ),
}
ROWS = [
    (symptom, fields, counts)
    for symptom, (those_that_count, others) in TABLE.items()
    for counts, records in ((True, those_that_count), (False, others))
    for fields in records
]


def turn_of(fields: dict[str, Any]) -> Turn:
    known = {name: value for name, value in fields.items() if name != "family"}
    family = by_name(fields["family"]) if "family" in fields else UNKNOWN_FAMILY
    assert family is not None
    return Turn(Record(source_id="1", source_uri="log", source_pos=0, **known), family)


def test_the_table_is_of_all_symptoms() -> None:
    assert tuple(TABLE) == tuple(ELIGIBLE) == SYMPTOMS


@pytest.mark.parametrize(
    ("symptom", "fields", "counts"), ROWS, ids=lambda value: value if isinstance(value, str) else ""
)
def test_an_unknown_is_never_none_and_what_was_switched_off_does_not_count(
    symptom: str, fields: dict[str, Any], counts: bool
) -> None:
    assert ELIGIBLE[symptom](turn_of(fields)) is counts, fields

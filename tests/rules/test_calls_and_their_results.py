"""When a call written as text may be executed: what may have been cut off is not certain, and what the model made up contradicts it."""

import pytest

from pipelines.rules.examples import WEATHER, answer
from pipelines.rules.repair import claims_results, rescue
from pipelines.rules.rule import Span

CALL = '<tool_call>{"name": "get_weather", "arguments": {"city": "Bern", "days": 3}}</tool_call>'
OPEN = {
    # the arguments that are there are whole, and another one may have been on its way
    "<function=get_weather><parameter=city>Bern</parameter>": "</function>",
    "<tool_call>get_weather<arg_key>city</arg_key><arg_value>Bern</arg_value>": "</tool_call>",
    '<minimax:tool_call><invoke name="get_weather"><parameter name="city">Bern</parameter>': "</invoke></minimax:tool_call>",
}


@pytest.mark.parametrize(("content", "closing"), OPEN.items())
@pytest.mark.parametrize(
    ("finish", "certain"), [("stop", True), ("tool_calls", True), ("length", False), (None, False)]
)
def test_an_open_call_is_rescued_only_where_the_log_says_that_the_answer_was_over(
    content: str, closing: str, finish: str | None, certain: bool
) -> None:
    for text, rescued in ((content, certain), (content + closing, True)):
        turn = answer(text, tools=(WEATHER,), finish_reason=finish)
        (envelope,) = turn.envelopes
        calls = [(call.name, call.arguments) for call in rescue(turn, Span(envelope.start, envelope.end))]
        assert calls == ([("get_weather", '{"city": "Bern"}')] if rescued else [])


@pytest.mark.parametrize(
    ("before", "behind", "claims"),
    [
        ("", "", False),
        ("", "\nThen we shall see.", False),
        ("", "\nThese 3 days come next.", False),
        ("For all 14 days:\n", "\nAll 14 of them.", False),
        ("", "\nAs you asked, by 17:30.", False),
        ("", "\nIt will be 21 degrees.", True),
        ("For all 14 days:\n", "\nAll 15 of them.", True),
        ("", "\nThe results show rain.", True),
        ("", "\n<tool_response>rain</tool_response>", True),
    ],
    ids=[
        "nothing",
        "no number",
        "a number of the call",
        "a number in front of the call",
        "a number of the user",
        "a new number",
        "another number than in front",
        "a report",
        "a result block",
    ],
)
def test_a_number_that_was_there_before_the_call_is_no_result(before: str, behind: str, claims: bool) -> None:
    turn = answer(before + CALL + behind, tools=(WEATHER,), user="Weather in Bern, by 17:30, please.")
    (envelope,) = turn.envelopes
    assert claims_results(turn, envelope) is claims

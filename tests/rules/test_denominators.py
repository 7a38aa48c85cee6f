"""Who counts when the log leaves open how an answer ended."""

import pytest

from pipelines.rules.denominators import ELIGIBLE
from pipelines.rules.examples import answer

ASKED = {"response_format": {"type": "json_object"}, "response_format_state": "present"}


@pytest.mark.parametrize(
    ("finish", "rewrites", "counted"),
    [
        ("stop", (), True),
        (None, (), True),  # a log that never holds finish reasons
        ("length", (), False),
        (None, ("stream_cut",), False),
        (None, ("finish_reason_lost",), False),
    ],
)
def test_a_requested_format_counts_only_where_the_answer_may_be_whole(
    finish: str | None, rewrites: tuple[str, ...], counted: bool
) -> None:
    turn = answer('{"n": 1', finish=finish, gateway_rewrites=frozenset(rewrites), **ASKED)
    assert ELIGIBLE["structured_invalid"](turn) is counted


@pytest.mark.parametrize("symptom", ["misrouted_answer", "truncated_reasoning"])
def test_a_lost_finish_is_not_known(symptom: str) -> None:
    lost = answer(None, finish=None, gateway_rewrites=frozenset({"finish_reason_lost"}))
    assert not ELIGIBLE[symptom](lost)
    assert ELIGIBLE[symptom](answer(None, finish="stop"))

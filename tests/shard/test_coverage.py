"""What one record adds to the coverage counters."""

import pytest

from pipelines.families import UNKNOWN_FAMILY
from pipelines.rules.examples import answer
from pipelines.schema import Identity
from pipelines.shard.coverage import counters

VISIBLE = {"reasoning_visible", "tool_calls_visible"}


@pytest.mark.parametrize(("state", "logged", "visible"), [("text", True, VISIBLE), ("redacted", False, set())])
def test_reasoning_and_calls_are_visible_only_in_a_body_that_is_logged(
    state: str, logged: bool, visible: set[str]
) -> None:
    record = answer("Yes.", content_state=state, body_logged=logged).record
    assert VISIBLE.intersection(counters(record, Identity(), UNKNOWN_FAMILY)) == visible

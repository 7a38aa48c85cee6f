"""By hand: cells whose buckets lack rows of each other, conversations with positions known in part, and every state of a content."""

from typing import get_args

import pyarrow as pa
import pytest

from pipelines.fold import drop_duplicates, fold_bucket, merge_counts
from pipelines.schema import ContentState
from tests.turn_tables import LEAK, MEASURES, TOOLS, bits, turn_table

READ = ("text", "null", "empty", "absent")
HIDDEN = ("redacted", "truncated", "external_ref", "encrypted", "shuffled")


def the_row(counts: pa.Table, measure: str, cut: str = "all") -> dict[str, object]:
    (row,) = [row for row in counts.to_pylist() if (row["measure"], row["cut"]) == (measure, cut)]
    return dict(row)


def test_a_cell_has_the_responses_of_every_bucket_also_of_those_in_which_the_measure_has_no_row() -> None:
    """Two streamed turns with tools in one bucket, three without in the other: a call could leak in 2 of 5 responses."""
    plain = {"conversation": 2, "stream": "yes", "eligible": bits(LEAK)}
    with_tools = {"conversation": 1, "stream": "yes", "eligible": bits(LEAK, TOOLS)}
    redacted = plain | {"content_state": "redacted", "body_logged": False, "eligible": b"\0"}
    one = fold_bucket(turn_table([with_tools] * 2), MEASURES).counts
    other = fold_bucket(turn_table([plain] * 3 + [redacted]), MEASURES).counts
    assert not [row for row in other.to_pylist() if (row["measure"], row["cut"]) == (TOOLS.name, "stream")]
    for tables in ([one, other], [other, one]):
        row = the_row(merge_counts(tables), TOOLS.name, "stream")
        assert (row["turns"], row["responses"], row["scannable"], row["records"]) == (2, 5, 5, 6)


def test_time_decides_the_order_where_one_position_is_unknown() -> None:
    rows = [
        {"conversation": 1, "position": 2, "time": 10.0},
        {"conversation": 1, "position": 1, "time": 20.0},
        {"conversation": 1, "position": 0, "time": 30.0, "fired": bits(LEAK)},
        {"conversation": 2, "position": 2, "time": 10.0, "fired": bits(LEAK)},
        {"conversation": 2, "position": 1, "time": 20.0},
    ]
    row = the_row(fold_bucket(turn_table(rows), MEASURES).counts, LEAK.name)
    assert [row[f"first_leaks_{place}"] for place in range(1, 6)] == [0, 1, 1, 0, 0]
    assert [row[f"at_risk_{place}"] for place in range(1, 6)] == [2, 2, 1, 0, 0]


def test_the_table_is_of_all_states() -> None:
    assert {*READ, *HIDDEN} == set(get_args(ContentState))


@pytest.mark.parametrize("state", READ + HIDDEN)
def test_what_nobody_can_read_is_not_scannable_and_gives_way_to_what_can_be_read(state: str) -> None:
    turn = {"turn_key": 5, "conversation": 1, "content_state": state}
    assert the_row(fold_bucket(turn_table([turn]), MEASURES).counts, LEAK.name)["scannable"] == (state in READ)
    hidden = turn | {"content_state": "redacted", "body_logged": False, "source_file": "0"}
    kept, _ = drop_duplicates(turn_table([hidden, turn]))
    assert kept["content_state"].to_pylist() == [state if state in READ else "redacted"]

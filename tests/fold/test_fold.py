"""What counts, where and how often: duplicates, conversations, positions, and that no order or partition changes a byte."""

import random

import numpy as np
import pyarrow as pa
import pytest

from pipelines.fold import (
    drop_duplicates,
    fold_bucket,
    fold_conversations,
    merge_counts,
    merge_usage,
    pool_days,
)
from pipelines.schema import COUNT, DUPLICATE
from tests.turn_tables import LEAK, MEASURES, RULE, TOOLS, bits, turn_table

LEAKED = bits(LEAK)


def row_of(counts: pa.Table, **wanted: str) -> dict[str, object]:
    """The one COUNT row of the reasoning leak that agrees with `wanted`."""
    wanted = {"cut": "all", "measure": LEAK.name, **wanted}
    rows = [row for row in counts.to_pylist() if all(row[name] == value for name, value in wanted.items())]
    assert len(rows) == 1, f"{len(rows)} rows for {wanted}"
    return rows[0]


def positions(row: dict[str, object]) -> tuple[list[object], list[object]]:
    return [row[f"at_risk_{place}"] for place in range(1, 6)], [row[f"first_leaks_{place}"] for place in range(1, 6)]


def table_bytes(table: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        for batch in table.combine_chunks().to_batches():
            writer.write_batch(batch)
    return sink.getvalue().to_pybytes()


# duplicates


@pytest.mark.parametrize(
    ("rows", "kept"),
    [
        ([{"source_file": "b"}, {"source_file": "a"}], 1),
        ([{"source_pos": 9}, {"source_pos": 4}], 1),
        ([{"content_state": "redacted"}, {"source_file": "z"}], 1),
        ([{"body_logged": False, "content_state": "redacted"}, {"source_file": "z", "content_state": "empty"}], 1),
        ([{"answered": False, "content_state": "text"}, {"source_file": "z", "content_state": "redacted"}], 1),
        ([{"content_state": "truncated"}, {"source_file": "z", "content_state": "null"}], 1),
        ([{"content_state": "redacted"}, {"source_file": "z", "content_state": "absent"}], 1),
        ([{"content_state": "absent"}, {"source_file": "z"}], 1),
    ],
    ids=[
        "lower file",
        "lower place",
        "can be judged",
        "body logged",
        "an answer before all",
        "not truncated",
        "absent before redacted",
        "shown before absent",
    ],
)
def test_which_of_two_turns_with_one_key_counts(rows: list[dict[str, object]], kept: int) -> None:
    full = [{"turn_key": 5, "conversation": 1, "source_pos": 7, **row} for row in rows]
    for order in (full, full[::-1]):
        turns, duplicates = drop_duplicates(turn_table(order))
        place = (full[kept].get("source_file", "a.jsonl"), full[kept]["source_pos"])
        assert [(row["source_file"], row["source_pos"]) for row in turns.to_pylist()] == [place]
        (listed,) = duplicates.to_pylist()
        assert (listed["turn_key"], listed["kept_source_file"], listed["kept_source_pos"]) == (5, *place)
        assert (listed["source_file"], listed["source_pos"]) != place


def test_turns_without_a_twin_stay_and_an_empty_table_is_fine() -> None:
    turns = turn_table({"conversation": 1} for _ in range(3))
    kept, duplicates = drop_duplicates(turns)
    assert kept.equals(turns)
    assert duplicates.schema == DUPLICATE
    assert not len(duplicates)
    assert not len(drop_duplicates(turn_table([]))[0])


def test_a_place_read_twice_counts_once_and_is_no_duplicate() -> None:
    row = {"turn_key": 5, "conversation": 1, "source_pos": 7}
    kept, duplicates = drop_duplicates(turn_table([row, row, {**row, "source_pos": 8}]))
    assert len(kept) == 1
    assert [listed["source_pos"] for listed in duplicates.to_pylist()] == [8]


# conversations


def test_first_leaks_by_hand() -> None:
    """Four conversations: leak at the 2nd turn, no leak in 3, leak at the 6th, leaks at the 1st and 2nd."""
    patterns = ["01", "000", "0000010", "11"]
    rows = [
        {"conversation": number, "position": place, "fired": LEAKED if leak == "1" else b"\0"}
        for number, pattern in enumerate(patterns)
        for place, leak in enumerate(pattern, 1)
    ]
    row = row_of(fold_bucket(turn_table(rows), MEASURES).counts)
    assert positions(row) == ([4, 3, 2, 1, 1], [1, 1, 0, 0, 0])
    assert (row["turns"], row["leaked_turns"], row["conversations"], row["leaked_conversations"]) == (14, 4, 4, 3)
    assert (row["clusters"], row["leaked_clusters"]) == (4, 3)
    assert (row["sum_leaks_squared"], row["sum_leaks_turns"], row["sum_turns_squared"]) == (6, 13, 66)
    assert row["sum_pairs"] == 2


def test_positions_count_the_turns_that_could_fire() -> None:
    rows = [
        {"conversation": 1, "position": 1, "eligible": bits(RULE)},
        {"conversation": 1, "position": 2, "eligible": bits(LEAK), "fired": LEAKED},
    ]
    assert positions(row_of(fold_bucket(turn_table(rows), MEASURES).counts)) == ([1, 0, 0, 0, 0], [1, 0, 0, 0, 0])


def test_a_fired_bit_without_its_eligible_bit_does_not_count() -> None:
    rows = [{"conversation": 1, "eligible": bits(RULE), "fired": bits(LEAK, RULE)}]
    counts = fold_bucket(turn_table(rows), MEASURES).counts
    assert (row_of(counts)["turns"], row_of(counts)["leaked_turns"]) == (0, 0)
    assert row_of(counts, measure=RULE.name)["leaked_turns"] == 1


def test_a_conversation_that_began_before_the_run_is_not_followed() -> None:
    rows = [{"conversation": 1, "position": place, "fired": LEAKED} for place in (2, 3)]
    row = row_of(fold_bucket(turn_table(rows), MEASURES).counts)
    assert positions(row) == ([0] * 5, [0] * 5)
    assert (row["conversations"], row["leaked_conversations"]) == (1, 1)


def test_a_guessed_conversation_is_counted_but_not_followed() -> None:
    rows = [{"conversation": 1, "conversation_source": "caller_hour", "position": 1}]
    row = row_of(fold_bucket(turn_table(rows), MEASURES).counts)
    assert (row["conversations"], row["guessed_conversations"], row["at_risk_1"]) == (1, 1, 0)


def test_without_positions_time_decides_the_order() -> None:
    rows = [
        {"conversation": 1, "time": 20.0, "fired": LEAKED},
        {"conversation": 1, "time": 10.0},
        {"conversation": 1, "time": None},
    ]
    assert positions(row_of(fold_bucket(turn_table(rows), MEASURES).counts))[1] == [0, 1, 0, 0, 0]


def test_a_conversation_belongs_to_the_group_of_its_first_turn_and_turns_to_their_own() -> None:
    rows = [
        {"conversation": 1, "position": 1, "day": "2026-11-29", "model": "x"},
        {"conversation": 1, "position": 2, "day": "2026-11-30", "model": "y", "fired": LEAKED},
    ]
    counts = fold_bucket(turn_table(rows), MEASURES).counts
    first, second = row_of(counts, day="2026-11-29"), row_of(counts, day="2026-11-30")
    assert (first["turns"], first["leaked_turns"], second["turns"], second["leaked_turns"]) == (1, 0, 1, 1)
    assert (first["conversations"], first["leaked_conversations"], second["conversations"]) == (1, 1, 0)
    assert positions(first) == ([1, 1, 0, 0, 0], [0, 1, 0, 0, 0])
    assert (first["leaked_clusters"], second["leaked_clusters"]) == (0, 1)


@pytest.mark.parametrize(
    ("turns", "first", "bucket"),
    [
        (1, 1, "1"),
        (2, 1, "2-4"),
        (4, 1, "2-4"),
        (5, 1, "5-9"),
        (9, 1, "5-9"),
        (10, 1, "10-29"),
        (30, 1, "30+"),
        (2, 29, "30+"),
    ],
)
def test_conversation_length(turns: int, first: int, bucket: str) -> None:
    rows = [{"conversation": 1, "position": first + place} for place in range(turns)]
    assert (
        row_of(fold_bucket(turn_table(rows), MEASURES).counts, cut="conversation_length", cut_value=bucket)["turns"]
        == turns
    )


def test_cut_values_divide_the_turns_of_a_group() -> None:
    rows = [
        {"conversation": place // 2, "stream": ("yes", "no")[place % 2], "position": 1 + place % 2}
        for place in range(8)
    ]
    counts = fold_bucket(turn_table(rows), MEASURES).counts
    for value in ("yes", "no"):
        row = row_of(counts, cut="stream", cut_value=value)
        assert (row["turns"], row["conversations"], row["responses"]) == (4, 4, 4)


def test_every_group_has_a_row_for_every_measure_and_each_cut_value_knows_its_responses() -> None:
    rows = [{"conversation": 1, "eligible": bits(TOOLS), "stream": "yes", "model": model} for model in ("x", "y")]
    counts = fold_bucket(turn_table(rows), MEASURES).counts
    whole = [row for row in counts.to_pylist() if row["cut"] == "all"]
    assert {(row["model"], row["measure"]) for row in whole} == {
        (model, one.name) for model in "xy" for one in MEASURES
    }
    cells = {(row["cut"], row["cut_value"]) for row in counts.to_pylist() if row["model"] == "x"}
    assert ("stream", "yes") in cells
    assert {row["responses"] for row in counts.to_pylist()} == {1}


def test_redacted_turns_are_records_but_no_responses() -> None:
    states = ["redacted", "truncated", "text", "null", "empty"]
    rows = [{"conversation": number, "content_state": state} for number, state in enumerate(states)]
    rows = [row | {"body_logged": row["content_state"] != "redacted", "eligible": b"\0"} for row in rows]
    row = row_of(fold_bucket(turn_table(rows), MEASURES).counts)
    assert (row["records"], row["scannable"], row["responses"], row["turns"]) == (5, 3, 4, 0)


def test_sampled_turns_are_weighted() -> None:
    rows = [
        {"conversation": number, "sampling_fraction": 0.1, "fired": LEAKED if number == 0 else b"\0"}
        for number in range(3)
    ]
    row = row_of(fold_bucket(turn_table(rows), MEASURES).counts)
    assert (float(row["estimated_turns"]), float(row["estimated_leaked_turns"])) == (30.0, 10.0)


def test_usage_by_hand() -> None:
    rows = [
        {"conversation": 1, "has_reasoning": True, "reasoning_tokens": 30, "output_tokens": 50, "thinking_mode": "on"},
        {"conversation": 1, "has_reasoning": False, "reasoning_tokens": 0, "output_tokens": 9, "thinking_mode": "on"},
        {"conversation": 1, "has_reasoning": None, "output_tokens": 5, "thinking_mode": "on", "extra_tokens": 4},
        {"conversation": 1, "has_reasoning": True, "thinking_mode": "off", "body_logged": False},
    ]
    off, on = fold_bucket(turn_table(rows), MEASURES).usage.to_pylist()
    assert (on["responses"], on["reasoning_known"], on["with_reasoning"]) == (3, 2, 1)
    assert (on["reasoning_tokens_known"], on["reasoning_tokens"], on["output_tokens"], on["extra_tokens"]) == (
        2,
        30,
        64,
        4,
    )
    assert (off["responses"], off["with_reasoning"], off["output_tokens_known"]) == (0, 1, 0)


def test_no_turns_give_empty_tables() -> None:
    result = fold_bucket(turn_table([]), MEASURES)
    assert (len(result.counts), len(result.usage), len(result.duplicates)) == (0, 0, 0)
    assert result.counts.schema == COUNT


# order, partition and repetition


def awkward_turns(seed: int, turns: int = 300) -> pa.Table:
    draw = random.Random(seed)
    rows = [
        {
            "turn_key": draw.randrange(turns),
            "conversation": draw.randrange(turns // 6) * 7_919_191_919,
            "source_file": draw.choice("abc"),
            "source_pos": index,
            "position": draw.randrange(7),
            "time": draw.choice([None, draw.random() * 9]),
            "day": draw.choice(["2026-11-29", "2026-11-30"]),
            "model": draw.choice(["x", "y"]),
            "stream": draw.choice(["yes", "no", "unknown"]),
            "sampling_fraction": draw.choice([1.0, 0.3]),
            "fired": draw.choice([b"\0", b"\0", b"\1", b"\5"]),
            "has_reasoning": draw.choice([None, True, False]),
            "reasoning_tokens": draw.choice([None, 7]),
        }
        for index in range(turns)
    ]
    # a call belongs to one conversation, so that its copies meet in one bucket
    owner = {row["turn_key"]: row["conversation"] for row in rows}
    return turn_table({**row, "conversation": owner[row["turn_key"]]} for row in rows)


@pytest.mark.parametrize("seed", range(4))
def test_order_and_chunks_change_no_byte(seed: int) -> None:
    turns = awkward_turns(seed)
    expected = fold_bucket(turns, MEASURES)
    shuffled = turns.take(pa.array(np.random.default_rng(seed).permutation(len(turns))))
    chunks = pa.concat_tables([shuffled.slice(start, 37) for start in range(0, len(shuffled), 37)])
    for other in (shuffled, chunks):
        found = fold_bucket(other, MEASURES)
        for name in ("counts", "usage", "duplicates"):
            assert table_bytes(getattr(found, name)) == table_bytes(getattr(expected, name)), name


@pytest.mark.parametrize("buckets", [1, 2, 7])
def test_buckets_by_conversation_change_no_byte(buckets: int) -> None:
    turns, _ = drop_duplicates(awkward_turns(11))
    of = np.asarray(turns["conversation"].to_numpy()) % np.uint64(buckets)
    parts = [fold_conversations(turns.filter(pa.array(of == np.uint64(bucket))), MEASURES) for bucket in range(buckets)]
    whole = fold_conversations(turns, MEASURES)
    assert table_bytes(merge_counts(part.counts for part in parts)) == table_bytes(whole.counts)
    assert table_bytes(merge_usage(part.usage for part in parts[::-1])) == table_bytes(whole.usage)


def test_a_repeated_input_changes_no_byte() -> None:
    turns = awkward_turns(3)
    twice = pa.concat_tables([turns, turns])
    assert table_bytes(fold_bucket(twice, MEASURES).counts) == table_bytes(fold_bucket(turns, MEASURES).counts)


def test_two_half_days_add_up_in_turns_while_conversations_are_folded_whole() -> None:
    rows = [
        {"conversation": number, "position": place, "time": 100.0 * place, "fired": LEAKED if place == 3 else b"\0"}
        for number in range(10)
        for place in range(1, 5)
    ]
    turns = turn_table(rows)
    time = np.asarray(turns["time"].to_numpy())
    halves = [fold_bucket(turns.filter(pa.array(part)), MEASURES).counts for part in (time < 250, time >= 250)]
    day, added = row_of(fold_bucket(turns, MEASURES).counts), row_of(merge_counts(halves))
    for name in ("records", "responses", "turns", "leaked_turns", "at_risk_1", "at_risk_2"):
        assert day[name] == added[name], name
    assert (day["conversations"], added["conversations"]) == (10, 20)
    assert positions(day) == ([10, 10, 10, 0, 0], [0, 0, 10, 0, 0])
    assert positions(added) == ([10, 10, 0, 0, 0], [0] * 5)


def test_pooled_days_sum_every_number() -> None:
    rows = [{"conversation": number, "day": f"2026-11-{20 + number}", "position": 1} for number in range(5)]
    row = row_of(pool_days(fold_bucket(turn_table(rows), MEASURES).counts))
    assert (row["day"], row["records"], row["scannable"], row["responses"], row["at_risk_1"]) == ("all", 5, 5, 5, 5)


def test_sums_of_pairs_are_exact_beyond_64_bits() -> None:
    counts = fold_bucket(turn_table([{"conversation": 1, "fired": LEAKED}] * 3), MEASURES).counts
    index = COUNT.get_field_index("sum_pairs")
    huge = pa.array([10**25 + 1] * len(counts), pa.decimal128(38, 0)).cast(COUNT.field(index).type)
    table = counts.set_column(index, COUNT.field(index), huge)
    total = merge_counts([table] * 3)["sum_pairs"].to_pylist()[0]
    assert total == 3 * 10**25 + 3

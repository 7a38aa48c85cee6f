"""Rates by hand: values, intervals, the reasons for their absence, and that nothing is ever 0 for want of data."""

import math

import pyarrow as pa
import pytest
from scipy import stats

from pipelines import detect
from pipelines.fold import fold_bucket, pool_days
from pipelines.rates import METRIC_DEFINITIONS, rates, usage_shares
from pipelines.schema import COVERAGE, GROUP, PRECISION, RATE, Measure
from tests.turn_tables import LEAK, MEASURES, RULE, TOOLS, bits, turn_table

LEAKED = bits(LEAK, RULE)


def counted(conversations: int, turns: int, leaking: int, **columns: object) -> pa.Table:
    """COUNT of equal conversations, the first `leaking` of which leak in their first turn."""
    rows = [
        {"conversation": number, "position": place, "eligible": bits(LEAK, RULE), **columns}
        | ({"fired": LEAKED} if number < leaking and place == 1 else {})
        for number in range(conversations)
        for place in range(1, turns + 1)
    ]
    return fold_bucket(turn_table(rows), MEASURES).counts


def whole(table: pa.Table, measure: str = LEAK.name) -> dict[str, object]:
    (row,) = [row for row in table.to_pylist() if row["cut"] == "all" and row["measure"] == measure]
    return row


def test_a_rate_by_hand() -> None:
    """10 of 100 conversations of 4 turns leak once: 10/400 per turn, 10/100 per conversation; no clustering, so effect 1."""
    row = whole(rates(counted(100, 4, 10)))
    assert (row["turns"], row["leaked_turns"], row["responses"], row["conversations"], row["leaked_conversations"]) == (
        400, 10, 400, 100, 10,
    )  # fmt: skip
    assert (row["rate"], row["response_rate"], row["conversation_rate"], row["design_effect"]) == (
        0.025,
        0.025,
        0.1,
        1.0,
    )
    size = 400 * (stats.norm.ppf(0.975) / stats.t.ppf(0.975, 10)) ** 2
    assert row["low"] == pytest.approx(stats.beta.ppf(0.025, 0.025 * size, 0.975 * size + 1), rel=1e-9)
    assert row["high"] == pytest.approx(stats.beta.ppf(0.975, 0.025 * size + 1, 0.975 * size), rel=1e-9)
    exact = stats.binomtest(10, 100).proportion_ci(0.95, "exact")
    assert (row["conversation_low"], row["conversation_high"]) == pytest.approx((exact.low, exact.high), abs=1e-9)
    assert row["reason"] is None


def test_no_response_rate_without_a_response() -> None:
    row = whole(rates(counted(100, 4, 10, body_logged=False)))
    assert (row["leaked_turns"], row["responses"], row["response_rate"]) == (10, 0, None)


def test_a_conversation_over_days_is_one_cluster() -> None:
    """One conversation with a leak on each of six days tells as little as one with six leaks on one day."""
    turns = [{"conversation": number, "position": 1} for number in range(1, 120)]
    turns += [{"conversation": 0, "position": place, "fired": LEAKED} for place in range(1, 7)]
    spread = [{**turn, "day": f"2026-11-{20 + int(str(turn['position']))}"} for turn in turns]
    pooled, once = (whole(rates(pool_days(fold_bucket(turn_table(rows), MEASURES).counts))) for rows in (spread, turns))
    assert pooled == once
    assert (pooled["low"], pooled["reason"]) == (None, "too_few_leaking_conversations")


def test_no_leak_is_an_upper_bound_that_counts_conversations_not_turns() -> None:
    row = whole(rates(counted(100, 4, 0)))
    assert (row["rate"], row["low"], row["conversation_rate"], row["reason"]) == (
        0.0,
        None,
        0.0,
        "too_few_leaking_conversations",
    )
    assert row["high"] > 1 - 0.05 ** (1 / 400)
    assert row["design_effect"] == pytest.approx(1.6)


def test_nothing_eligible_is_null_and_has_a_row() -> None:
    row = whole(rates(counted(100, 4, 10)), TOOLS.name)
    assert (row["turns"], row["responses"], row["reason"]) == (0, 400, "nothing_eligible")
    for name in ("rate", "low", "high", "conversation_rate", "conversation_low", "conversation_high", "design_effect"):
        assert row[name] is None, name
    assert row["estimated_occurrences"] is None


def test_too_few_conversations_have_a_rate_without_interval() -> None:
    row = whole(rates(counted(4, 500, 4)))
    assert (row["rate"], row["low"], row["high"], row["reason"]) == (0.002, None, None, "too_few_conversations")


def test_a_group_without_responses_has_no_response_rate() -> None:
    row = whole(rates(counted(3, 1, 0, body_logged=False)))
    assert (row["responses"], row["response_rate"]) == (0, None)


def coverage(accepted: int, rejected: int) -> pa.Table:
    row = dict.fromkeys(COVERAGE.names, 0) | {"source_uri": "a", "format": "pair", "detail": []}
    return pa.Table.from_pylist([row | {"accepted": accepted, "rejected": rejected}], schema=COVERAGE)


@pytest.mark.parametrize(("accepted", "rejected", "withheld"), [(199, 801, True), (200, 800, False), (0, 0, False)])
def test_intervals_are_withheld_where_little_could_be_read(accepted: int, rejected: int, withheld: bool) -> None:
    row = whole(rates(counted(100, 4, 10), coverage=coverage(accepted, rejected)))
    assert row["reason"] == ("low_coverage" if withheld else None)
    assert row["rate"] == 0.025
    for name in ("low", "high", "conversation_low", "conversation_high"):
        assert (row[name] is None) == withheld, name


def test_intervals_are_withheld_for_a_group_that_is_mostly_redacted() -> None:
    states = ["text"] * 19 + ["redacted"] * 40 + ["truncated"] * 41
    rows = [
        {"conversation": number, "content_state": state, "body_logged": state != "redacted", "model": "x"}
        | {"eligible": bits(LEAK) if state == "text" else b"\0"}
        for number, state in enumerate(states)
    ]
    plain = [{"conversation": number, "model": "y"} for number in range(100)]
    found = rates(fold_bucket(turn_table([*rows, *plain]), MEASURES).counts).to_pylist()
    leaks = {row["model"]: row for row in found if row["cut"] == "all" and row["measure"] == LEAK.name}
    assert (leaks["x"]["reason"], leaks["x"]["low"], leaks["x"]["high"]) == ("low_coverage", None, None)
    assert leaks["y"]["high"] is not None


@pytest.mark.parametrize(("shown", "reason"), [(19, "low_coverage"), (20, None), (21, None)])
def test_a_fifth_of_the_records_is_enough_for_an_interval(shown: int, reason: str | None) -> None:
    """Of 100 records, 3 of which leak, so many can be judged."""
    states = ["text"] * shown + ["redacted"] * (100 - shown)
    rows = [
        {"conversation": number, "content_state": state, "body_logged": state == "text"}
        | {"eligible": bits(LEAK) if state == "text" else b"\0", "fired": LEAKED if number < 3 else b"\0"}
        for number, state in enumerate(states)
    ]
    row = whole(rates(fold_bucket(turn_table(rows), MEASURES).counts))
    assert (row["rate"], row["reason"]) == (3 / shown, reason)
    assert (row["low"] is None) == (reason is not None)


def test_a_cut_value_in_which_nothing_could_fire_has_no_rate() -> None:
    """The counts keep the cell for its responses, the rates only the whole group's row, with the reason."""
    counts = counted(10, 1, 0, eligible=bits(RULE), stream="yes")
    cuts = [row for row in counts.to_pylist() if (row["cut"], row["measure"]) == ("stream", LEAK.name)]
    assert [row["turns"] for row in cuts] == [0]
    found = rates(counts).to_pylist()
    assert {row["measure"] for row in found if row["cut"] == "stream"} == {RULE.name}
    assert whole(rates(counts))["reason"] == "nothing_eligible"


def test_precision_stands_beside_the_rate_of_that_rule_version_only() -> None:
    audits = [
        {"measure": RULE.name, "measure_version": RULE.version, "labels": 50, "correct": 45},
        {"measure": LEAK.name, "measure_version": LEAK.version, "labels": 50, "correct": 45},
    ]
    plain = rates(counted(100, 4, 10))
    audited = rates(counted(100, 4, 10), precision=pa.Table.from_pylist(audits, PRECISION))
    row, exact = whole(audited, RULE.name), stats.binomtest(45, 50).proportion_ci(0.95, "exact")
    assert (row["precision"], row["precision_low"], row["precision_high"]) == pytest.approx(
        (0.9, exact.low, exact.high), abs=1e-9
    )
    assert row["rate"] == whole(plain, RULE.name)["rate"]
    assert whole(audited)["precision"] is None
    old = pa.Table.from_pylist([audits[0] | {"measure_version": "2"}], PRECISION)
    assert whole(rates(counted(100, 4, 10), precision=old), RULE.name)["precision"] is None


def test_sampled_leaks_are_estimated() -> None:
    assert whole(rates(counted(100, 4, 10, sampling_fraction=0.25)))["estimated_occurrences"] == 40.0


def test_every_group_and_measure_has_a_row_and_cut_values_only_where_something_could_fire() -> None:
    table = rates(counted(10, 2, 1))
    assert table.schema == RATE
    rows = table.to_pylist()
    assert {row["measure"] for row in rows if row["cut"] == "all"} == {measure.name for measure in MEASURES}
    assert not [row for row in rows if row["cut"] != "all" and not row["turns"]]
    assert len({tuple(row[name] for name in (*GROUP, "cut", "cut_value", "measure")) for row in rows}) == len(rows)


def test_no_rows_give_no_rates() -> None:
    assert len(rates(fold_bucket(turn_table([]), MEASURES).counts)) == 0


def test_usage_shares_are_null_where_the_log_does_not_show_reasoning() -> None:
    rows = [
        {"conversation": 1, "has_reasoning": True, "reasoning_tokens": 30, "thinking_mode": "on"},
        {"conversation": 1, "has_reasoning": False, "reasoning_tokens": 10, "thinking_mode": "on"},
        {"conversation": 1, "has_reasoning": None, "thinking_mode": "off"},
    ]
    off, on = usage_shares(fold_bucket(turn_table(rows), MEASURES).usage).to_pylist()
    assert (on["reasoning_share"], on["reasoning_tokens_per_turn"], on["output_tokens_per_turn"]) == (0.5, 20.0, None)
    assert (off["reasoning_share"], off["reasoning_tokens_per_turn"]) == (None, None)


def test_every_headline_metric_is_defined_in_words() -> None:
    metrics = {measure.name for measure in detect.MEASURES if measure.kind == "metric"}
    assert metrics == set(METRIC_DEFINITIONS)
    assert all(" / " in text for text in METRIC_DEFINITIONS.values())


def test_the_definition_stands_beside_a_headline_metric_only() -> None:
    metric = Measure("metric", "reasoning_leak_rate", "1", "rule")
    table = rates(fold_bucket(turn_table([{"conversation": 1, "eligible": b"\3"}]), (LEAK, metric)).counts)
    assert whole(table, metric.name)["definition"] == METRIC_DEFINITIONS[metric.name]
    assert whole(table)["definition"] is None


def test_low_is_below_rate_and_rate_below_high() -> None:
    for leaking in range(0, 101, 7):
        row = whole(rates(counted(100, 3, leaking)))
        assert (row["low"] or 0.0) <= row["rate"] <= row["high"]
        assert not math.isnan(row["rate"])

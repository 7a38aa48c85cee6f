"""Verdicts on counts made by hand: what fails, what passes, what cannot be said, and how much is missing."""

import datetime
import math

import numpy as np
import pyarrow as pa
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

from pipelines.errors import ConfigurationError, DataError
from pipelines.fold import fold_bucket
from pipelines.gate import GateResult, Policy, Row, Waiver, judge, verdict_table
from pipelines.gate.compare import compare
from pipelines.gate.decide import benjamini_hochberg, holm
from pipelines.gate.planning import events_needed
from pipelines.gate.sides import Side
from pipelines.intervals import share_at_ratio
from pipelines.schema import VERDICT
from tests.count_tables import count_row, count_table, measures
from tests.turn_tables import LEAK, MEASURES, bits, turn_table

TODAY = datetime.date(2026, 11, 30)
ONE = Policy(measures=("reasoning_leak",))


def gate(
    candidate: pa.Table, *baseline: pa.Table, policy: Policy = ONE, preview: frozenset[str] = frozenset()
) -> GateResult:
    return judge(candidate, baseline, policy, today=TODAY, preview=preview)


def the_row(result: GateResult, measure: str = "reasoning_leak") -> Row:
    (row,) = [row for row in result.rows if row.measure == measure]
    return row


def one_side(at_risk: tuple[int, ...], first_leaks: tuple[int, ...]) -> Side:
    numbers = [np.array(values, np.float64) for values in (at_risk, first_leaks)]
    return Side(sum(at_risk), sum(first_leaks), at_risk[0], 0, *numbers)


def level(leaks: int, conversations: int, **columns: object) -> pa.Table:
    """Conversations of one turn."""
    return measures((conversations,), (leaks,), **columns)


@pytest.mark.parametrize(
    ("candidate", "baseline", "verdict", "code"),
    [
        ((100, 10_000), (100, 10_000), "pass", 0),
        ((300, 100_000), (300, 100_000), "pass", 0),
        ((100, 1000), (10, 1000), "fail", 1),
        ((20, 2000), (2, 2000), "fail", 1),
        ((8, 500), (0, 500), "fail", 1),
        ((2, 200), (2, 200), "not_enough_data", 4),
        ((0, 200), (0, 200), "not_enough_data", 4),
        ((0, 298), (0, 298), "not_enough_data", 4),
        ((0, 299), (0, 299), "pass", 0),
        ((0, 300), (0, 700), "not_enough_data", 4),
        ((0, 30_000), (0, 1_000_000), "pass", 0),
        ((0, 29_000), (3, 1_000_000), "not_enough_data", 4),
        ((0, 29_956), (3, 1_000_000), "pass", 0),
        ((1, 1), (0, 1), "not_enough_data", 4),
        ((400, 10_000_000), (200, 10_000_000), "pass", 0),
        ((200, 10_000), (100, 10_000), "fail", 1),
    ],
    ids=[
        "equal",
        "equal and rare",
        "tenfold",
        "tenfold and few",
        "from none",
        "two hundred",
        "two hundred, no leak",
        "no leak, one too few for one in a hundred",
        "no leak, just enough",
        "no leak, too few beside the baseline",
        "no leak, below the floor",
        "no leak, not yet below the floor",
        "no leak, just below the floor",
        "one conversation",
        "doubled, but below the floor on both sides",
        "doubled",
    ],
)
def test_verdicts(candidate: tuple[int, int], baseline: tuple[int, int], verdict: str, code: int) -> None:
    result = gate(level(*candidate), level(*baseline))
    assert (the_row(result).verdict, result.verdict, result.exit_code) == (verdict, verdict, code), the_row(
        result
    ).reason


def test_what_is_still_needed() -> None:
    """Planned for margin 2 at equal arms: 59.5 leaks expected; 4 in 400 so far are 14.9 times too few, so 2,775 more a side."""
    row = the_row(gate(level(2, 200), level(2, 200)))
    assert row.needed_conversations == row.needed_baseline_conversations == math.ceil((59.5 / 4 - 1) * 200)
    assert f"{row.needed_conversations:,} more conversations" in row.reason
    assert the_row(gate(level(0, 200), level(0, 200))).needed_conversations == 99
    assert the_row(gate(level(0, 300), level(0, 700))).needed_conversations == 51
    assert the_row(gate(level(0, 29_000), level(3, 1_000_000))).needed_conversations == 956


@pytest.mark.parametrize(("margin", "events"), [(1.5, 163), (2.0, 59), (3.0, 27)])
def test_planned_events(margin: float, events: int) -> None:
    assert events_needed(0.5, float(share_at_ratio(0.5, margin))) == pytest.approx(events, abs=0.6)


def test_events_to_see_a_rise() -> None:
    assert events_needed(0.75, 0.5) == pytest.approx(27, abs=0.6)
    assert events_needed(10 / 11, 0.5) == pytest.approx(10, abs=0.6)


def test_the_numbers_of_a_row_by_hand() -> None:
    """Share expected 1/2, seen 20/30, so the ratio is 2; its bounds are the odds of those of 20 in 30."""
    row = the_row(gate(level(20, 1000), level(10, 1000)))
    assert (row.expected_share, row.ratio, row.rise) == pytest.approx((0.5, 2.0, 0.01))
    low, high = stats.beta.ppf(0.05, 20, 11), stats.beta.ppf(0.95, 21, 10)
    assert (row.ratio_low, row.ratio_high) == pytest.approx((low / (1 - low), high / (1 - high)), rel=1e-9)
    assert row.p_worse == pytest.approx(0.0493686, abs=1e-6)
    assert (row.conversations, row.leaked_conversations, row.baseline_conversations) == (1000, 20, 1000)


def test_lengths_do_not_matter_at_equal_chances_per_turn() -> None:
    """2 turns against 8, one leak in a hundred turns: 1.99 % against 4.9 % of conversations within five turns, yet it passes."""
    short = measures((20_000, 19_800), (200, 198))
    long = measures((20_000, 19_800, 19_602, 19_406, 19_212), (200, 198, 196, 194, 192))
    for candidate, baseline in ((short, long), (long, short)):
        result = gate(candidate, baseline)
        assert result.verdict == "pass"
        assert the_row(result).ratio == pytest.approx(1, abs=0.01)


def test_one_conversation_with_many_leaks_does_not_fail() -> None:
    rows = [{"conversation": 1, "position": place, "fired": bits(LEAK)} for place in range(1, 1201)]
    quiet = [{"conversation": number, "position": 1} for number in range(2, 2000)]
    candidate, baseline = (fold_bucket(turn_table(turns), MEASURES).counts for turns in ([*rows, *quiet], quiet))
    result = gate(candidate, baseline)
    assert the_row(result).leaked_turns == 1200
    assert the_row(result).leaked_conversations == 1
    assert result.verdict == "not_enough_data"


def test_a_measure_without_a_turn_on_either_side_drops_out() -> None:
    result = gate(level(100, 10_000), level(100, 10_000), policy=Policy())
    assert result.verdict == "pass"
    assert the_row(result, "raw_tool_call").verdict == "not_applicable"


def test_nothing_applicable_is_not_a_pass() -> None:
    assert gate(measures((), ()), measures((), ())).verdict == "not_enough_data"


def test_a_measure_that_only_the_baseline_can_judge_is_not_a_pass() -> None:
    result = gate(measures((), ()), level(100, 10_000))
    assert result.verdict == "not_enough_data"
    assert "the candidate has no turn" in the_row(result).reason


@pytest.mark.parametrize(
    ("columns", "says"),
    [
        ({"guessed_conversations": 500, "conversations": 500, "turns": 500}, "caller and hour"),
        ({"conversations": 500, "turns": 500}, "begins in the run"),
    ],
)
def test_conversations_that_cannot_be_followed_are_not_a_pass(columns: dict[str, object], says: str) -> None:
    result = gate(measures((), (), **columns), level(0, 10_000))
    assert result.verdict == "not_enough_data"
    assert says in the_row(result).reason


def test_a_model_on_one_side_only_is_not_a_pass_unless_the_policy_leaves_it_out() -> None:
    candidate = level(100, 10_000)
    baseline = pa.concat_tables([level(100, 10_000), level(0, 50, model="other")])
    assert gate(candidate, baseline).verdict == "not_enough_data"
    assert gate(candidate, baseline, policy=Policy(measures=ONE.measures, models=("qwen3",))).verdict == "pass"
    together = Policy(measures=ONE.measures, compare_by="all")
    assert gate(candidate, baseline, policy=together).verdict == "pass"
    with pytest.raises(ConfigurationError, match="they have other, qwen3"):
        gate(candidate, baseline, policy=Policy(measures=ONE.measures, models=("qwen",)))


def test_served_models_are_compared_by_alias() -> None:
    alias = {"cut": "served_model", "cut_value": "assistant"}
    candidate = pa.concat_tables(
        [level(0, 1, model="new"), count_table(count_row((10_000,), (100,), model="new", **alias))]
    )
    baseline = pa.concat_tables([level(0, 1), count_table(count_row((10_000,), (100,), **alias))])
    result = gate(candidate, baseline, policy=Policy(measures=ONE.measures, compare_by="served_model"))
    assert (result.verdict, the_row(result).model) == ("pass", "assistant")


def test_days_and_versions_are_pooled() -> None:
    days = [level(25, 2500, day=f"2026-11-{day}", engine_version=f"0.{day}") for day in (10, 11, 12, 13)]
    pooled = gate(pa.concat_tables(days), level(100, 10_000))
    assert pooled.rows == gate(level(100, 10_000), level(100, 10_000)).rows
    assert pooled.rows == gate(pa.concat_tables(days[::-1]), level(100, 10_000)).rows


def test_holm_over_the_declared_measures() -> None:
    """A p-value between 0.0125 and 0.025 fails alone, but not as the smallest of four, where it has to be below 0.0125."""
    pair = level(13, 1000), level(4, 1000)
    alone = the_row(gate(*pair))
    assert 0.0125 < alone.p_worse < 0.025
    assert alone.verdict == "fail"
    quiet = [
        count_row((1000,), (5,), measure=name) for name in ("boundary_token", "raw_tool_call", "structured_invalid")
    ]
    four = [pa.concat_tables([one.slice(0, 1), count_table(*quiet)]) for one in pair]
    assert the_row(gate(*four, policy=Policy())).p_adjusted == pytest.approx(4 * alone.p_worse)
    assert the_row(gate(*four, policy=Policy())).verdict == "not_enough_data"


def test_adjusted_p_values_equal_statsmodels() -> None:
    values = [0.04, 0.0001, 0.5, 0.013, 0.013, 1.0, 0.21]
    assert holm(values) == pytest.approx(multipletests(values, method="holm")[1], rel=1e-12)
    assert benjamini_hochberg(values) == pytest.approx(multipletests(values, method="fdr_bh")[1], rel=1e-12)
    assert holm([math.nan, 0.01])[1] == 0.02
    assert benjamini_hochberg([math.nan, 0.01])[1] == 0.01


def test_position_one_decides_a_pass_when_it_has_the_events() -> None:
    """Later positions look fine; position 1 alone has doubled, with enough leaks to say so."""
    candidate, baseline = measures((50_000, 49_000), (130, 300)), measures((50_000, 49_000), (80, 330))
    row = the_row(gate(candidate, baseline))
    assert row.p_not_inferior < 0.05
    assert row.first_ratio == pytest.approx(130 / 80)
    assert row.verdict == "not_enough_data"


@pytest.mark.parametrize(("first", "basis"), [(4, "positions 1 to 5"), (5, "position 1")])
def test_position_one_never_decides_on_fewer_than_five_leaks(first: int, basis: str) -> None:
    """A canary of a tenth at a margin of 900: 3.5 leaks, all of the baseline, would have the power already."""
    candidate, baseline = measures((100, 90), (0, 1)), measures((900, 810), (first, 9))
    row = the_row(gate(candidate, baseline, policy=Policy(measures=("reasoning_leak",), ratio_margin=900.0)))
    assert row.verdict == "pass"
    assert f"({basis}, " in row.reason


def test_long_conversations_without_a_leak_count_once_each_and_not_at_every_position() -> None:
    """100 conversations of five turns each: 3 of them may leak unseen (0.05 ** (1 / 100) is 0.9705), which is no proof."""
    long = measures((100, 100, 100, 100, 100), (0, 0, 0, 0, 0))
    assert the_row(gate(long, long)).verdict == "not_enough_data"
    compared = compare(one_side((100,) * 5, (0,) * 5), one_side((100,) * 5, (1, 0, 0, 0, 0)), margin=2.0, alpha=0.05)
    assert compared.bound == pytest.approx(1 - 0.05 ** (1 / 100))
    assert compared.bound == pytest.approx(0.0295, abs=1e-4)
    assert compared.bound_baseline == pytest.approx(stats.beta.ppf(0.95, 2, 99))


def test_preview_rules_never_gate() -> None:
    with pytest.raises(ConfigurationError, match="preview"):
        gate(level(1, 10), level(1, 10), preview=frozenset({"reasoning_leak"}))


def test_other_versions_of_a_declared_measure_are_refused_and_of_others_noted() -> None:
    with pytest.raises(DataError, match="different versions of the rules of reasoning_leak"):
        gate(level(1, 10), level(1, 10, measure_version="2"))
    other = [count_row((), (), measure="preamble", measure_version=version) for version in "12"]
    sides = [pa.concat_tables([level(100, 10_000), count_table(row)]) for row in other]
    result = gate(*sides)
    assert result.verdict == "pass"
    assert "preamble" in result.notes[0]


@pytest.mark.parametrize(
    ("expires", "verdict", "code"),
    [("2026-11-30", "waived", 0), ("2026-12-24", "waived", 0), ("2026-11-29", "fail", 1)],
)
def test_waivers(expires: str, verdict: str, code: int) -> None:
    pair = level(100, 1000), level(10, 1000)
    waiver = Waiver(the_row(gate(*pair)).fingerprint, "parser fix on its way", datetime.date.fromisoformat(expires))
    result = gate(*pair, policy=Policy(measures=ONE.measures, waivers=(waiver,)))
    assert (the_row(result).verdict, result.exit_code) == (verdict, code)
    assert expires in the_row(result).reason


def test_a_waiver_that_meets_no_failure_is_noted() -> None:
    waiver = Waiver("0123456789ab", "old", datetime.date(2027, 1, 1))
    result = gate(level(100, 10_000), level(100, 10_000), policy=Policy(measures=ONE.measures, waivers=(waiver,)))
    assert result.verdict == "pass"
    assert result.notes == ("waiver 0123456789ab met no failure",)


def test_a_waiver_does_not_hide_another_failure() -> None:
    pair = [
        pa.concat_tables([level(*numbers), level(*numbers, model="other")]) for numbers in ((100, 1000), (10, 1000))
    ]
    first = gate(*pair).rows[0]
    waiver = Waiver(first.fingerprint, "known", datetime.date(2027, 1, 1))
    result = gate(*pair, policy=Policy(measures=ONE.measures, waivers=(waiver,)))
    assert [row.verdict for row in result.rows] == ["waived", "fail"]
    assert result.exit_code == 1


def test_several_accepted_runs_say_how_much_they_differ() -> None:
    row = the_row(gate(level(100, 10_000), level(30, 5000), level(60, 5000), level(30, 5000)))
    assert row.noise_ratio == pytest.approx(2)
    assert math.isnan(the_row(gate(level(100, 10_000), level(120, 15_000))).noise_ratio)


# what is watched


def test_other_measures_are_watched_and_never_block() -> None:
    worse = [count_row((10_000,), (leaks,), measure="preamble") for leaks in (300, 30)]
    sides = [pa.concat_tables([level(100, 10_000), count_table(row)]) for row in worse]
    result = gate(*sides)
    assert result.verdict == "pass"
    first = result.watch[0]
    assert (first.measure, first.verdict, first.scope) == ("preamble", "watch", "watch")


def test_slices_are_ranked_by_the_lower_bound_of_the_ratio() -> None:
    """A threefold rise with many leaks stands first, a fourfold one that rests on two leaks last."""
    base = [level(0, 0), level(100, 10_000, engine="a"), level(1, 200, engine="b"), level(100, 10_000, engine="c")]
    moved = [level(0, 0), level(300, 10_000, engine="a"), level(2, 100, engine="b"), level(100, 10_000, engine="c")]
    result = gate(pa.concat_tables(moved), pa.concat_tables(base))
    engines = [row for row in result.watch if row.dimension == "engine" and row.conversations]
    assert [(row.model, row.verdict) for row in engines] == [("a", "watch"), ("c", "ok"), ("b", "not_enough_data")]


def test_a_slice_that_the_baseline_lacks_is_compared_with_all_of_it() -> None:
    candidate = [level(100, 10_000, engine_version="0.30"), level(300, 10_000, engine_version="0.31")]
    result = gate(pa.concat_tables(candidate), level(100, 10_000, engine_version="0.30"))
    moved = {row.model: row for row in result.watch if row.dimension == "engine_version"}
    assert (moved["0.31"].against, moved["0.31"].verdict) == ("all", "watch")
    assert (moved["0.30"].against, moved["0.30"].verdict) == ("0.30", "ok")


# sequential


def sequence(leaks: list[int], conversations: int = 1000) -> pa.Table:
    days = [level(count, conversations, day=f"2026-11-{day:02}") for day, count in enumerate(leaks, 1)]
    return pa.concat_tables(days)


def test_sequential_mode_alarms_once_and_for_all() -> None:
    policy = Policy(measures=ONE.measures, mode="sequential")
    base = sequence([2] * 9)
    assert gate(sequence([2, 2, 2]), base, policy=policy).verdict == "not_enough_data"
    assert gate(sequence([2, 30, 30]), base, policy=policy).verdict == "fail"
    back = gate(sequence([2, 30, 30, 0, 0, 0, 0, 0, 0]), base, policy=policy)
    assert the_row(back).p_adjusted <= 0.05
    assert back.verdict == "fail"


def test_a_look_at_the_end_of_a_day_includes_that_day() -> None:
    """100 of 1,000 against 10 of 1,000, all on one day, are an alarm that evening; a baseline of the day after is not there yet."""
    policy = Policy(measures=("reasoning_leak",), mode="sequential")
    assert the_row(gate(level(100, 1000), level(10, 1000), policy=policy)).verdict == "fail"
    later = level(10, 1000, day="2026-12-01")
    assert the_row(gate(level(100, 1000), later, policy=policy)).verdict == "not_enough_data"


def test_sequential_mode_passes_with_enough_data() -> None:
    policy = Policy(measures=ONE.measures, mode="sequential")
    result = gate(sequence([20] * 9, 2000), sequence([20] * 9, 2000), policy=policy)
    assert result.verdict == "pass"
    assert the_row(result).p_not_inferior <= 0.05


def test_sequential_mode_compares_with_the_baseline_of_the_same_days() -> None:
    """The rate doubles on both sides on the third day, of which the candidate has more: no alarm."""
    policy = Policy(measures=ONE.measures, mode="sequential")
    result = gate(sequence([10, 10, 40]), sequence([10, 10, 40]), policy=policy)
    assert the_row(result).verdict != "fail"


def test_verdicts_are_a_table() -> None:
    result = gate(level(100, 1000), level(0, 1000))
    table = verdict_table([*result.rows, *result.watch])
    assert table.schema == VERDICT
    assert table.to_pylist()[0]["ratio"] is None
    assert table.to_pylist()[0]["verdict"] == "fail"

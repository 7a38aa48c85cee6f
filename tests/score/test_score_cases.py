"""The score on eight cases whose right numbers were counted by hand."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from pipelines.cli.score_cases import command
from pipelines.errors import InputError
from pipelines.score import Summary, Verdict, judge, read_cases, summarise

FILE = Path(__file__).with_name("cases.jsonl")


@pytest.fixture(scope="module")
def verdicts() -> dict[str, Verdict]:
    return {case.id: judge(case) for case in read_cases(FILE.read_bytes().splitlines(), "cases.jsonl")}


@pytest.fixture(scope="module")
def summary(verdicts: dict[str, Verdict]) -> Summary:
    return summarise(verdicts.values())


@pytest.mark.parametrize(
    ("symptom", "expected", "found", "wrong"),
    [
        ("reasoning_leak", 2, 2, 0),  # hit, second-choice
        ("boundary_token", 2, 2, 1),  # the same two; alarm
        ("preamble", 1, 0, 0),  # miss
        ("raw_tool_call", 1, 1, 0),  # rescue
        ("structured_invalid", 1, 1, 0),  # fence
        ("misrouted_answer", 0, 0, 0),  # the only one is debatable
    ],
)
def test_counts_per_symptom(summary: Summary, symptom: str, expected: int, found: int, wrong: int) -> None:
    count = summary.symptoms[symptom]
    assert (count.expected, count.found, count.wrong) == (expected, found, wrong)


def test_recall_and_precision_are_null_on_an_empty_denominator(summary: Summary) -> None:
    token, routed = summary.symptoms["boundary_token"], summary.symptoms["misrouted_answer"]
    assert (token.recall, token.precision) == (1.0, 2 / 3)
    assert (routed.recall, routed.precision) == (None, None)


@pytest.mark.parametrize(
    ("language", "expected", "found", "wrong"), [("en", 4, 3, 0), ("de", 0, 0, 1), ("fr", 3, 3, 0)]
)
def test_counts_per_language(summary: Summary, language: str, expected: int, found: int, wrong: int) -> None:
    count = summary.languages[language]
    assert (count.expected, count.found, count.wrong) == (expected, found, wrong)


def test_counts_per_family(summary: Summary) -> None:
    assert list(summary.families) == ["qwen3"]
    assert (summary.families["qwen3"].expected, summary.families["qwen3"].found) == (7, 6)


@pytest.mark.parametrize(
    ("check", "asked", "right", "wrong_ids"),
    [
        ("spans", 3, 3, []),  # hit, second-choice, fence
        ("repairs", 4, 3, ["fence"]),  # the case wants another one than the fence needs; rescue, hit, second-choice
        ("rescues", 1, 0, ["rescue"]),  # the case wants another town
        ("cleaned contents", 3, 2, ["fence"]),  # the case wants another lake
    ],
)
def test_checks(summary: Summary, check: str, asked: int, right: int, wrong_ids: list[str]) -> None:
    share = summary.checks[check]
    assert (share.asked, share.right, share.wrong_ids) == (asked, right, wrong_ids)


def test_misses_and_false_alarms_are_listed_with_their_label(summary: Summary) -> None:
    assert summary.misses == [("miss", "preamble", "firm"), ("debatable", "misrouted_answer", "debatable")]
    assert summary.false_alarms == [("alarm", "boundary_token", "rule", "firm")]


def test_clean_cases(summary: Summary) -> None:
    assert (summary.cases, summary.debatable, summary.clean) == (8, 1, 2)
    assert (summary.clean_with_rule, summary.clean_with_heuristic) == (["alarm"], [])


def test_findings_in_another_choice_are_false_alarms() -> None:
    (case,) = [case for case in read_cases(FILE.read_bytes().splitlines(), "f") if case.id == "second-choice"]
    row = json.loads(next(line for line in FILE.read_text(encoding="utf-8").splitlines() if '"second-choice"' in line))
    row["expected"] |= {"choice_index": 0, "symptoms": [], "leak_text": None}
    (turned,) = read_cases([json.dumps(row)], "f")
    assert judge(case).elsewhere == ()
    assert judge(turned).elsewhere == ("boundary_token", "reasoning_leak")
    assert judge(turned).found == {}


def test_a_call_that_must_not_be_rescued() -> None:
    row = json.loads(next(line for line in FILE.read_text(encoding="utf-8").splitlines() if '"rescue"' in line))
    row["expected"] |= {"hazard": "do_not_rescue", "rescue_tool_call": None}
    (rescued,) = read_cases([json.dumps(row)], "f")
    row["record"]["request"]["tool_choice"] = "none"
    (forbidden,) = read_cases([json.dumps(row)], "f")
    assert (judge(rescued).rescued, judge(forbidden).rescued) == (False, True)


def test_an_exchange_that_cannot_be_read_is_a_failure() -> None:
    (case,) = read_cases(['{"id": "x", "record": {}, "expected": {"symptoms": ["preamble"]}}'], "f")
    verdict = judge(case)
    assert verdict.failures == ("the exchange could not be read",)
    assert verdict.missed == ("preamble",)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "cases, line 1: not a case: Input data was truncated"),
        ('{"id": "x"}', "cases, line 1: not a case: Object missing required field `record`"),
        (
            '{"id": "x", "record": {}, "expected": {"symptoms": ["leak"]}}',
            "no symptom of this name: leak; allowed: reasoning_leak",
        ),
        (b'{"id": "\xff", "record": {}, "expected": {}}', "cases, line 1: not a case"),
    ],
)
def test_a_wrong_line_is_named(line: str | bytes, message: str) -> None:
    with pytest.raises(InputError, match="line 1") as raised:
        list(read_cases([line], "cases"))
    assert message in str(raised.value)


def test_the_command_prints_the_counts_and_every_miss() -> None:
    result = CliRunner().invoke(command, [str(FILE)])
    assert result.exit_code == 0, result.output
    assert "8 cases, 1 of them debatable and not counted, 2 clean" in result.output
    assert "boundary_token             2      2      1   1.000      0.667" in result.output
    assert "cleaned contents: 2 of 3 right; not: fence" in result.output
    assert "  debatable misrouted_answer [debatable]" in result.output


def test_the_command_prints_json() -> None:
    result = CliRunner().invoke(command, [str(FILE), "--json"])
    value = json.loads(result.output)
    assert value["symptoms"]["boundary_token"] == {
        "expected": 2,
        "found": 2,
        "wrong": 1,
        "recall": 1.0,
        "precision": 2 / 3,
    }
    assert [verdict["id"] for verdict in value["verdicts"] if verdict["missed"]] == ["miss", "debatable"]


def test_a_file_that_is_not_there() -> None:
    result = CliRunner().invoke(command, ["missing.jsonl"])
    assert isinstance(result.exception, InputError)
    assert str(result.exception).startswith("missing.jsonl: ")

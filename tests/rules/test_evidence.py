"""The answers on file: innocent ones on which nothing fires, known misses that are still missed, and repaired ones that are found."""

import json
from functools import cache
from pathlib import Path

import pytest

from pipelines.detect import judge
from pipelines.families import UNKNOWN_FAMILY, resolve
from pipelines.formats.format import Place
from pipelines.formats.pair import parse
from pipelines.rules import RULES
from pipelines.rules.rule import Turn
from pipelines.schema import SYMPTOMS, Finding, Record

DATA = Path(__file__).parents[2] / "data"


def rows(*files: Path) -> list[dict]:
    return [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]


EXCUSES = {(row["id"], row["rule"]): row["reason"] for row in rows(DATA / "clean" / "excuses.jsonl")}
CLEAN = rows(*(file for file in sorted((DATA / "clean").glob("*.jsonl")) if file.name != "excuses.jsonl"))
OPEN = rows(*sorted((DATA / "missed" / "open").glob("*.jsonl")))
FIXED = rows(*sorted((DATA / "missed" / "fixed").glob("*.jsonl")))


def named(row: dict) -> str:
    return row["id"]


@cache
def findings(encoded: str) -> list[Finding]:
    row = json.loads(encoded)
    (record,) = parse({"id": row["id"], **row["record"]}, Place("data", 0))
    assert isinstance(record, Record)
    judgement = judge(Turn(record, resolve(record.model_id or record.model_requested or "") or UNKNOWN_FAMILY))
    assert judgement.failures == []
    return judgement.findings


@pytest.mark.parametrize("row", CLEAN, ids=named)
def test_nothing_fires_on_an_innocent_answer(row: dict) -> None:
    fired = {finding.rule_id for finding in findings(json.dumps(row))}
    excused = {rule for row_id, rule in EXCUSES if row_id == row["id"]}
    assert fired <= excused, row["why"]


def test_there_are_enough_innocent_answers_and_no_copies() -> None:
    assert len(CLEAN) >= 400
    assert len({row["lang"] for row in CLEAN}) >= 12
    assert len({row["id"] for row in CLEAN}) == len(CLEAN)
    asked = [json.dumps(row["record"]["request"]["messages"]) for row in CLEAN]
    assert len(set(asked)) == len(asked)
    assert all(len(row["why"]) > 1 for row in CLEAN)


def test_an_excuse_names_a_rule_that_only_guesses() -> None:
    tiers = {rule.id: rule.tier for rule in RULES}
    assert {tiers[rule] for _, rule in EXCUSES} <= {"heuristic"}, (
        "marker evidence on an innocent answer is a defect, not an excuse"
    )
    assert len(EXCUSES) <= len(CLEAN) // 50


def test_no_excuse_has_outlived_its_false_alarm() -> None:
    by_id = {row["id"]: row for row in CLEAN}
    stale = [
        key for key in EXCUSES if key[1] not in {finding.rule_id for finding in findings(json.dumps(by_id[key[0]]))}
    ]
    assert stale == []


@pytest.mark.parametrize("row", OPEN, ids=named)
def test_a_known_miss_is_still_missed(row: dict) -> None:
    """A failure here is good news: move the row to missed/fixed."""
    assert row["rule"] in {rule.id for rule in RULES}
    symptoms = {finding.symptom for finding in findings(json.dumps(row)) if finding.tier == "rule"}
    assert not symptoms & set(row["expected"]["symptoms"])


@pytest.mark.parametrize("row", FIXED, ids=named)
def test_a_repaired_miss_stays_found(row: dict) -> None:
    assert set(row["expected"]["symptoms"]) <= set(SYMPTOMS)
    found = findings(json.dumps(row))
    assert set(row["expected"]["symptoms"]) <= {finding.symptom for finding in found if finding.tier == "rule"}
    assert row["rule"] in {finding.rule_id for finding in found}

"""`leakrate rules` prints what a rule says of itself and the misses and false alarms on file."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from pipelines.cli.rules import command
from pipelines.errors import ConfigurationError
from pipelines.rules import RULES


def printed(*arguments: str) -> str:
    result = CliRunner().invoke(command, arguments, catch_exceptions=False)
    assert result.exit_code == 0
    return result.output


def test_the_list_names_every_rule_once_and_says_how_many() -> None:
    output = printed()
    assert all(sum(line.split(" ")[0] == rule.id for line in output.splitlines()) == 1 for rule in RULES)
    assert f"{len(RULES)} rules" in output


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_one_rule_has_every_part_of_its_page(rule) -> None:
    lines = {line[:16].strip() for line in printed(rule.id, "--data", "nowhere").splitlines()}
    parts = {
        "catches",
        "why it matters",
        "misses",
        "false alarms",
        "likely layers",
        "what to do",
        "how to verify",
        "fires on",
        "silent on",
    }
    assert parts <= lines and "known misses" in lines


def test_evidence_on_file_is_shown_with_the_rule_that_it_belongs_to(tmp_path: Path) -> None:
    (tmp_path / "missed" / "open").mkdir(parents=True)
    (tmp_path / "clean").mkdir()
    miss = {"id": "m1", "rule": "reasoning-block-in-content", "why": "the fence was left open"}
    (tmp_path / "missed" / "open" / "a.jsonl").write_text(json.dumps(miss) + "\n")
    excuse = {"id": "c7", "rule": "reasoning-block-in-content", "reason": "an essay that uses the tag"}
    (tmp_path / "clean" / "excuses.jsonl").write_text(json.dumps(excuse) + "\n")
    output = printed("reasoning-block-in-content", "--data", str(tmp_path))
    assert "m1: the fence was left open" in output
    assert "c7: an essay that uses the tag" in output
    assert "m1" not in printed("invented-turn", "--data", str(tmp_path))


def test_json_holds_the_same_for_scripts() -> None:
    (described,) = json.loads(printed("invented-turn", "--json"))
    assert described["symptom"] == "boundary_token"
    assert described["sections"]["Why it matters"].startswith("the invented request")
    assert described["examples"]["leaks"] and described["examples"]["clean"]


def test_an_unknown_rule_is_one_sentence_with_the_allowed_ids() -> None:
    with pytest.raises(ConfigurationError, match=r"no rule is called 'zzz'; allowed: .*invented-turn"):
        CliRunner().invoke(command, ["zzz"], catch_exceptions=False)


def test_names_near_an_unknown_rule_are_told() -> None:
    refused = CliRunner().invoke(command, ["reasoning-block"])
    assert (
        str(refused.exception)
        == "no rule is called 'reasoning-block'; near it: reasoning-block-in-content; `leakrate rules` lists all"
    )

"""A symptom's series begins anew only when a rule that makes its rate has changed."""

from dataclasses import replace

import pytest

from pipelines import detect
from pipelines.rules import RULES
from pipelines.rules.rule import Rule
from pipelines.schema import SYMPTOMS


def changed(rule: Rule) -> Rule:
    return replace(rule, version=rule.version + 1)


@pytest.mark.parametrize(
    ("tier", "status", "moves_symptom", "moves_suspected"),
    [("rule", "stable", True, False), ("rule", "preview", False, False), ("heuristic", "preview", False, True)],
)
def test_only_the_rate_that_a_rule_makes_moves(
    monkeypatch: pytest.MonkeyPatch, tier: str, status: str, moves_symptom: bool, moves_suspected: bool
) -> None:
    chosen = next(rule for rule in RULES if (rule.tier, rule.status) == (tier, status))
    own = [
        (detect._version(symptom, detect._counts), detect._version(symptom, detect._suspects)) for symptom in SYMPTOMS
    ]
    monkeypatch.setattr(detect, "RULES", tuple(changed(rule) if rule is chosen else rule for rule in RULES))
    new = [
        (detect._version(symptom, detect._counts), detect._version(symptom, detect._suspects)) for symptom in SYMPTOMS
    ]
    moved = [(before[0] != after[0], before[1] != after[1]) for before, after in zip(own, new, strict=True)]
    assert moved.count((moves_symptom, moves_suspected)) >= 1
    assert sum(pair[0] for pair in moved) == moves_symptom
    assert sum(pair[1] for pair in moved) == moves_suspected

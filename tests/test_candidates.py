"""Looking only at the rules that one search names finds what looking at all rules finds."""

import pytest

from pipelines import detect
from pipelines.detect import Judgement
from pipelines.rules import RULES
from pipelines.rules.rule import Example, Rule

EXAMPLES = [(rule, example) for rule in RULES for example in (*rule.leaks, *rule.clean)]


def judged(example: Example, rules: tuple[tuple[int, Rule], ...] | None) -> Judgement:
    if rules is None:
        return detect.judge(example.turn)
    return detect._judge(example.turn, rules, detect.eligible(example.turn))


@pytest.mark.parametrize(
    ("rule", "example"), EXAMPLES, ids=[f"{rule.id}-{index}" for index, (rule, _) in enumerate(EXAMPLES)]
)
def test_nothing_is_lost_by_asking_fewer_rules(rule: Rule, example: Example) -> None:
    few, all_of_them = judged(example, None), judged(example, tuple(enumerate(RULES)))
    assert few.findings == all_of_them.findings
    assert few.fired == all_of_them.fired
    assert few.failures == all_of_them.failures == []

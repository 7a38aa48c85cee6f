"""What a finding counts in: findings by configuration and of preview rules have their own rates and are in no symptom."""

import pytest

from pipelines.detect import MEASURES, judge
from pipelines.rules.examples import answer
from pipelines.rules.rule import Turn

BLOCK = "<think>Need a greeting.</think>Hello!"
NOTE = "Let me search the archive. Found three entries.\n\nThe mill closed in 1911."
STRAY = "Done.<|turn_finished|>"


def counted_in(turn: Turn) -> set[str]:
    """Names of the measures that fired, without the rules' own."""
    fired = judge(turn).fired
    return {measure.name for bit, measure in enumerate(MEASURES) if fired >> bit & 1 and measure.kind != "rule"}


CONFIGURED = {
    "an append-think parser": answer(BLOCK, family="minimax-m2", reasoning_parser="minimax_m2_append_think"),
    "separate_reasoning: false": answer(BLOCK, separate_reasoning=False),
    "the text completions API": answer(BLOCK, api="completions"),
    "gpt-oss commentary that vLLM joins": answer(NOTE, family="gpt-oss", phases=True),
}


@pytest.mark.parametrize("turn", CONFIGURED.values(), ids=CONFIGURED)
def test_a_finding_by_configuration_has_its_own_rate_and_is_in_no_symptom(turn: Turn) -> None:
    assert judge(turn).findings and all(finding.configured for finding in judge(turn).findings)
    assert counted_in(turn) == {"configured"}


def test_the_same_texts_without_that_configuration_are_in_the_symptom() -> None:
    assert counted_in(answer(BLOCK)) == {"reasoning_leak", "boundary_token", "reasoning_leak_rate"}
    assert counted_in(answer(NOTE)) == {"preamble:suspected"}


def test_a_finding_of_a_preview_rule_is_in_no_symptom() -> None:
    (finding,) = judge(answer(STRAY)).findings
    assert (finding.status, finding.tier, finding.symptom) == ("preview", "rule", "boundary_token")
    assert counted_in(answer(STRAY)) == set()
    assert counted_in(answer("Done.<|im_end|>")) == {"boundary_token", "reasoning_leak_rate"}

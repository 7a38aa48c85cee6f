"""Where marker evidence shows the thoughts, heuristics say nothing of them, so that what is left is the answer."""

import pytest

from pipelines.detect import judge
from pipelines.rules.examples import WEATHER, answer
from pipelines.rules.repair import clean_content
from pipelines.schema import Delta

PLAN = "User asks in German what a notary is. I should answer in German, brief."
ANSWER = "Ein Notar beurkundet Verträge, etwa Grundstückskäufe, und berät die Beteiligten."


@pytest.mark.parametrize(
    ("family", "content"),
    [
        ("gpt-oss", f"{PLAN}assistantfinal{ANSWER}"),
        ("gpt-oss", f"analysis{PLAN}\n\nThe user may mean a lawyer. Let me think.assistantfinal{ANSWER}"),
        ("granite-3.2/3.3", f"{PLAN}\nHere is my response:\n{ANSWER}"),
        ("kimi-k3", f"{PLAN}thinkresponse{ANSWER}"),
    ],
)
@pytest.mark.parametrize("tools", [(), (WEATHER,)])
def test_the_answer_is_what_is_left(family: str, content: str, tools: tuple) -> None:
    turn = answer(content, family=family, user="Was ist ein Notar?", tools=tools)
    findings = [finding for finding in judge(turn).findings if finding.symptom == "reasoning_leak"]
    assert {finding.tier for finding in findings} == {"rule"}
    assert clean_content(turn, findings) == ANSWER


def test_a_copy_of_the_reasoning_field() -> None:
    turn = answer(f"{PLAN}{ANSWER}", reasoning=PLAN, chunks=(Delta(reasoning=PLAN), Delta(content=PLAN + ANSWER)))
    findings = [finding for finding in judge(turn).findings if finding.symptom == "reasoning_leak"]
    assert {finding.rule_id for finding in findings} == {"reasoning-repeated-in-content"}
    assert clean_content(turn, findings) == ANSWER


def test_thoughts_without_evidence_are_still_guessed() -> None:
    turn = answer(f"{PLAN}\n\n{ANSWER}", family="gpt-oss", user="Was ist ein Notar?")
    assert {finding.rule_id for finding in judge(turn).findings} == {"untagged-thoughts"}

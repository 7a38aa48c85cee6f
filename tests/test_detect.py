"""What one turn adds to the rates: texts that cannot be judged, marks that the gateway wrote, what is by configuration."""

from typing import Any

import pytest

from pipelines import detect
from pipelines.detect import MEASURES, Judgement
from pipelines.rules.examples import WEATHER, answer
from pipelines.schema import Usage

LEAK = "<think>Look at the tide table.</think>High water is at nine."


def measures(bits: int, kind: str) -> set[str]:
    return {measure.name for index, measure in enumerate(MEASURES) if bits >> index & 1 and measure.kind == kind}


def fired(judgement: Judgement) -> set[str]:
    return measures(judgement.fired, "metric") | measures(judgement.fired, "symptom")


def judged(content: str = LEAK, **fields: Any) -> Judgement:
    return detect.judge(answer(content, family=fields.pop("family", "qwen3"), **fields))


def test_a_leak_counts_for_its_symptoms_and_the_headline() -> None:
    assert fired(judged()) == {"reasoning_leak", "boundary_token", "reasoning_leak_rate"}


@pytest.mark.parametrize("state", ["shuffled", "truncated"])
@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"api": "completions"},
        {"finish": "length", "content": "<think>Look at the tide table."},
        {"content": "<tool_call>{}</tool_call>", "tools": (WEATHER,)},
        {"response_format": {"type": "json_object"}, "response_format_state": "present"},
    ],
    ids=["pair", "by configuration", "open", "call", "format"],
)
def test_a_text_that_is_not_logged_as_it_was_is_not_judged(state: str, fields: dict[str, Any]) -> None:
    judgement = judged(**{"content": LEAK, **fields}, content_state=state)
    assert [finding for finding in judgement.findings if finding.channel == "content"] == []
    assert fired(judgement) - {"structured_output_length"} == set()
    assert not measures(judgement.eligible, "symptom") & {"reasoning_leak", "boundary_token", "structured_invalid"}


def test_a_pair_that_the_gateway_wrote_is_by_configuration_and_points_at_the_gateway() -> None:
    merged = frozenset({"think_inserted"})
    judgement = judged(gateway_rewrites=merged, usage=Usage(output=22, reasoning=13))
    assert {(finding.configured, finding.layer_hint) for finding in judgement.findings} == {(True, "gateway")}
    assert fired(judgement) == {"configured"}
    assert "reasoning_leak" in measures(judgement.eligible, "symptom")


def test_the_gateway_stays_its_layer_where_the_engines_own_text_has_the_same_marks() -> None:
    judgement = judged(gateway_rewrites=frozenset({"think_inserted"}), raw_text=LEAK)
    assert {finding.layer_hint for finding in judgement.findings} == {"gateway"}


def test_a_second_pair_is_a_leak_also_where_the_gateway_wrote_the_first() -> None:
    judgement = judged(LEAK + "\n<think>Or at ten?</think>", gateway_rewrites=frozenset({"think_inserted"}))
    assert fired(judgement) == {"configured", "reasoning_leak", "boundary_token", "reasoning_leak_rate"}


def test_a_pair_that_the_gateway_may_have_written_is_shown_and_counts_neither_as_a_leak_nor_as_none() -> None:
    judgement = judged(gateway_rewrites=frozenset({"think_inserted_possible"}))
    assert {finding.rule_id for finding in judgement.findings} == {
        "reasoning-block-in-content",
        "reasoning-marker-in-content",
    }
    assert fired(judgement) == set()
    assert not measures(judgement.eligible, "symptom") & {"reasoning_leak", "boundary_token"}
    assert not measures(judgement.eligible, "rule") & {"reasoning-block-in-content", "reasoning-marker-in-content"}


@pytest.mark.parametrize("logged", [True, False])
def test_phases_count_where_the_body_is_logged(logged: bool) -> None:
    judgement = judged("Yes.", phases=True, body_logged=logged)
    assert ("commentary_leak" in measures(judgement.eligible, "symptom")) is logged

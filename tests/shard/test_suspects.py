"""With a classifier every answer is read and scored; its findings have their own measures behind those of the rules."""

from pathlib import Path

import pytest

from pipelines import scored
from pipelines.detect import MEASURES
from pipelines.schema import Finding, Measure
from pipelines.shard import suspects
from tests import gateway_rows
from tests.runs import rows, run

SUSPICIOUS = "Plan for two metres. I am a suspicious sentence."


class FakeModel:
    """Finds the word suspicious."""


@pytest.fixture(autouse=True)
def fake(monkeypatch: pytest.MonkeyPatch) -> None:
    def score(texts: list[str], tools: list[str], model: object) -> tuple[bool, ...]:
        assert len(texts) == len(tools) <= suspects.TOGETHER
        return tuple("suspicious" in text for text in texts)

    def findings(found: bool, model: object) -> tuple[Finding, ...]:
        one = Finding("classifier-preamble", 100, "classifier", "preview", "preamble", "content", 0, 9, 0.9, "strip")
        return (one,) if found else ()

    monkeypatch.setattr(scored, "open_model", lambda name: FakeModel())
    monkeypatch.setattr(
        scored, "measures", lambda model: (Measure("rule", "classifier-preamble", "fake-1.0", "classifier"),)
    )
    monkeypatch.setattr(scored, "score", score)
    monkeypatch.setattr(scored, "findings", findings)


def of_symptom(output: Path, measure: str) -> list[tuple[int, int]]:
    """(turns, leaked turns) of a measure in the whole output."""
    return [
        (row["turns"], row["leaked_turns"])
        for row in rows(output, "rates")
        if row["measure"] == measure and row["cut"] == "all"
    ]


def test_suspects_are_findings_and_rates_of_their_own(tmp_path: Path) -> None:
    made = [gateway_rows.payload(n, SUSPICIOUS if n % 10 == 0 else gateway_rows.CLEAN) for n in range(70)]
    path = gateway_rows.write_log(tmp_path, "log.jsonl", made)
    run([path], tmp_path / "out", model="fake")
    found = rows(tmp_path / "out", "detections")
    assert [row["source_pos"] for row in found] == [0, 10, 20, 30, 40, 50, 60]
    assert {(row["tier"], row["evidence"] is not None) for row in found} == {("classifier", True)}
    (rate,) = [
        row
        for row in rows(tmp_path / "out", "rates")
        if row["measure"] == "classifier-preamble" and row["cut"] == "all"
    ]
    assert (rate["turns"], rate["leaked_turns"], rate["tier"]) == (70, 7, "classifier")
    assert of_symptom(tmp_path / "out", "preamble:suspected") == [(70, 7)]
    assert of_symptom(tmp_path / "out", "preamble") == [(70, 0)], "never the same number"
    assert [row["source_pos"] for row in rows(tmp_path / "out", "turns")] == list(range(70))


def test_a_turn_that_the_symptom_does_not_count_is_not_suspected(tmp_path: Path) -> None:
    made = [gateway_rows.payload(n, SUSPICIOUS) for n in range(2)]
    call = {"id": "call_1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    made[1]["response"]["choices"][0]["finish_reason"] = "tool_calls"
    made[1]["response"]["choices"][0]["message"]["tool_calls"] = [call]
    run([gateway_rows.write_log(tmp_path, "log.jsonl", made)], tmp_path / "out", model="fake")
    assert of_symptom(tmp_path / "out", "classifier-preamble") == [(2, 2)]
    assert of_symptom(tmp_path / "out", "preamble:suspected") == [(1, 1)], "the other turn goes on with a call"


def test_another_model_is_another_series_of_what_it_suspects_only() -> None:
    plain = {measure.name: measure.version for measure in MEASURES}
    judged = {measure.name: measure.version for measure in suspects.measures("fake")}
    moved = {name for name, version in plain.items() if judged[name] != version}
    assert moved == {"preamble:suspected", "reasoning_leak:suspected"}
    assert all(len(judged[name]) == 8 for name in moved)


def test_a_monologue_that_was_asked_for_is_excluded(tmp_path: Path) -> None:
    asked = [{"role": "user", "content": "Write a short inner monologue of a gardener who plans a trellis."}]
    made = [gateway_rows.payload(0, SUSPICIOUS, messages=asked), gateway_rows.payload(1, SUSPICIOUS)]
    run([gateway_rows.write_log(tmp_path, "log.jsonl", made)], tmp_path / "out", model="fake")
    assert [row["source_pos"] for row in rows(tmp_path / "out", "detections")] == [1]
    (coverage,) = rows(tmp_path / "out", "coverage")
    assert dict(coverage["detail"])["excluded.creative"] == 1


def test_without_a_classifier_nothing_is_added() -> None:
    assert suspects.measures(None) == MEASURES

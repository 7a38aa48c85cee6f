"""The bridge from the flow to the classifier: findings of a batch."""

import json
import shutil
from pathlib import Path

import pytest

from classifier.export import _seal
from classifier.runtime import LABELS, TIERS
from pipelines import scored
from pipelines.errors import ConfigurationError
from pipelines.schema import Record, Tool, ToolCall

LEAK = "The user wants the capital of Peru. I recall it is Lima. I should answer briefly, just the name.\n\nLima."
NOTE = "Let me check the order records first. Now let me look at the shipping status.\n\nYour parcel arrives on Friday."
CLEAN = "Photosynthesis turns light, water and carbon dioxide into sugar and oxygen."
MODEL = scored.open_model("default")


def test_scores_are_those_of_the_runtime() -> None:
    found = scored.score([LEAK, NOTE, CLEAN], ["unknown"] * 3, MODEL)
    for text, one in zip((LEAK, NOTE, CLEAN), found, strict=True):
        assert one.probabilities == pytest.approx(MODEL.scores(text, "unknown"), abs=1e-6)
        assert one.length == len(text)


def test_findings_are_previews_of_tier_classifier() -> None:
    for one in scored.score([LEAK, NOTE, CLEAN], ["unknown"] * 3, MODEL):
        for finding in scored.findings(one, MODEL):
            assert (finding.tier, finding.status, finding.channel) == ("classifier", "preview", "content")
            assert one.tiers[finding.symptom] in TIERS[:2]
    assert scored.findings(scored.score([CLEAN], ["unknown"], MODEL)[0], MODEL) == ()


def test_a_plain_work_message_in_front_of_the_answer_is_found() -> None:
    (finding,) = scored.findings(scored.score([NOTE], ["unknown"], MODEL)[0], MODEL)
    assert (finding.rule_id, finding.symptom, finding.repair) == ("classifier-preamble", "preamble", "strip")
    assert (finding.start, finding.end) == (0, len(NOTE))


def test_measures_name_the_model() -> None:
    measures = scored.measures(MODEL)
    assert [measure.name for measure in measures] == [scored.RULES[label] for label in LABELS]
    assert {(measure.version, measure.tier) for measure in measures} == {("leakrate-1.0", "classifier")}


@pytest.mark.parametrize(
    ("record", "tools"),
    [
        (Record(source_id="1", source_uri="a", source_pos=0), "unknown"),
        (Record(source_id="1", source_uri="a", source_pos=0, tools=()), "unknown"),
        (Record(source_id="1", source_uri="a", source_pos=0, tools=(Tool("f"),)), "offered"),
        (Record(source_id="1", source_uri="a", source_pos=0, tool_calls=(ToolCall("f", "{}"),)), "called"),
    ],
)
def test_tools_of_a_record(record: Record, tools: str) -> None:
    assert scored.tools_of(record) == tools


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="allowed are default and a model folder"):
        scored.open_model(str(tmp_path))


@pytest.mark.parametrize("version", ["1", "1.0", "2.13", "2026.11"])
def test_a_version_of_digits_is_a_number_of_a_series(version: str) -> None:
    scored.check_version(version, "--version")


@pytest.mark.parametrize(
    "version", ["", "v1.0", "1.0.3", "1.", ".1", "1.0rc1", "1.100", "١.٠", "-1.0", "1 .0", None, 1.0]
)
def test_a_version_that_is_no_number_is_refused(version: object) -> None:
    with pytest.raises(ConfigurationError, match=r"^--version: the version of a model is MAJOR\.MINOR"):
        scored.check_version(version, "--version")


def test_a_model_of_such_a_version_is_refused_at_the_start(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    shutil.copytree(scored.MODELS / scored.DEFAULT, folder)
    facts = json.loads((folder / "model.json").read_text("utf-8"))
    sums = facts.pop("checksums")
    _seal(folder, facts | {"version": "1.0-rc1"}, files=[name for name in sums if name != "model.json"])
    with pytest.raises(ConfigurationError, match=r"--model: .*model: the version of a model is MAJOR\.MINOR"):
        scored.open_model(str(folder))

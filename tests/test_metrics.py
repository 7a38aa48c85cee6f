"""The OpenMetrics text is read back by the library's own parser, and hostile label values stay values."""

from typing import Any

from prometheus_client.openmetrics.parser import text_string_to_metric_families
from prometheus_client.parser import text_string_to_metric_families as prometheus_families

from pipelines.metrics import RATE_LABELS, openmetrics

HOSTILE = 'a"} 1\nleakrate_turns{x="\\\u202e'


def row(**given: Any) -> dict[str, Any]:
    base: dict[str, Any] = dict.fromkeys(RATE_LABELS, "unknown") | {
        "cut": "all",
        "measure_kind": "symptom",
        "measure": "reasoning_leak",
        "tier": "rule",
        "model": "qwen3-32b",
        "turns": 200,
        "leaked_turns": 4,
        "rate": 0.02,
        "low": None,
        "high": 0.07,
        "conversations": 50,
        "leaked_conversations": 2,
        "conversation_rate": 0.04,
    }
    return base | given


COVERAGE = [
    {"format": "litellm", "items": 10, "rejected": 1, "records": 8, "scannable": 7},
    {"format": "litellm", "items": 5, "rejected": 0, "records": 5, "scannable": 5},
]


def test_samples_are_the_rows() -> None:
    text = openmetrics([row()], COVERAGE, finished=1796000000.0, day=1795910400.0)
    families = {family.name: family for family in text_string_to_metric_families(text)}
    values = {name: [sample.value for sample in family.samples] for name, family in families.items()}
    assert values == {
        "leakrate_turns": [200],
        "leakrate_leaked_turns": [4],
        "leakrate_turn_leak_ratio": [0.02],
        "leakrate_turn_leak_low_ratio": [],
        "leakrate_turn_leak_high_ratio": [0.07],
        "leakrate_conversations": [50],
        "leakrate_leaked_conversations": [2],
        "leakrate_conversation_leak_ratio": [0.04],
        "leakrate_items": [15],
        "leakrate_rejected_items": [1],
        "leakrate_records": [13],
        "leakrate_scannable_records": [12],
        "leakrate_run_timestamp_seconds": [1796000000.0],
        "leakrate_day_timestamp_seconds": [1795910400.0],
    }


def test_the_text_format_of_node_exporter_reads_it_too() -> None:
    text = openmetrics([row(model=HOSTILE)], COVERAGE, finished=1.0, day=None)
    names = {sample.name for family in prometheus_families(text) for sample in family.samples}
    assert "leakrate_turn_leak_ratio" in names


def test_hostile_labels_stay_inside_their_label() -> None:
    text = openmetrics([row(model=HOSTILE)], [], finished=1.0, day=None)
    assert "\u202e" not in text
    samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
    turns = [sample for sample in samples if sample.name == "leakrate_turns"]
    assert len(turns) == 1
    assert turns[0].labels["model"] == 'a"} 1\\u000aleakrate_turns{x="\\\\u202e'


def test_cuts_and_silent_rules_are_left_out() -> None:
    silent = row(measure_kind="rule", measure="reasoning-marker-in-content", leaked_turns=0)
    text = openmetrics([row(cut="stream"), silent], [], finished=1.0, day=None)
    assert "qwen3" not in text


def test_names_that_begin_alike_are_two_samples() -> None:
    names = [f"{'long/' * 40}{end}" for end in ("a", "b")]
    text = openmetrics([row(model=name) for name in names], [], finished=1.0, day=None)
    samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
    assert [sample.labels["model"] for sample in samples if sample.name == "leakrate_turns"] == names

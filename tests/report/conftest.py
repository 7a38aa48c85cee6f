"""A fortnight of made-up rates with an upgrade in the middle, and one hostile deployment."""

from typing import Any

import pyarrow as pa
import pytest

from pipelines.report import ReportInput
from pipelines.schema import COVERAGE, RATE

HOSTILE = "<script>document.title='owned'</script>=cmd()\u202egnp" + "x" * 300
ADVICE = {
    "reasoning-marker-in-content": {
        "title": "A reasoning marker reached the visible answer.",
        "why": "The parser did not strip it.",
        "misses": "Families without markers.",
        "false_alarms": "Quoted code is skipped.",
        "layers": "engine parser, chat template",
        "action": "Set the reasoning parser together with the tool-call parser.",
        "verify": "See whether the raw text contains the end tag.",
    }
}


def rate_row(**given: Any) -> dict[str, Any]:
    """One RATE row; what is not given is a plain default, the interval is a third up and down."""
    row: dict[str, Any] = {
        "day": "2026-11-01",
        "gateway": "litellm",
        "engine": "vllm",
        "engine_version": "0.32.0",
        "model": "qwen3-32b",
        "model_version": "unknown",
        "template_version": "v1",
        "cut": "all",
        "cut_value": "all",
        "measure_kind": "symptom",
        "measure": "reasoning_leak",
        "measure_version": "1",
        "tier": "rule",
        "turns": 1000,
        "leaked_turns": 0,
        "conversations": 400,
    } | given
    turns, leaked = row["turns"], row["leaked_turns"]
    share = leaked / turns if turns else None
    row.setdefault("leaked_conversations", min(leaked, row["conversations"]))
    row.setdefault("responses", turns)
    row.setdefault(
        "conversation_rate", row["leaked_conversations"] / row["conversations"] if row["conversations"] else None
    )
    row.setdefault("rate", share)
    row.setdefault("response_rate", share)
    row.setdefault("low", share * 0.67 if leaked >= 3 else None)
    row.setdefault("high", None if share is None else share * 1.4 + 0.004)
    row.setdefault("reason", None if leaked >= 3 else "too_few_leaking_conversations")
    return {name: row.get(name) for name in RATE.names}


@pytest.fixture
def report_input() -> ReportInput:
    """qwen3-32b leaks 0.5 % until 2026-11-09 and 5 % from 2026-11-10 on, when vLLM changes from 0.32.0 to 0.33.0."""
    daily = []
    for day in range(1, 15):
        name = f"2026-11-{day:02d}"
        version, leaked = ("0.32.0", 5) if day < 10 else ("0.33.0", 50)
        daily.append(rate_row(day=name, engine_version=version, leaked_turns=leaked))
        daily.append(rate_row(day=name, model="gpt-oss-120b", engine="sglang", engine_version="0.5.23"))
    worst = {"day": "all", "engine_version": "0.33.0", "leaked_turns": 250, "turns": 5000, "conversations": 2000}
    pooled = [
        rate_row(**worst),
        rate_row(**worst, measure_kind="rule", measure="reasoning-marker-in-content"),
        rate_row(**worst, cut="stream", cut_value="true") | {"turns": 3000, "rate": 0.08},
        rate_row(**worst, cut="stream", cut_value="false") | {"turns": 2000, "rate": 0.005, "leaked_turns": 10},
        rate_row(day="all", leaked_turns=45, turns=9000, conversations=3600),
        rate_row(
            day="all", model="gpt-oss-120b", engine="sglang", engine_version="0.5.23", turns=14000, conversations=5600
        ),
        rate_row(day="all", model=HOSTILE, template_version="=1+1", leaked_turns=7, turns=800, measure="raw_tool_call"),
    ]
    coverage = {name: 0 for name in COVERAGE.names if name not in ("source_uri", "format", "detail")} | {
        "source_uri": HOSTILE,
        "format": "litellm",
        "items": 30100,
        "accepted": 30000,
        "rejected": 60,
        "skipped": 40,
        "records": 30000,
        "scannable": 29500,
        "detail": [("skipped.failed", 40), (HOSTILE, 1)],
    }
    place = {name: pooled[0][name] for name in RATE.names[1:7]}
    finding = place | {
        "rule_id": "reasoning-marker-in-content",
        "symptom": "reasoning_leak",
        "tier": "rule",
        "repair": "strip",
        "layer_hint": "engine_parser",
        "configured": False,
        "findings": 250,
    }
    return ReportInput(
        title="Leak report, 2026-11-01 to 2026-11-14",
        pooled=pa.Table.from_pylist(pooled, schema=RATE),
        daily=pa.Table.from_pylist(daily, schema=RATE),
        coverage=pa.Table.from_pylist([coverage], schema=COVERAGE),
        findings=pa.Table.from_pylist([finding]),
        advice=ADVICE,
        versions={"leakrate": "0.1.0"},
    )

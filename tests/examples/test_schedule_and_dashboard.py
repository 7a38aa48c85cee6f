"""The CronJob fits the schema of Kubernetes, the dashboard that of Grafana, and both name only what exists."""

import json
import re
from importlib import resources
from typing import Any

import kubernetes_validate
import pytest
import yaml
from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.models.dashboard import Dashboard

from pipelines.metrics import COVERAGE_METRICS, RATE_METRICS

EXAMPLES = resources.files("pipelines.examples")
METRICS = {*RATE_METRICS, *COVERAGE_METRICS, "leakrate_run_timestamp_seconds", "leakrate_day_timestamp_seconds"}


@pytest.fixture
def cronjob() -> dict[str, Any]:
    document: dict[str, Any] = yaml.safe_load(EXAMPLES.joinpath("cronjob.yaml").read_text(encoding="utf-8"))
    return document


def test_cronjob_fits_its_schema(cronjob: dict[str, Any]) -> None:
    kubernetes_validate.validate(cronjob, "1.34", strict=True)


def test_a_broken_cronjob_does_not(cronjob: dict[str, Any]) -> None:
    cronjob["spec"]["schedul"] = cronjob["spec"].pop("schedule")
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(cronjob, "1.34", strict=True)


def test_cronjob_command_line_is_understood(cronjob: dict[str, Any]) -> None:
    from pipelines.cli.run import command

    container = cronjob["spec"]["jobTemplate"]["spec"]["template"]["spec"]["containers"][0]
    arguments = container["args"]
    assert arguments[0] == "run"
    given = command.make_context("run", list(arguments[1:]), resilient_parsing=False).params
    assert given["store"] == "/store"
    assert given["lookback"] == 2


def test_dashboard_survives_its_typed_model() -> None:
    document = json.loads(EXAMPLES.joinpath("grafana_dashboard.json").read_text(encoding="utf-8"))
    typed = Dashboard.from_json(document)
    assert [panel.title for panel in typed.panels or []] == [panel["title"] for panel in document["panels"]]
    again = json.loads(JSONEncoder(sort_keys=True).encode(typed))
    assert again["templating"]["list"][0]["name"] == document["templating"]["list"][0]["name"] == "datasource"


def test_dashboard_asks_for_metrics_that_are_written() -> None:
    text = EXAMPLES.joinpath("grafana_dashboard.json").read_text(encoding="utf-8")
    asked = set(re.findall(r"leakrate_[a-z_]+", text))
    assert asked
    assert asked <= METRICS

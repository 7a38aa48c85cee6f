"""The workflow fits the schema of GitHub Actions, the AnalysisTemplates that of Argo Rollouts, and their command lines are understood."""

import json
import shlex
import tomllib
from importlib import resources
from typing import Any

import jsonschema
import kubernetes_validate
import pytest
import yaml

from pipelines.cli import group
from pipelines.gate import Policy, read_policy

EXAMPLES = resources.files("pipelines.examples")
TEXT = {"type": "string"}
DURATION = {"type": "string", "pattern": "^[0-9]+[smh]$"}
COUNT = {"type": "integer", "minimum": 0}


def closed(required: tuple[str, ...], **properties: object) -> dict[str, object]:
    return {"type": "object", "additionalProperties": False, "required": list(required), "properties": properties}


METRIC = closed(
    ("name", "provider"),
    name=TEXT,
    initialDelay=DURATION,
    interval=DURATION,
    count=COUNT,
    failureLimit=COUNT,
    inconclusiveLimit=COUNT,
    consecutiveErrorLimit=COUNT,
    provider=closed(("job",), job=closed(("spec",), metadata={"type": "object"}, spec={"type": "object"})),
)
ANALYSIS_TEMPLATE = closed(
    ("apiVersion", "kind", "metadata", "spec"),
    apiVersion={"const": "argoproj.io/v1alpha1"},
    kind={"const": "AnalysisTemplate"},
    metadata=closed(("name",), name=TEXT),
    spec=closed(
        ("metrics",),
        args={"type": "array", "items": closed(("name",), name=TEXT, value=TEXT)},
        metrics={"type": "array", "minItems": 1, "items": METRIC},
    ),
)
"""The part of the resource that a job metric uses (argoproj.github.io/argo-rollouts, analysis, read 2026-11-30)."""


def documents(name: str) -> list[dict[str, Any]]:
    return list(yaml.safe_load_all(EXAMPLES.joinpath(name).read_text(encoding="utf-8")))


def understood(line: list[str]) -> dict[str, Any]:
    """The options that a command line gives; fails where the command would refuse it."""
    command = group.get_command(None, line[0])  # type: ignore[arg-type]
    assert command is not None, line
    return command.make_context(line[0], line[1:]).params


@pytest.fixture(scope="module")
def workflow_schema() -> jsonschema.Draft7Validator:
    vendor = resources.files("check_jsonschema") / "builtin_schemas" / "vendor" / "github-workflows.json"
    return jsonschema.Draft7Validator(json.loads(vendor.read_text(encoding="utf-8")))


def test_the_workflow_fits_its_schema(workflow_schema: jsonschema.Draft7Validator) -> None:
    (workflow,) = documents("github_gate.yaml")
    # YAML 1.1 reads the key `on` as true
    workflow["on"] = workflow.pop(True)
    workflow_schema.validate(workflow)
    workflow["jobs"]["gate"]["runs_on"] = workflow["jobs"]["gate"].pop("runs-on")
    assert not workflow_schema.is_valid(workflow)


def test_the_workflow_s_command_lines_are_understood() -> None:
    (workflow,) = documents("github_gate.yaml")
    steps = workflow["jobs"]["gate"]["steps"]
    lines = [shlex.split(step["run"]) for step in steps if step.get("run", "").startswith("leakrate ")]
    run, gate = (understood(line[1:]) for line in lines)
    assert list(gate["candidates"]) == [run["output"]]
    written = [step for step in steps if step.get("name") == "Step summary"]
    assert gate["markdown"] in written[0]["run"]
    assert "$GITHUB_STEP_SUMMARY" in written[0]["run"]


def job_of(template: dict[str, Any]) -> dict[str, Any]:
    spec = template["spec"]["metrics"][0]["provider"]["job"]["spec"]
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "x"}, "spec": spec}


@pytest.mark.parametrize("index", [0, 1], ids=["watch", "promote"])
def test_the_analysis_templates_fit_their_schemas(index: int) -> None:
    template = documents("argo_analysis.yaml")[index]
    jsonschema.validate(template, ANALYSIS_TEMPLATE)
    job = job_of(template)
    kubernetes_validate.validate(job, "1.34", strict=True)
    job["spec"]["template"]["spec"]["containers"][0]["arguments"] = []
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(job, "1.34", strict=True)


@pytest.mark.parametrize("index", [0, 1], ids=["watch", "promote"])
def test_the_analysis_templates_command_lines_are_understood(index: int) -> None:
    template = documents("argo_analysis.yaml")[index]
    pod = job_of(template)["spec"]["template"]["spec"]
    arguments = list(pod["initContainers"][0]["args"])
    names = {argument["name"] for argument in template["spec"]["args"]}
    assert [part for part in arguments if "{{" in part] == [f"{{{{args.{name}}}}}" for name in names]
    container = pod["containers"][0]
    line = container["args"]
    if container.get("command") == ["sh", "-c"]:
        command, _, tolerated = line[0].partition(" || ")
        assert tolerated == "[ $? -eq 4 ]"
        line = shlex.split(command)[1:]
    run, gate = understood(arguments), understood(line)
    assert list(gate["candidates"]) == [run["output"]]
    mounted = {mount["mountPath"] for mount in container["volumeMounts"]}
    assert {"/" + file.split("/")[1] for file in (gate["baseline"], run["output"])} <= mounted
    assert gate["policy_file"].rsplit("/", 1)[0] in mounted


def test_the_example_policy_is_the_default_but_for_its_mode() -> None:
    text = EXAMPLES.joinpath("gate_policy.toml").read_text(encoding="utf-8")
    assert read_policy(text, "gate_policy.toml") == Policy(mode="sequential")
    assert set(tomllib.loads(text)) == set(Policy.__dataclass_fields__) - {"models", "waivers"}
    waiver = "\n".join(line[2:] for line in text.splitlines() if line.startswith(("# [", "# fi", "# re", "# ex")))
    assert len(read_policy(waiver, "gate_policy.toml").waivers) == 1

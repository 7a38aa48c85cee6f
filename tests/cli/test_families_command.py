"""`leakrate families`: the table, one family, an unknown name, and names that want to play with the terminal."""

import json

import pytest
from click.testing import CliRunner

from pipelines.cli.families import command
from pipelines.families import FAMILIES


def run(*arguments: str) -> str:
    result = CliRunner().invoke(command, arguments)
    assert result.exit_code == 0, result.output
    return result.output


def test_without_a_name_every_family_has_a_line() -> None:
    output = run()
    for family in FAMILIES:
        assert any(line.startswith(f"{family.name} ") for line in output.splitlines())
    assert f"{len(FAMILIES)} families" in output


@pytest.mark.parametrize(
    ("model_id", "words"),
    [
        (
            "hosted_vllm/deepseek-ai/DeepSeek-V3.1",
            [
                "is of the family deepseek-v3.1",
                '"<think>" … "</think>"',
                "yes, off by default",
                "vLLM: thinking or enable_thinking",
                "--reasoning-parser deepseek_v3",
                "--tool-call-parser deepseek_v31",
                "--reasoning-parser deepseek-v3",
                "the template drops earlier reasoning",
            ],
        ),
        (
            "gemma-4-31B-it",
            [
                '"<|channel>thought\\n" … "<channel|>"',
                'leaves "thought\\n"',
                "gemma_call",
                "gemma4: since 0.21.0 (not in 0.18.1)",
            ],
        ),
        ("deepseek-v4-pro", ["yes, on by default (SGLang: off by default)"]),
        ("Qwen2.5-7B-Instruct", ["is of the family qwen2.5", "does not reason", "--tool-call-parser hermes"]),
        ("CodeLlama-34b", ["does not reason", "no tool-call parser known"]),
        ("apriel-1.5", ["no reasoning parser known"]),
        ("gpt-5.4", ["no marker in the output"]),
    ],
)
def test_one_family_is_told_whole(model_id: str, words: list[str]) -> None:
    output = run(model_id)
    for word in words:
        assert word in output


def test_an_unknown_name_says_how_it_is_judged_and_what_is_near() -> None:
    output = run("kimi")
    assert "names no known family" in output and "markers of all families" in output
    assert "kimi-k2-thinking" in output


@pytest.mark.parametrize("model_id", ["[bold]qwen3[/bold]", "evil\x1b[31m", "evil\u202ebot", "a\nb"])
def test_a_hostile_name_is_spelled_out(model_id: str) -> None:
    first = run(model_id).splitlines()[0]
    assert "\x1b" not in first and "\u202e" not in first
    assert first.startswith(model_id.split("\x1b")[0].split("\u202e")[0].split("\n")[0])


def test_json_holds_the_same_facts() -> None:
    found = json.loads(run("--json", "Qwen/Qwen3-32B"))
    assert found["id"] == "Qwen/Qwen3-32B"
    assert found["family"]["reasoning_start"] == ["<think>"]
    assert json.loads(run("--json", "no-such-model"))["family"] is None
    assert len(json.loads(run("--json"))) == len(FAMILIES)


def test_a_providers_prefix_says_nothing_of_the_model_as_in_a_run() -> None:
    assert "mistral/my-lora names no known family" in run("mistral/my-lora")
    assert "is of the family mistral-reasoning" in run("mistral/magistral-medium-latest")
    assert json.loads(run("--json", "deepseek/night-desk")) == {"id": "deepseek/night-desk", "family": None}

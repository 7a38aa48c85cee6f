"""Thinking mode of a turn: the request's variables, its effort, the server's default, the family's."""

import pytest

from pipelines.deployments import thinking_mode
from pipelines.families import UNKNOWN_FAMILY, by_name
from pipelines.schema import Identity, Record


def mode(
    *,
    variables: dict[str, object] | None = None,
    effort: str | None = None,
    server: bool | None = None,
    family: str | None = None,
    engine: str = "vllm",
) -> str:
    record = Record(
        source_id="1", source_uri="u", source_pos=0, chat_template_kwargs=variables, reasoning_effort=effort
    )
    return thinking_mode(record, Identity(server_thinking=server, engine=engine), by_name(family) if family else None)


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({"enable_thinking": True}, "on"),
        ({"enable_thinking": False}, "off"),
        ({"thinking": True}, "on"),
        ({"thinking": False}, "off"),
        ({"enable_thinking": "false"}, "off"),
        ({"thinking_mode": "enabled"}, "on"),
        ({"thinking_mode": "disabled"}, "off"),
        ({"thinking_mode": "adaptive"}, "unknown"),
        ({"thinking": {"type": "disabled"}}, "off"),
        ({"enable_thinking": False, "thinking": True}, "off"),
        ({"enable_thinking": None, "thinking": True}, "on"),
        ({"reasoning_effort": "none"}, "off"),
        ({"reasoning_effort": 7}, "on"),  # no effort that can be read: the family's default
        ({"add_generation_prompt": True}, "on"),
        ({}, "on"),
    ],
)
def test_template_variables_of_the_request_come_first(variables: dict[str, object], expected: str) -> None:
    assert mode(variables=variables, family="qwen3") == expected


@pytest.mark.parametrize(
    ("effort", "expected"),
    [
        ("low", "on"),
        ("medium", "on"),
        ("high", "on"),
        ("xhigh", "on"),
        ("none", "off"),
        ("NONE", "off"),
        ("no_think", "off"),
        ("", "off"),
        ("auto", "off"),
        ("default", "off"),
        ("adaptive", "off"),  # left to the model, so it asks for nothing
        (None, "off"),
    ],
)
def test_an_effort_comes_before_the_defaults(effort: str | None, expected: str) -> None:
    assert mode(effort=effort, family="deepseek-v3.1") == expected


def test_the_order_is_variables_effort_server_family() -> None:
    assert mode(variables={"thinking": False}, effort="high", server=True, family="qwen3") == "off"
    assert mode(effort="none", server=True, family="qwen3") == "off"
    assert mode(server=False, family="qwen3") == "off"
    assert mode(server=True, family="deepseek-v3.1") == "on"


@pytest.mark.parametrize(
    ("family", "engine", "expected"),
    [
        ("qwen3", "vllm", "on"),
        ("deepseek-r1", "vllm", "on"),
        ("deepseek-v3.1", "vllm", "off"),
        ("qwen2.5", "vllm", "off"),
        ("flint", "vllm", "unknown"),  # decides turn by turn
        ("claude", "unknown", "unknown"),
        ("deepseek-v4", "vllm", "on"),
        ("deepseek-v4", "sglang", "off"),  # SGLang counts an unset switch as off
        ("unknown", "vllm", "unknown"),
        (None, "vllm", "unknown"),
    ],
)
def test_the_family_s_default_comes_last(family: str | None, engine: str, expected: str) -> None:
    assert mode(family=family, engine=engine) == expected


def test_the_unknown_family_has_no_default() -> None:
    record = Record(source_id="1", source_uri="u", source_pos=0)
    assert thinking_mode(record, Identity(), UNKNOWN_FAMILY) == "unknown"

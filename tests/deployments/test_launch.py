"""Launch flags of vLLM and SGLang in the ways in which people type them."""

import pytest

from pipelines.deployments.launch import Launch, read_launch


def fields(launch: Launch, **expected: object) -> dict[str, object]:
    return {name: getattr(launch, name) for name in expected}


CASES: list[tuple[str | list[str], dict[str, object]]] = [
    (
        "vllm serve Qwen/Qwen3-32B --reasoning-parser qwen3 --enable-auto-tool-choice --tool-call-parser hermes",
        {
            "engine": "vllm",
            "model": "Qwen/Qwen3-32B",
            "reasoning_parser": "qwen3",
            "tool_call_parser": "hermes",
            "auto_tool_choice": True,
            "speculative_decoding": "off",
            "async_scheduling": "unknown",
            "thinking": None,
            "complete": True,
        },
    ),
    ("--reasoning-parser=qwen3 --tool-call-parser=hermes", {"reasoning_parser": "qwen3", "tool_call_parser": "hermes"}),
    ("--reasoning_parser qwen3 --tool_call_parser=hermes", {"reasoning_parser": "qwen3", "tool_call_parser": "hermes"}),
    ("--reasoning-parser qwen3 --reasoning-parser deepseek_r1", {"reasoning_parser": "deepseek_r1"}),
    ("vllm serve --port 8000 --model a/b", {"model": "a/b", "auto_tool_choice": False, "reasoning_parser": None}),
    ("vllm serve \\\n  a/b \\\n  --reasoning-parser qwen3\n", {"model": "a/b", "reasoning_parser": "qwen3"}),
    ("/opt/venv/bin/vllm serve a/b", {"engine": "vllm", "model": "a/b"}),
    ("python -m vllm.entrypoints.openai.api_server --model a/b", {"engine": "vllm", "model": "a/b"}),
    (
        "/usr/bin/python3 -m sglang.launch_server --model-path a/b --speculative-algorithm EAGLE3 --reasoning-parser qwen3",
        {"engine": "sglang", "model": "a/b", "speculative_decoding": "on", "auto_tool_choice": None},
    ),
    (["a/b", "--tool-call-parser", "hermes"], {"model": "a/b", "tool_call_parser": "hermes", "engine": None}),
    ("--default-chat-template-kwargs '{\"enable_thinking\": false}'", {"thinking": False}),
    (['--default-chat-template-kwargs={"thinking":true}'], {"thinking": True}),
    ("--default-chat-template-kwargs.enable_thinking false", {"thinking": False}),
    ("--default-chat-template-kwargs.enable_thinking=True", {"thinking": True}),
    ("--default_chat_template_kwargs.thinking true", {"thinking": True}),
    ('--default-chat-template-kwargs \'{"reasoning_effort": "none"}\'', {"thinking": False}),
    (
        '--reasoning-config \'{"reasoning_start_str": "<think>", "reasoning_end_str": "I will answer.</think>"}\'',
        {"reasoning_start_str": "<think>", "reasoning_end_str": "I will answer.</think>"},
    ),
    (
        "--structured-outputs-config.enable_in_reasoning=True --structured-outputs-config.backend guidance",
        {"enable_in_reasoning": True, "structured_backend": "guidance"},
    ),
    ("--structured-outputs-config '{\"enable_in_reasoning\": false}'", {"enable_in_reasoning": False}),
    ("--grammar-backend xgrammar", {"structured_backend": "xgrammar"}),
    ('--speculative-config \'{"method": "mtp", "num_speculative_tokens": 1}\'', {"speculative_decoding": "on"}),
    ("--speculative-config.method mtp", {"speculative_decoding": "on"}),
    ("--async-scheduling", {"async_scheduling": "on"}),
    ("--no-async-scheduling", {"async_scheduling": "off"}),
    ("--disable-overlap-schedule", {"async_scheduling": "off"}),
    ("--no-enable-auto-tool-choice", {"auto_tool_choice": False}),
    ("--enable-auto-tool-choice --revision main", {"auto_tool_choice": True, "revision": "main"}),
    ("--chat-template ./qwen.jinja", {"chat_template": "./qwen.jinja"}),
    ("--config serve.yaml", {"complete": False, "speculative_decoding": "unknown"}),
    ("VLLM_USE_RUST_FRONTEND=1 vllm serve a/b", {"frontend": "rust", "engine": "vllm", "model": "a/b"}),
    (
        ["/bin/bash", "-lc", "cd /srv && vllm serve a/b --reasoning-parser qwen3"],
        {"engine": "vllm", "model": "a/b", "reasoning_parser": "qwen3"},
    ),
    ("sh -c 'vllm serve a/b --reasoning-parser qwen3'", {"model": "a/b", "reasoning_parser": "qwen3"}),
    (
        "docker run --gpus all -e VLLM_USE_RUST_FRONTEND=1 vllm/vllm-openai:v0.33.0 --model a/b --reasoning-parser qwen3",
        {"engine": "vllm", "engine_version": "0.33.0", "frontend": "rust", "model": "a/b", "reasoning_parser": "qwen3"},
    ),
    (
        "docker run lmsysorg/sglang:v0.5.23-cu129 python3 -m sglang.launch_server",
        {"engine": "sglang", "engine_version": "0.5.23"},
    ),
    ("env VLLM_USE_RUST_FRONTEND=0 vllm serve a/b", {"frontend": "python"}),
    ("--seed -1 --max-model-len 32768", {"flags": {"seed": "-1", "max-model-len": "32768"}}),
    ("-tp 4 --trust-remote-code", {"flags": {"trust-remote-code": None}}),
    ("", {"engine": None, "model": None, "flags": {}}),
]


@pytest.mark.parametrize(("args", "expected"), CASES)
def test_flags_are_read_as_typed(args: str | list[str], expected: dict[str, object]) -> None:
    assert fields(read_launch(args), **expected) == expected


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ("--reasoning-parser", "--reasoning-parser needs a value"),
        ("--tool-call-parser=", "--tool-call-parser needs a value"),
        (
            '--default-chat-template-kwargs={"thinking":true}',
            "--default-chat-template-kwargs needs a JSON object, in single",
        ),
        ("--speculative-config '[1]'", "--speculative-config needs a JSON object"),
        ("--chat-template 'qwen.jinja", "the quotes do not close"),
    ],
)
def test_a_flag_that_cannot_be_read_is_named(args: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_launch(args)

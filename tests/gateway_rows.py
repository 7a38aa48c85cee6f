"""LiteLLM payload rows and pair rows for tests of the machinery: enough of each to be judged, a new call each."""

import json
from collections.abc import Iterable
from pathlib import Path

LEAKING = "<think>The grower wants a height.</think>\nPlan for two metres."
CLEAN = "Plan for two metres, and check the knots in spring."
START = 1796043303.0


def payload(
    number: int, content: str | None = CLEAN, *, session: str | None = None, **changes: object
) -> dict[str, object]:
    """A LiteLLM row; its call id and time follow from its number."""
    call = f"{number:08x}-0000-4000-8000-000000000000"
    return {
        "id": f"chatcmpl-{number}",
        "litellm_call_id": call,
        "trace_id": session or call,
        "session_id": "",
        "call_type": "acompletion",
        "stream": None,
        "status": "success",
        "custom_llm_provider": "hosted_vllm",
        "startTime": START + number,
        "endTime": START + number + 1,
        "completionStartTime": START + number,
        "model": "hosted_vllm/Qwen/Qwen3-8B",
        "metadata": {"user_api_key_hash": "key", "requester_metadata": {"team": "desk"}},
        "api_base": "http://engine:8000/v1",
        "model_group": "desk",
        "model_id": "dep-a",
        "messages": [{"role": "user", "content": f"How tall is trellis {session or number}?"}],
        "response": {
            "id": f"chatcmpl-{number}",
            "created": int(START),
            "model": "desk",
            "object": "chat.completion",
            "system_fingerprint": "vllm-0.33.0-tp1-1f0c9ab2",
            "choices": [
                {
                    "finish_reason": "stop",
                    "index": 0,
                    "message": {
                        "role": "assistant",
                        "content": content,
                        "tool_calls": None,
                        "reasoning_content": "Height.",
                    },
                    "provider_specific_fields": {"stop_reason": None, "token_ids": None},
                }
            ],
            "usage": {"prompt_tokens": 9, "completion_tokens": 12, "total_tokens": 21},
        },
        "model_parameters": {"temperature": 0.6},
        **changes,
    }


def pair(number: int, content: str | None = CLEAN, **metadata: str) -> dict[str, object]:
    """A row of the pair format."""
    return {
        "id": f"pair-{number}",
        "time": START + number,
        "request": {"model": "Qwen/Qwen3-8B", "messages": [{"role": "user", "content": f"Question {number}"}]},
        "response": {
            "id": f"r{number}",
            "object": "chat.completion",
            "model": "Qwen/Qwen3-8B",
            "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": content}}],
        },
        "metadata": {"engine": "vllm", **metadata},
    }


def lines(rows: Iterable[object]) -> bytes:
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def write_log(folder: Path, name: str, rows: Iterable[object]) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(lines(rows))
    return path

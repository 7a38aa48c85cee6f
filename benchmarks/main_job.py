"""CPU seconds of the main job against tuned DuckDB on one file of LiteLLM rows; memory at two sizes; time until the first shard starts.

    python benchmarks/main_job.py --gigabytes 3 --rounds 3

Both read the same plain JSONL with one thread, in turn, within the same minute. DuckDB matches twelve tokens in the answer and groups;
leakrate runs all its rules and writes its whole output. CPU seconds (user and system, of the whole process tree) are compared, since
neighbours disturb wall time. The rows are made from a seed: untrimmed, some 13 KB each, 1.5 % of them with a leak.
"""

import compileall
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import click

TOKENS = (
    "<|im_start|>",
    "<|im_end|>",
    "<|endoftext|>",
    "<|eot_id|>",
    "<|start_header_id|>",
    "<|python_tag|>",
    "<tool_call>",
    "</tool_call>",
    "[TOOL_CALLS]",
    "[INST]",
    "<think>",
    "</think>",
)
_WORDS = (
    "the a of to and in that it is for on with as was at by be this have from or had not are but what all were when we there can "
    "more which their will would about if out so up into than them only other time new some could these two may then do first any "
    "now such like our over most made after also before must through years where much way well back down should because long each "
    "harbour trellis bean tide engine ladder copper window garden kettle letter market winter bridge signal pepper ribbon"
)
WORDS = tuple(_WORDS.split())
MODELS = (
    ("harbor-reasoner", "hosted_vllm/Qwen/Qwen3-32B", "dep-a", "vllm-0.33.0-tp2-1f0c9ab2"),
    ("harbor-fast", "hosted_vllm/Qwen/Qwen2.5-7B-Instruct", "dep-b", "vllm-0.31.0-tp1-77aa01bc"),
    ("harbor-large", "hosted_vllm/deepseek-ai/DeepSeek-R1-0528", "dep-c", None),
    ("harbor-oss", "hosted_vllm/openai/gpt-oss-120b", "dep-d", "vllm-0.33.0-tp4-0c11d2ef"),
)
TOOL = {
    "type": "function",
    "function": {
        "name": "find_part",
        "description": "Look a part up in the store",
        "parameters": {"type": "object", "properties": {"number": {"type": "string"}, "shelf": {"type": "integer"}}},
    },
}
PRICES = {
    f"{kind}_cost_per_{unit}{tier}": None
    for kind in (
        "input",
        "output",
        "cache_read_input",
        "cache_creation_input",
        "output_reasoning",
        "input_audio",
        "output_audio",
        "input_image",
        "input_video",
    )
    for unit in ("token", "character", "second")
    for tier in ("", "_batches", "_flex", "_priority", "_above_128k_tokens")
}
DUCKDB = """
SELECT model_group, model, {flags}, count(*) AS n FROM (
  SELECT model_group, model, response.choices[1].message.content AS content FROM read_json('{path}', format='newline_delimited',
    columns={{model_group: 'VARCHAR', model: 'VARCHAR', response: 'STRUCT(choices STRUCT(message STRUCT("content" VARCHAR))[])'}})
) GROUP BY ALL
"""


def prose(rng: random.Random, words: int) -> str:
    """Sentences of invented text, with the quotes, line ends and now and then the code that real answers have."""
    parts = []
    while words > 0:
        sentence = " ".join(
            [rng.choice(WORDS[-20:]), *rng.choices(WORDS, k=min(words, rng.randint(5, 18)))]
        ).capitalize()
        parts.append(sentence + rng.choice((". ", ". ", ".\n", ' "As they say". ', ".\n\n- ")))
        words -= 18
    if rng.random() < 0.08:
        parts.append('\n```html\n<div class="note"><b>' + " ".join(rng.choices(WORDS, k=6)) + "</b></div>\n```\n")
    return "".join(parts)


def leak(rng: random.Random, answer: str) -> str:
    return rng.choice(
        (
            f"<think>{prose(rng, 40)}</think>\n{answer}",
            f"{prose(rng, 40)}</think>\n\n{answer}",
            f'{answer}<tool_call>\n{{"name": "find_part", "arguments": {{"number": "A7"}}}}\n</tool_call>',
            f"{answer}<|im_end|>",
            f"analysis{prose(rng, 30)}assistantfinal{answer}",
        )
    )


def row(rng: random.Random, number: int) -> dict[str, object]:
    """One untrimmed row of LiteLLM's standard logging payload."""
    group, model, deployment, fingerprint = MODELS[rng.randrange(len(MODELS))]
    stream = rng.random() < 0.5
    answer = prose(rng, rng.randint(30, 250))
    if rng.random() < 0.015:
        answer = leak(rng, answer)
    history = [{"role": "system", "content": prose(rng, 40)}]
    for _ in range(rng.randint(0, 2)):
        history += [{"role": "user", "content": prose(rng, 30)}, {"role": "assistant", "content": prose(rng, 80)}]
    history.append({"role": "user", "content": prose(rng, 30)})
    identity, started = f"{rng.getrandbits(128):032x}", 1796043303.0 + number * 0.05
    parameters: dict[str, object] = {"temperature": 0.6, "stream": stream, "max_tokens": 1200}
    if rng.random() < 0.2:
        parameters |= {"tools": [TOOL], "tool_choice": "auto"}
    message: dict[str, object] = {"content": answer, "role": "assistant", "tool_calls": None, "function_call": None}
    choice: dict[str, object] = {"finish_reason": "stop", "index": 0, "message": message, "logprobs": None}
    if rng.random() < 0.6:
        message["reasoning_content"] = prose(rng, rng.randint(20, 200))
    if not stream:
        choice["provider_specific_fields"] = {"token_ids": None, "stop_reason": None}
        message["provider_specific_fields"] = {"reasoning": message.get("reasoning_content"), "refusal": None}
    usage = {"completion_tokens": len(answer) // 4, "prompt_tokens": 400, "total_tokens": 400 + len(answer) // 4}
    return {
        "id": f"chatcmpl-{identity}",
        "litellm_call_id": f"{identity[:8]}-{identity[8:12]}-{identity[12:16]}-{identity[16:20]}-{identity[20:]}",
        "trace_id": f"session-{number // 4}",
        "session_id": "",
        "call_type": "acompletion",
        "cache_hit": None,
        "stream": stream or None,
        "status": "success",
        "status_fields": {"llm_api_status": "success", "guardrail_status": "not_run"},
        "custom_llm_provider": "hosted_vllm",
        "startTime": started,
        "endTime": started + 3,
        "completionStartTime": started + 1,
        "model": model,
        "metadata": {
            "user_api_key_hash": f"key-{number % 40}",
            **{
                f"user_api_key_{name}": None
                for name in ("alias", "spend", "max_budget", "user_id", "team_id", "org_id", "project_id")
            },
            "requester_metadata": {"team": "desk", "headers": {"host": "gateway", "user-agent": "python-httpx/0.28.1"}},
            "applied_guardrails": [],
            "usage_object": usage,
        },
        "cost_breakdown": {f"{name}_cost": 0.0 for name in ("input", "output", "total", "tool_usage")},
        "request_tags": ["User-Agent: python-httpx", "User-Agent: python-httpx/0.28.1"],
        "api_base": "http://10.0.0.7:8000/v1/chat/completions",
        "model_group": group,
        "model_id": deployment,
        "messages": history,
        "response": {
            "id": f"chatcmpl-{identity}",
            "created": int(started),
            "model": group,
            "object": "chat.completion",
            "system_fingerprint": None if stream else fingerprint,
            "choices": [choice],
            "usage": usage,
        },
        "model_parameters": parameters,
        "hidden_params": {"model_id": deployment, "litellm_model_name": model, "response_cost": 0.0},
        "model_map_information": {"model_map_key": model, "model_map_value": {"key": model, **PRICES}},
    }


def generate(path: Path, gigabytes: float) -> None:
    """A file of that size: a pool of rows, written with a new id, session and time each."""
    rng = random.Random(7)
    pool = [json.dumps(row(rng, number)) for number in range(3000)]
    number, size, limit = 0, 0, int(gigabytes * 1e9)
    with path.open("w") as file:
        while size < limit:
            text = pool[number % len(pool)]
            old = text[17:49]
            text = text.replace(old, f"{number:032x}").replace(
                f"{old[:8]}-{old[8:12]}-{old[12:16]}-{old[16:20]}-{old[20:]}", f"call-{number}"
            )
            text = text.replace('"session-', f'"session-{number // len(pool)}-', 1)
            size += file.write(text + "\n")
            number += 1


def measure(command: list[str], **environment: str) -> tuple[float, float, float]:
    """CPU seconds of the process tree, wall seconds, and the largest resident memory of one process in MB."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    process = subprocess.Popen(command, env={**os.environ, **environment}, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    wall, peak = time.monotonic() - started, usage.ru_maxrss / 1024
    if os.waitstatus_to_exitcode(status) not in (0,):
        raise SystemExit(f"{command[:4]} ended with {os.waitstatus_to_exitcode(status)}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall, peak


def duckdb_command(path: Path) -> list[str]:
    flags = ", ".join(
        f"sum(regexp_matches(content, '{_escaped(token)}')::INT) AS t{index}" for index, token in enumerate(TOKENS)
    )
    query = DUCKDB.format(flags=flags, path=path)
    code = f"import duckdb; c = duckdb.connect(); c.execute('SET threads = 1'); print(len(c.execute({query!r}).fetchall()))"
    return [sys.executable, "-c", code]


def _escaped(token: str) -> str:
    return "".join(f"\\{sign}" if sign in "|[]" else sign for sign in token)


def leakrate_command(path: Path, output: Path, workers: int = 1) -> list[str]:
    return [
        sys.executable,
        "-m",
        "pipelines",
        "run",
        str(path),
        "--output",
        str(output),
        "--workers",
        str(workers),
        "--quiet",
        "--fresh",
    ]


def first_shard(path: Path, output: Path) -> float:
    """Seconds from the start of the process to the first shard's."""
    code = (
        "import sys, time; from pipelines.cli import main; from pipelines.local import Local; real = Local.shards\n"
        "def told(*a, **k): print(time.time(), flush=True); raise KeyboardInterrupt\n"
        "def shards(*a, **k):\n"
        "    from pipelines import shard; shard.process_shard = told; return real(*a, **k)\n"
        "Local.shards = shards; sys.argv[0] = 'leakrate'; main()"
    )
    started = time.time()
    arguments = leakrate_command(path, output)[3:]
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False)
    return float(done.stdout.split()[0]) - started


@click.command()
@click.option("--gigabytes", default=3.0, show_default=True)
@click.option("--rounds", default=3, show_default=True)
def main(gigabytes: float, rounds: int) -> None:
    """Print one line per measurement, then the ratio of the medians."""
    # As in an installed package; otherwise each start compiles what was edited.
    for package in ("pipelines", "classifier"):
        compileall.compile_dir(Path(__file__).parents[1] / package, quiet=1)
    with tempfile.TemporaryDirectory() as folder:
        small, large, output = Path(folder) / "small.jsonl", Path(folder) / "large.jsonl", Path(folder) / "out"
        generate(small, gigabytes / 10)
        generate(large, gigabytes)
        print(f"first shard after {min(first_shard(small, output) for _ in range(3)):.2f} s")
        for path in (small, large):
            cpu: dict[str, list[float]] = {"leakrate": [], "duckdb": []}
            for _ in range(rounds):
                for name, command in (("leakrate", leakrate_command(path, output)), ("duckdb", duckdb_command(path))):
                    seconds, wall, peak = measure(command)
                    cpu[name].append(seconds)
                    rate = path.stat().st_size / 1e6 / seconds
                    print(
                        f"{path.stat().st_size / 1e9:.2f} GB {name:8} {seconds:6.2f} cpu s {wall:6.2f} s {rate:6.0f} MB/s {peak:5.0f} MB"
                    )
            middle = {name: sorted(values)[len(values) // 2] for name, values in cpu.items()}
            print(
                f"{path.stat().st_size / 1e9:.2f} GB: leakrate has {middle['duckdb'] / middle['leakrate']:.2f} times DuckDB's throughput"
            )


if __name__ == "__main__":
    main()

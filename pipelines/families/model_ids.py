"""The pattern that a model id matches first, and the id without the name of the provider that a gateway put before it."""

import re

LONGEST_ID = 512
"""Longer ids are cut to their end, so that matching stays cheap whatever a log holds."""

PROVIDERS = frozenset(
    {
        "ai21",
        "ai21_chat",
        "aiml",
        "aiohttp_openai",
        "anthropic",
        "anthropic_text",
        "azure",
        "azure_ai",
        "azure_text",
        "baseten",
        "bedrock",
        "bedrock_mantle",
        "cerebras",
        "chutes",
        "cloudflare",
        "codestral",
        "cohere",
        "cohere_chat",
        "cometapi",
        "compactifai",
        "custom",
        "custom_openai",
        "dashscope",
        "databricks",
        "deepinfra",
        "deepseek",
        "docker_model_runner",
        "featherless_ai",
        "fireworks_ai",
        "friendliai",
        "gemini",
        "gigachat",
        "github",
        "github_copilot",
        "gradient_ai",
        "groq",
        "heroku",
        "hosted_vllm",
        "huggingface",
        "hyperbolic",
        "infinity",
        "lambda_ai",
        "lemonade",
        "litellm_proxy",
        "llamafile",
        "lm_studio",
        "meta_llama",
        "minimax",
        "mistral",
        "modelscope",
        "moonshot",
        "nano-gpt",
        "nebius",
        "novita",
        "nscale",
        "nvidia_nim",
        "oci",
        "ollama",
        "ollama_chat",
        "oobabooga",
        "openai",
        "openai_like",
        "openrouter",
        "ovhcloud",
        "parasail",
        "perplexity",
        "poe",
        "predibase",
        "publicai",
        "replicate",
        "sagemaker",
        "sagemaker_chat",
        "sambanova",
        "scaleway",
        "sglang",
        "snowflake",
        "synthetic",
        "tensormesh",
        "text-completion-codestral",
        "text-completion-openai",
        "together_ai",
        "triton",
        "vercel_ai_gateway",
        "vertex_ai",
        "vertex_ai_beta",
        "vllm",
        "volcengine",
        "wandb",
        "watsonx",
        "watsonx_text",
        "xai",
        "xiaomi_mimo",
        "xinference",
        "zai",
    }
)
"""Prefixes that route a request and are no part of the model's name (LiteLLM's `provider/model`, read 2026-11-30)."""

_BEDROCK_ROUTES = ("converse", "converse_like", "invoke")
_REGION = re.compile(r"[a-z]{2}(-[a-z]+)+-\d")


def strip_provider(model_id: str) -> str:
    """The id without the known provider prefixes (`hosted_vllm/`, `bedrock/converse/`); an organisation's name stays."""
    provider, slash, rest = model_id.partition("/")
    while slash and rest and provider.lower() in PROVIDERS:
        model_id = rest
        if provider.lower() == "bedrock":
            model_id = _strip_bedrock_route(rest)
        provider, slash, rest = model_id.partition("/")
    return model_id


def _strip_bedrock_route(model_id: str) -> str:
    head, slash, rest = model_id.partition("/")
    while slash and rest and (head in _BEDROCK_ROUTES or _REGION.fullmatch(head)):
        model_id = rest
        head, slash, rest = model_id.partition("/")
    return model_id


def compile_patterns(patterns: tuple[tuple[str, str], ...]) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """(name, compiled pattern) in the same order. `re` and not a linear engine: our own patterns look behind, ids are short."""
    return tuple((name, re.compile(pattern, re.IGNORECASE)) for name, pattern in patterns)


def first_match(patterns: tuple[tuple[str, re.Pattern[str]], ...], model_id: str) -> str | None:
    """Name of the first pattern found in the id's last path segment, else in the whole id, else with "_" read as "-"."""
    model_id = model_id[-LONGEST_ID:].strip().rstrip("/")
    last = model_id.rpartition("/")[2]
    for candidate in dict.fromkeys((last, model_id, last.replace("_", "-"), model_id.replace("_", "-"))):
        for name, pattern in patterns:
            if pattern.search(candidate):
                return name
    return None

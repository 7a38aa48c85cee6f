"""The pattern that a model id matches first, and the id without the name of the provider that a gateway put before it."""

import re

LONGEST_ID = 512
"""Longer ids are cut to their end, so that matching stays cheap whatever a log holds."""

PROVIDERS = frozenset(
    {"hosted_vllm", "vllm", "sglang", "openai", "openai_like", "custom_openai", "custom", "aiohttp_openai", "text-completion-openai", "litellm_proxy", "azure", "azure_ai", "azure_text", "bedrock", "bedrock_mantle", "sagemaker", "sagemaker_chat", "vertex_ai", "vertex_ai_beta", "gemini", "anthropic", "anthropic_text", "together_ai", "fireworks_ai", "groq", "deepinfra", "openrouter", "huggingface", "replicate", "perplexity", "cerebras", "sambanova", "novita", "nebius", "hyperbolic", "lambda_ai", "watsonx", "watsonx_text", "databricks", "snowflake", "oci", "nvidia_nim", "triton", "xinference", "llamafile", "lm_studio", "ollama", "ollama_chat", "docker_model_runner", "lemonade", "oobabooga", "friendliai", "featherless_ai", "baseten", "predibase", "wandb", "nscale", "chutes", "parasail", "ovhcloud", "scaleway", "github", "github_copilot", "heroku", "gradient_ai", "aiml", "cometapi", "vercel_ai_gateway", "cloudflare", "dashscope", "modelscope", "moonshot", "volcengine", "deepseek", "mistral", "codestral", "text-completion-codestral", "cohere", "cohere_chat", "ai21", "ai21_chat", "gigachat", "minimax", "xiaomi_mimo", "xai", "zai", "meta_llama", "infinity", "compactifai", "nano-gpt", "poe", "synthetic", "publicai", "tensormesh"]
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

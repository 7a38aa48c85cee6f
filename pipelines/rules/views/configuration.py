"""What the deployment or the request asks for, so that markers in the content are by configuration and no fault.

Sources: parser sources of vLLM 0.33.0 and SGLang 0.5.23, read 2026-11-30.
"""

from pipelines.schema import Identity, Record

_APPEND = ("append_think", "append-think")
_IDENTITY_WITHOUT_THINKING = frozenset(
    {"deepseek_v3", "deepseek-v3", "deepseek_v31", "holo2", "poolside_v1", "hy_v3", "hy_v4"}
)
"""Parsers that hand the text on untouched when thinking is off, tags included."""
_IDENTITY_WITHOUT_STREAM = frozenset({"glm45", "glm47", "ling3"})
"""Parsers that do so only without streaming. (`qwen3` does too, but its hybrids leak for other reasons as well.)"""


def parser_of(record: Record, identity: Identity) -> str:
    return record.reasoning_parser or identity.reasoning_parser


def keeps_reasoning_in_content(record: Record, identity: Identity) -> bool:
    """Whether thoughts belong in the content: append-think parsers, `separate_reasoning: false`, the text completions API."""
    if record.separate_reasoning is False or record.api == "completions":
        return True
    return any(name in parser_of(record, identity) for name in _APPEND)


def passes_text_unchanged(record: Record, identity: Identity) -> bool:
    """Whether the reasoning parser is an identity because the request switched thinking off."""
    if not thinking_switched_off(record):
        return False
    parser = parser_of(record, identity)
    return parser in _IDENTITY_WITHOUT_THINKING or (parser in _IDENTITY_WITHOUT_STREAM and not record.stream)


def thinking_switched_off(record: Record) -> bool:
    """Whether the request says in so many words that the model shall not think."""
    kwargs = record.chat_template_kwargs or {}
    named = [kwargs[name] for name in ("enable_thinking", "thinking") if name in kwargs]
    return (
        any(value is False for value in named)
        or kwargs.get("thinking_mode") == "off"
        or record.reasoning_effort == "none"
    )


def is_written_by_gateway(record: Record, start: int) -> bool:
    """Whether the pair that begins there is the one that the gateway wrote around the engine's reasoning, which it merges into the
    content (LiteLLM's `merge_reasoning_content_in_choices`)."""
    return start == 0 and "think_inserted" in record.gateway_rewrites


def moves_reasoning_into_empty_content(record: Record) -> bool:
    """`force_nonempty_content`: when the answer is empty the reasoning is moved into the content."""
    return bool((record.chat_template_kwargs or {}).get("force_nonempty_content"))

"""FAMILIES: what every model family writes around reasoning and tool calls, and which family a model id belongs to."""

import msgspec


class Family(msgspec.Struct, frozen=True, kw_only=True):
    """One table of a vendor's TOML file: markers, parsers, thinking and history of one model family."""

    name: str
    vendor: str
    model_name_patterns: tuple[str, ...]
    reasons: bool
    reasoning_start: tuple[str, ...] = ()
    reasoning_end: tuple[str, ...] = ()
    start_prefilled: bool | None = None
    """The template writes the opening marker into the prompt, so that output begins inside the reasoning; None: by mode."""
    thinking_default: str = "unknown"
    """on | off | always | none | unknown"""
    thinking_switch: str | None = None
    history_reasoning: str = "unknown"
    history_reasoning_field: str | None = None
    vllm_reasoning_parsers: tuple[str, ...] = ()
    sglang_reasoning_parsers: tuple[str, ...] = ()
    vllm_tool_parsers: tuple[str, ...] = ()
    sglang_tool_parsers: tuple[str, ...] = ()
    call_markers: tuple[str, ...] = ()
    call_syntaxes: tuple[str, ...] = ()
    """Names of the call syntaxes that the family writes (pipelines/rules/call_syntax)."""
    example_call: str | None = None
    special_tokens: tuple[str, ...] = ()
    markers_are_special: bool | None = None
    residue: tuple[str, ...] = ()
    """Literals that remain of the markers when special tokens are stripped."""
    residue_note: str | None = None
    notes: str = ""
    unverified: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()


UNKNOWN_FAMILY = Family(name="unknown", vendor="unknown", model_name_patterns=(), reasons=True)

FAMILIES: tuple[Family, ...] = ()

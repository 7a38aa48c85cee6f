"""What is known of one model family: the value that every table of the vendors' TOML files becomes."""

from typing import Literal

import msgspec

ThinkingDefault = Literal["on", "off", "always", "adaptive", "none", "unknown"]
"""`adaptive`: the model decides turn by turn; `none`: the family does not reason."""

HistoryRule = Literal["kept", "dropped_except_tool_turns", "dropped_by_template", "in_content_only", "none", "unknown"]
"""What the chat template does with reasoning that a client sends back: `kept` renders all turns,
`dropped_except_tool_turns` only what follows the last user turn, `in_content_only` has no field for it and renders
content as sent, `none` where the family does not reason."""

CallSyntax = Literal[
    "json_in_tool_call",
    "json_in_tool_calls",
    "xml_function_parameter",
    "named_function_param",
    "glm_arg_key",
    "invoke_wrapper",
    "prefixed_invoke",
    "dsml",
    "deepseek_token_frame",
    "kimi_token_frame",
    "kimi_channels",
    "mistral_tool_calls",
    "internlm_action",
    "cohere_action",
    "command_r_action",
    "apertus_tools",
    "solar_tool_call",
    "solar_tool_arg",
    "plamo_tool_request",
    "toolcall_array",
    "granite_tool_call",
    "harmony_commentary",
    "harmony_parameters",
    "inkling_invoke",
    "python_calls",
    "python_tool_code",
    "olmo_function_calls",
    "bare_json",
    "functools_array",
    "gemma_call",
    "gigachat_function_call",
    "hyperclovax_function_call",
    "functionary_function",
    "functionary_recipient",
]
CALL_SYNTAXES: tuple[str, ...] = CallSyntax.__args__  # type: ignore[attr-defined]


class ParserVersion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """When a vLLM parser appeared: the newest release read that lacks it, and the oldest read that has it."""

    name: str
    absent_in: str
    seen_in: str


class Family(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One table of a vendor's TOML file: markers, parsers, thinking and history of one model family."""

    name: str
    vendor: str = ""
    """Filled from the head of the file."""
    model_name_patterns: tuple[str, ...]
    reasons: bool
    reasoning_start: tuple[str, ...] = ()
    reasoning_end: tuple[str, ...] = ()
    """Closing markers in the order of the opening ones; see `reasoning_pairs`."""
    answer_wrapper: tuple[str, ...] = ()
    """Tags that the model writes around its answer, behind the reasoning."""
    start_prefilled: bool | None = None
    """The template writes the opening marker into the prompt, so that output begins inside the reasoning; None: by mode."""
    thinking_default: ThinkingDefault = "unknown"
    thinking_default_sglang: ThinkingDefault | None = None
    """Only where SGLang takes an unset switch otherwise than vLLM and the template."""
    thinking_switch: str | None = None
    history_reasoning: HistoryRule = "unknown"
    history_reasoning_fields: tuple[str, ...] = ()
    """Message fields from which the template takes earlier reasoning, best first."""
    history_splits_content: bool | None = None
    """Reasoning glued into earlier `content` is split off by the template; False: it is rendered as answer text."""
    history_note: str | None = None
    vllm_reasoning_parsers: tuple[str, ...] = ()
    sglang_reasoning_parsers: tuple[str, ...] = ()
    vllm_tool_parsers: tuple[str, ...] = ()
    sglang_tool_parsers: tuple[str, ...] = ()
    vllm_parser_versions: tuple[ParserVersion, ...] = ()
    """Only for parsers that came with the family; the others are older than every release read."""
    call_syntaxes: tuple[CallSyntax, ...] = ()
    """How the family writes tool calls, most usual first."""
    call_markers: tuple[str, ...] = ()
    """Literals that frame a call; a syntax without any (bare JSON, Python calls) is named in `call_syntaxes` only."""
    example_call: str | None = None
    special_tokens: tuple[str, ...] = ()
    markers_are_special: bool | None = None
    """The engine removes the markers when it decodes with `skip_special_tokens`."""
    residue: tuple[str, ...] = ()
    """Literals that remain of the markers when special tokens are stripped."""
    residue_note: str | None = None
    notes: str = ""
    unverified: tuple[str, ...] = ()
    """Facts that come from inference or general knowledge, not from a source that was read."""
    sources: str = ""
    """Where the facts were read, one source a line."""

    @property
    def reasoning_pairs(self) -> tuple[tuple[str, str], ...]:
        """(opening, closing) markers that belong together; the last closing marker serves all further openings."""
        ends = self.reasoning_end
        return tuple((start, ends[min(i, len(ends) - 1)]) for i, start in enumerate(self.reasoning_start) if ends)


class Vendor(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One vendor's TOML file; the order of its families is the order in which they are tried."""

    vendor: str
    family: tuple[Family, ...]

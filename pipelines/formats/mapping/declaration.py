"""Declaration: what a mapping file says, and the words that may stand in one."""

from dataclasses import dataclass, field
from typing import Any

from pipelines.formats.mapping.paths import Path

DECODERS = ("none", "json", "json_if_string", "python_literal", "base64", "sse", "otlp_any")
UNITS = ("auto", "s", "ms", "us", "ns")
FIELDS = (
    *("source_id", "call_id", "response_id", "trace_id", "conversation", "caller", "time"),
    *("gateway_version", "provider", "api_base", "model_id", "model_requested", "model_deployed", "fingerprint"),
    *("api", "stream", "request", "parameters", "messages", "instructions", "tools", "tool_choice", "response_format"),
    *("stop", "max_tokens", "reasoning_effort", "separate_reasoning"),
    *("response", "content", "reasoning", "tool_calls", "finish_reason", "stop_detail", "raw_text"),
    *("input_tokens", "output_tokens", "reasoning_tokens"),
)
DIMS = (
    *("engine", "engine_version", "model", "model_version", "template_version", "gateway", "gateway_version"),
    *("reasoning_parser", "tool_call_parser", "conversation", "request_id", "observation_point", "flattened_from"),
    "reasoning_end_str",
)
DROPPABLE = ("reasoning", "tool_calls", "finish_reason", "tools", "messages")
STATES = ("external_ref", "encrypted", "redacted", "truncated")
ACTIONS = ("strip", "regenerate", "rescue", "cap_exceeded")
ASSEMBLERS = ("engine", "gateway", "client")
TABLES = ("fields", "dims", "keep", "decode", "redaction", "join", "remediation", "states")
TOP = (
    *("name", "title", "gateway", "recognise", "explode", "weight", "error", "assembled_by", "join_only"),
    *("request_is_whole", "drops", "shows", "sources"),
    *TABLES,
)
SHOWS = ("content", "reasoning", "tool_calls", "tools", "messages", "chunks", "raw_text", "finish_reason", "time")


@dataclass(frozen=True, slots=True)
class Selector:
    """One way to a value: a path, its decoder, a regular expression for what is found; or a constant; or a part of the file's URI."""

    path: Path = ()
    decode: str = "none"
    regex: Any = None
    constant: object = None
    from_uri: bool = False
    unit: str = "auto"
    dialect: str | None = None
    translate: dict[str, object] = field(default_factory=dict)
    """The log's word → the value that it means; other words mean nothing."""
    then: object = None
    """What a found path means, whatever stands there."""
    wrap: str | None = None
    """The key under which the value becomes an object again."""
    when: tuple["Condition", ...] = ()
    """Rows for which the selector speaks at all."""


@dataclass(frozen=True, slots=True)
class Condition:
    """Rows whose value at `path` is one of `values`; of those to keep, a row without the value passes."""

    path: Path
    values: tuple[object, ...]
    reason: str = "filtered"


@dataclass(frozen=True, slots=True)
class Drop:
    """Fields that rows of this kind cannot show."""

    fields: tuple[str, ...]
    when: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class Declaration:
    """A whole mapping file; each field lists its selectors, the first that finds something wins."""

    name: str
    title: str
    fields: dict[str, tuple[Selector, ...]]
    recognise: tuple[tuple[Path, ...], ...]
    """For each entry, the paths of which a row has at least one."""
    decode: tuple[tuple[Path, str], ...] = ()
    gateway: str | None = None
    explode: Path = ()
    dims: dict[str, tuple[Selector, ...]] = field(default_factory=dict)
    keep: tuple[Condition, ...] = ()
    drops: tuple[Drop, ...] = ()
    states: dict[str, tuple[Selector, ...]] = field(default_factory=dict)
    redaction_equals: tuple[str, ...] = ()
    redaction_contains: tuple[str, ...] = ()
    weight: tuple[Selector, ...] = ()
    error: tuple[Selector, ...] = ()
    join_on: tuple[Selector, ...] = ()
    join_only: bool = False
    remediation_actions: tuple[Selector, ...] = ()
    remediation_tokens: tuple[Selector, ...] = ()
    remediation_words: dict[str, str] = field(default_factory=dict)
    assembled_by: str | None = None
    request_is_whole: bool = True
    shows: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()

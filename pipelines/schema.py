"""The tables and the record that flow through leakrate; read this first.

RECORD is a typed struct that lives inside one shard and holds text. REJECT, DETECTION, TURN, DUPLICATE, COUNT, USAGE,
RATE, VERDICT and COVERAGE are Arrow schemas; from TURN on, a table holds names and numbers only, so what is published cannot leak.
"""

from typing import Literal

import msgspec
import pyarrow as pa

UNKNOWN = "unknown"
OPENING_START = "\x01"
"""Stands for the start of a text in the openings that rules look for."""

GROUP = ("day", "gateway", "engine", "engine_version", "model", "model_version", "template_version")
"""What a rate is published for; every value is a string, "unknown" where the log does not say."""

CUTS = (
    "stream",
    "stop_set",
    "stream_stop",
    "structured_output",
    "tools_requested",
    "after_tool_result",
    "thinking_mode",
    "reasoning_effort",
    "reasoning_parser",
    "tool_call_parser",
    "parsers",
    "speculative_decoding",
    "async_scheduling",
    "frontend",
    "endpoint",
    "context_length",
    "conversation_length",
    "observation_point",
    "served_model",
    "reasoning_field",
    "script",
)
"""The ways to split a GROUP further, one at a time; pairs that matter (stream × stop, both parsers) are cuts themselves.

`conversation_length` is known only when a conversation has been seen whole, so `fold` fills it; the others come with the turn.
"""

Symptom = Literal[
    "reasoning_leak",
    "boundary_token",
    "raw_tool_call",
    "tool_call_in_reasoning",
    "tool_args_invalid",
    "preamble",
    "misrouted_answer",
    "structured_invalid",
    "truncated_reasoning",
    "stream_loss",
    "field_contract",
    "commentary_leak",
    "history_contamination",
]
SYMPTOMS: tuple[str, ...] = Symptom.__args__  # type: ignore[attr-defined]

LAYERS = ("model", "chat_template", "engine_parser", "api_contract", "client", "gateway")
TIERS = ("rule", "heuristic", "classifier")
STATUSES = ("preview", "stable", "deprecated")
CHANNELS = ("content", "reasoning", "tool_calls", "messages", "stream")
REPAIRS = ("strip", "regenerate", "rescue", "none")

ContentState = Literal[
    "text", "null", "empty", "absent", "redacted", "truncated", "external_ref", "encrypted", "shuffled"
]
"""`shuffled`: texts of several choices glued in arrival order, so that nothing in it can be judged."""
FieldState = Literal["present", "empty", "dropped_by_format", "redacted"]
"""`empty`: the format would show it and there was none; `dropped_by_format`: the format cannot show it."""
RequestState = Literal["present", "none", "unknown"]
"""`none`: the log shows that the request had none of it; `unknown`: the log does not show the request (or this part)."""


class ToolCall(msgspec.Struct, gc=False):
    """One structured call. `arguments` is JSON text as sent; an object in the log is written back to compact JSON."""

    name: str | None
    arguments: str | None
    id: str | None = None
    type: str = "function"
    index: int | None = None


class Tool(msgspec.Struct, gc=False):
    """One tool offered by the request; `parameters` is its JSON Schema, None where the log has none."""

    name: str
    parameters: dict[str, object] | None = None
    type: str = "function"


class Message(msgspec.Struct, gc=False):
    """One message of the request's history; `content` is its text parts joined, "" where it had none."""

    role: str
    content: str = ""
    reasoning: str | None = None
    reasoning_field: str | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None
    phase: str | None = None
    kind: str = "message"
    """message, or for Responses items: reasoning, function_call, function_call_output; for Claude blocks: thinking."""


class Part(msgspec.Struct, gc=False):
    """One visible part of an answer: `record.content[start:end]` (code points)."""

    start: int
    end: int
    phase: str | None = None
    """Responses `phase` (commentary, final_answer) or harmony channel; None where the API or the row has none."""
    item: int = 0


class Delta(msgspec.Struct, gc=False):
    """One stream event of this choice, in order of arrival; None where the event has no such key (or null)."""

    content: str | None = None
    reasoning: str | None = None
    reasoning_content: str | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    finish_reason: str | None = None


class Usage(msgspec.Struct, gc=False):
    """Tokens as reported; `estimated` when the gateway counted the reasoning itself."""

    input: int | None = None
    output: int | None = None
    reasoning: int | None = None
    estimated: bool = False


class Remediation(msgspec.Struct, gc=False):
    """One action of a remediation layer that the gateway logged."""

    action: str
    """strip | regenerate | rescue | cap_exceeded"""
    extra_tokens: int = 0


class Record(msgspec.Struct, gc=False, kw_only=True):
    """RECORD: one choice of one response, with text. Lives inside one shard and is never written.

    None always means "the log does not say"; an empty value means "the log says: none". Everything a rule may look at is here.
    """

    # identity: source_id, turn key, conversation, position
    source_id: str
    source_uri: str
    source_pos: int
    choice: int = 0
    call_id: str | None = None
    """What makes the call count once; None: nothing does, so (uri, position) is used."""
    response_id: str | None = None
    """The id inside the response body: rows of the engine's own log meet the gateway's row by it."""
    trace_id: str | None = None
    """Groups attempts (retries, fallbacks) of one request."""
    conversation: str | None = None
    conversation_source: str = "none"
    """declared | session | trace | response_chain | first_message | caller_hour | none: how the conversation was found."""
    previous_response_id: str | None = None
    caller: str | None = None
    time: float | None = None
    """Start, seconds since 1970 UTC."""
    format: str = UNKNOWN
    sampling_fraction: float = 1.0

    # where it ran, as far as the log says (the deployment history completes it)
    gateway: str | None = None
    gateway_version: str | None = None
    observation_point: str | None = None
    provider: str | None = None
    api_base: str | None = None
    model_id: str | None = None
    model_requested: str | None = None
    model_deployed: str | None = None
    model: str | None = None
    """Declared by the log's own metadata; wins over deployed and requested."""
    model_version: str | None = None
    engine: str | None = None
    engine_version: str | None = None
    template_version: str | None = None
    reasoning_parser: str | None = None
    tool_call_parser: str | None = None
    reasoning_end_str: str | None = None
    flattened_from: str | None = None

    # request
    api: str = UNKNOWN
    """chat | completions | responses | messages | converse"""
    stream: bool | None = None
    messages: tuple[Message, ...] | None = None
    position: int = 0
    """Assistant messages already in the request + 1; 0 where the request does not show them. Also on light records."""
    last_role: str | None = None
    """Role of the request's last message (tool: a turn after a tool result). Also on light records."""
    instructions: str | None = None
    tools: tuple[Tool, ...] | None = None
    """None: unknown; (): the request had none."""
    tool_choice: str | None = None
    """auto | none | required | the name of the forced tool"""
    response_format: dict[str, object] | None = None
    """Requested format in OpenAI's form: {"type": "json_object"} or {"type": "json_schema", "json_schema": {"schema": …}};
    for guided decoding {"type": "grammar" | "regex" | "choice", …}."""
    response_format_state: RequestState = "unknown"
    stop: tuple[str, ...] | None = None
    max_tokens: int | None = None
    choices_requested: int | None = None
    reasoning_effort: str | None = None
    chat_template_kwargs: dict[str, object] | None = None
    include_reasoning: bool | None = None
    separate_reasoning: bool | None = None
    skip_special_tokens: bool | None = None
    thinking_token_budget: int | None = None

    # response
    finish_reason: str | None = None
    stop_detail: str | None = None
    content: str | None = None
    """All visible parts joined in order, commentary included; spans count its code points."""
    parts: tuple[Part, ...] = ()
    reasoning: str | None = None
    reasoning_fields: dict[str, str] = msgspec.field(default_factory=dict)
    """Every reasoning field of the message by its name, with its text."""
    tool_calls: tuple[ToolCall, ...] = ()
    refusal: str | None = None
    phases: bool = False
    """The API of this row has phases (Responses)."""
    logprobs_text: str | None = None
    """Text of the tokens in logprobs or token ids, where logged."""
    usage: Usage = msgspec.field(default_factory=Usage)
    raw_text: str | None = None
    chunks: tuple[Delta, ...] | None = None
    """The stream events of this choice, as evidence."""
    remediation: tuple[Remediation, ...] = ()
    remediation_visible: bool = False

    # visibility
    content_state: ContentState = "absent"
    reasoning_state: FieldState = "dropped_by_format"
    tool_calls_state: FieldState = "dropped_by_format"
    assembled_by: str = UNKNOWN
    """engine | gateway | client | us: who joined a stream into this message."""
    choices_merged: bool = False
    gateway_rewrites: frozenset[str] = frozenset()
    """think_stripped | think_inserted (either also as …_possible) | model_renamed | finish_reason_made_up | reasoning_dropped | …"""
    ignored_metadata: tuple[str, ...] = ()
    """Keys of the team's own metadata that nothing is read from; coverage counts each once."""
    redacted_leftover: str | None = None
    """A field that a redacted row still holds in clear text (its name, never its text)."""
    body_logged: bool = True
    """The response body is in the log and is not redacted."""
    history_reasoning: bool = False
    """Light records only: some message of the request carries reasoning."""
    light: bool = False
    """Read from the keys only: texts are None although the states say what was there; `messages` is () where the request shows them,
    `reasoning_fields` has the names with empty texts, and `tool_calls` is empty whatever its state."""


class Identity(msgspec.Struct, frozen=True):
    """Where one turn ran, after the deployment history was asked: GROUP but for the day, parsers, flags, family name."""

    gateway: str = UNKNOWN
    gateway_version: str = UNKNOWN
    engine: str = UNKNOWN
    engine_version: str = UNKNOWN
    model: str = UNKNOWN
    model_version: str = UNKNOWN
    template_version: str = UNKNOWN
    served_model: str = UNKNOWN
    family: str = UNKNOWN
    observation_point: str = UNKNOWN
    frontend: str = UNKNOWN
    reasoning_parser: str = UNKNOWN
    """A name, "none" when the launch flags are known and set none, else "unknown"."""
    tool_call_parser: str = UNKNOWN
    auto_tool_choice: bool | None = None
    speculative_decoding: str = UNKNOWN
    """on | off | unknown"""
    async_scheduling: str = UNKNOWN
    server_thinking: bool | None = None
    """Thinking as --default-chat-template-kwargs sets it."""
    reasoning_start_str: str | None = None
    reasoning_end_str: str | None = None
    enable_in_reasoning: bool | None = None
    contradictions: tuple[str, ...] = ()
    """Columns in which log and deployment file disagree (the log won)."""


class Finding(msgspec.Struct, gc=False):
    """One finding of one rule in one turn; becomes a DETECTION row."""

    rule_id: str
    rule_version: int
    tier: str
    status: str
    symptom: str
    channel: str
    start: int
    end: int
    confidence: float
    repair: str
    configured: bool = False
    layer_hint: str = UNKNOWN


class Measure(msgspec.Struct, frozen=True):
    """Something that has a rate. `kind`: rule | symptom | metric; `tier` as in TIERS ("rule" for metrics)."""

    kind: str
    name: str
    version: str
    tier: str


_dictionary = pa.dictionary(pa.int32(), pa.string())


def _strings(names: tuple[str, ...]) -> list[pa.Field]:
    return [pa.field(name, _dictionary, nullable=False) for name in names]


REJECT = pa.schema(
    [
        pa.field("source_uri", pa.string(), nullable=False),
        pa.field("source_pos", pa.int64(), nullable=False),
        pa.field("stage", pa.string(), nullable=False),
        pa.field("code", pa.string(), nullable=False),
        pa.field("message", pa.string(), nullable=False),
    ]
)
"""One item, or one rule run (stage `detect`), that failed. `message` never holds text of the log."""

LOSSES = ("rejected.damaged_file", "rejected.unreadable_file", "rejected.piece_given_up")
"""Counters in the `detail` of COVERAGE of rejects that stand for the rest of a file: how many items that is, nobody knows."""

DETECTION = pa.schema(
    [
        pa.field("source_id", pa.string(), nullable=False),
        pa.field("source_uri", pa.string(), nullable=False),
        pa.field("source_pos", pa.int64(), nullable=False),
        pa.field("choice", pa.int32(), nullable=False),
        pa.field("turn_key", pa.uint64(), nullable=False),
        *_strings(GROUP),
        pa.field("rule_id", _dictionary, nullable=False),
        pa.field("rule_version", pa.int32(), nullable=False),
        pa.field("tier", _dictionary, nullable=False),
        pa.field("status", _dictionary, nullable=False),
        pa.field("symptom", _dictionary, nullable=False),
        pa.field("channel", _dictionary, nullable=False),
        pa.field("start", pa.int64(), nullable=False),
        pa.field("end", pa.int64(), nullable=False),
        pa.field("confidence", pa.float32(), nullable=False),
        pa.field("repair", _dictionary, nullable=False),
        pa.field("configured", pa.bool_(), nullable=False),
        pa.field("layer_hint", _dictionary, nullable=False),
        pa.field("evidence", pa.string(), nullable=True),
    ]
)
"""One finding of one rule; `evidence` is null, a hash or an excerpt, as the run was asked."""

TURN = pa.schema(
    [
        pa.field("turn_key", pa.uint64(), nullable=False),
        pa.field("conversation", pa.uint64(), nullable=False),
        pa.field("conversation_source", _dictionary, nullable=False),
        pa.field("request", pa.uint64(), nullable=False),
        pa.field("source_file", _dictionary, nullable=False),
        pa.field("source_pos", pa.int64(), nullable=False),
        pa.field("choice", pa.int32(), nullable=False),
        pa.field("content_state", _dictionary, nullable=False),
        pa.field("answered", pa.bool_(), nullable=False),
        pa.field("body_logged", pa.bool_(), nullable=False),
        pa.field("time", pa.float64(), nullable=True),
        pa.field("position", pa.int32(), nullable=False),
        *_strings(GROUP),
        *_strings(tuple(cut for cut in CUTS if cut != "conversation_length")),
        pa.field("family", _dictionary, nullable=False),
        pa.field("format", _dictionary, nullable=False),
        pa.field("sampling_fraction", pa.float32(), nullable=False),
        pa.field("output_tokens", pa.int32(), nullable=True),
        pa.field("reasoning_tokens", pa.int32(), nullable=True),
        pa.field("has_reasoning", pa.bool_(), nullable=True),
        pa.field("extra_tokens", pa.int32(), nullable=False),
        pa.field("eligible", pa.dictionary(pa.int32(), pa.binary()), nullable=False),
        pa.field("fired", pa.dictionary(pa.int32(), pa.binary()), nullable=False),
    ]
)
"""One turn without text. `eligible` and `fired` are bit sets, little endian: bit i stands for MEASURES[i], whose order is in
the manifest. `position` is 0 where the request does not show it (then order of time counts). `request` is the hash of the
trace that groups attempts. `source_file` is the URI of the source. `answered` is false for an attempt without an answer."""

DUPLICATE = pa.schema(
    [
        pa.field("turn_key", pa.uint64(), nullable=False),
        pa.field("source_file", _dictionary, nullable=False),
        pa.field("source_pos", pa.int64(), nullable=False),
        pa.field("choice", pa.int32(), nullable=False),
        pa.field("kept_source_file", _dictionary, nullable=False),
        pa.field("kept_source_pos", pa.int64(), nullable=False),
    ]
)
"""One turn that does not count because another with the same turn key does, and where that other one stands."""

COUNT = pa.schema(
    [
        *_strings(GROUP),
        pa.field("cut", _dictionary, nullable=False),
        pa.field("cut_value", _dictionary, nullable=False),
        pa.field("measure_kind", _dictionary, nullable=False),
        pa.field("measure", _dictionary, nullable=False),
        pa.field("measure_version", _dictionary, nullable=False),
        pa.field("tier", _dictionary, nullable=False),
        pa.field("records", pa.int64(), nullable=False),
        pa.field("scannable", pa.int64(), nullable=False),
        pa.field("responses", pa.int64(), nullable=False),
        pa.field("turns", pa.int64(), nullable=False),
        pa.field("leaked_turns", pa.int64(), nullable=False),
        pa.field("estimated_turns", pa.decimal128(38, 6), nullable=False),
        pa.field("estimated_leaked_turns", pa.decimal128(38, 6), nullable=False),
        pa.field("clusters", pa.int64(), nullable=False),
        pa.field("leaked_clusters", pa.int64(), nullable=False),
        pa.field("sum_leaks_squared", pa.int64(), nullable=False),
        pa.field("sum_leaks_turns", pa.int64(), nullable=False),
        pa.field("sum_turns_squared", pa.int64(), nullable=False),
        pa.field("sum_pairs", pa.decimal128(38, 12), nullable=False),
        pa.field("conversations", pa.int64(), nullable=False),
        pa.field("leaked_conversations", pa.int64(), nullable=False),
        pa.field("guessed_conversations", pa.int64(), nullable=False),
        *[pa.field(f"at_risk_{position}", pa.int64(), nullable=False) for position in range(1, 6)],
        *[pa.field(f"first_leaks_{position}", pa.int64(), nullable=False) for position in range(1, 6)],
        pa.field("added_clusters", pa.int64(), nullable=False),
        pa.field("added_leaked_clusters", pa.int64(), nullable=False),
        pa.field("added_leaks_squared", pa.int64(), nullable=False),
        pa.field("added_leaks_turns", pa.int64(), nullable=False),
        pa.field("added_turns_squared", pa.int64(), nullable=False),
        pa.field("added_pairs", pa.decimal128(38, 12), nullable=False),
    ]
)
"""GROUP × cut × measure; every number adds up exactly (decimals, so that no order of adding changes a bit).

In the GROUP of each turn: `records` (turns kept), `scannable` (their content can be judged), `responses` (their body is in
the log), `turns` (could fire), `leaked_turns`, `estimated_*` (weighted by 1 / sampling_fraction), and over the conversations'
parts in this GROUP, with y leaks in m turns: `clusters`, `leaked_clusters`, Σy², Σym, Σm² and `sum_pairs` = Σ y(y−1)/(m−1) over
m ≥ 2.
In the GROUP of the conversation's first turn of the run: `conversations` with a turn that could fire, those that leaked,
`guessed_conversations` (identified by caller and hour only), and for the others, when their first response lies in the run,
`at_risk_j` and `first_leaks_j` by position of the turns that could fire, until the first leak.
A conversation may span days, and squares do not add up: `added_*` is what the day's turns add to the same sums over the
conversation's part in all days so far (the rest of GROUP, and the cut value, alike), so that over all days they give those of
whole conversations; `added_pairs` may be negative.
`records`, `scannable` and `responses` are those of the GROUP and cut value, the same in every row of it."""

USAGE = pa.schema(
    [
        *_strings(GROUP),
        pa.field("thinking_mode", _dictionary, nullable=False),
        pa.field("reasoning_effort", _dictionary, nullable=False),
        pa.field("responses", pa.int64(), nullable=False),
        pa.field("reasoning_known", pa.int64(), nullable=False),
        pa.field("with_reasoning", pa.int64(), nullable=False),
        pa.field("reasoning_tokens_known", pa.int64(), nullable=False),
        pa.field("reasoning_tokens", pa.int64(), nullable=False),
        pa.field("output_tokens_known", pa.int64(), nullable=False),
        pa.field("output_tokens", pa.int64(), nullable=False),
        pa.field("extra_tokens", pa.int64(), nullable=False),
    ]
)
"""GROUP × thinking mode × effort: how many turns reasoned (among those whose log shows it) and tokens; adds up."""

RATE = pa.schema(
    [
        *[pa.field(name, pa.string(), nullable=False) for name in GROUP],
        pa.field("cut", pa.string(), nullable=False),
        pa.field("cut_value", pa.string(), nullable=False),
        pa.field("measure_kind", pa.string(), nullable=False),
        pa.field("measure", pa.string(), nullable=False),
        pa.field("measure_version", pa.string(), nullable=False),
        pa.field("tier", pa.string(), nullable=False),
        pa.field("turns", pa.int64(), nullable=False),
        pa.field("leaked_turns", pa.int64(), nullable=False),
        pa.field("rate", pa.float64()),
        pa.field("low", pa.float64()),
        pa.field("high", pa.float64()),
        pa.field("responses", pa.int64(), nullable=False),
        pa.field("response_rate", pa.float64()),
        pa.field("conversations", pa.int64(), nullable=False),
        pa.field("leaked_conversations", pa.int64(), nullable=False),
        pa.field("conversation_rate", pa.float64()),
        pa.field("conversation_low", pa.float64()),
        pa.field("conversation_high", pa.float64()),
        pa.field("design_effect", pa.float64()),
        pa.field("reason", pa.string()),
        pa.field("precision", pa.float64()),
        pa.field("precision_low", pa.float64()),
        pa.field("precision_high", pa.float64()),
        pa.field("estimated_occurrences", pa.float64()),
        pa.field("definition", pa.string()),
    ]
)
"""COUNT with rates; `definition` says in words what a headline metric counts, of what; null, never 0, on an empty denominator."""

VERDICT = pa.schema(
    [
        pa.field("scope", pa.string(), nullable=False),
        pa.field("dimension", pa.string(), nullable=False),
        pa.field("model", pa.string(), nullable=False),
        pa.field("measure_kind", pa.string(), nullable=False),
        pa.field("measure", pa.string(), nullable=False),
        pa.field("measure_version", pa.string(), nullable=False),
        pa.field("tier", pa.string(), nullable=False),
        pa.field("verdict", pa.string(), nullable=False),
        pa.field("reason", pa.string(), nullable=False),
        pa.field("needed_conversations", pa.int64()),
        pa.field("needed_baseline_conversations", pa.int64()),
        pa.field("against", pa.string(), nullable=False),
        pa.field("turns", pa.int64(), nullable=False),
        pa.field("leaked_turns", pa.int64(), nullable=False),
        pa.field("rate", pa.float64()),
        pa.field("conversations", pa.int64(), nullable=False),
        pa.field("leaked_conversations", pa.int64(), nullable=False),
        pa.field("bound", pa.float64()),
        pa.field("baseline_turns", pa.int64(), nullable=False),
        pa.field("baseline_leaked_turns", pa.int64(), nullable=False),
        pa.field("baseline_rate", pa.float64()),
        pa.field("baseline_conversations", pa.int64(), nullable=False),
        pa.field("baseline_leaked_conversations", pa.int64(), nullable=False),
        pa.field("baseline_bound", pa.float64()),
        pa.field("bar", pa.float64(), nullable=False),
        pa.field("expected_share", pa.float64()),
        pa.field("ratio", pa.float64()),
        pa.field("ratio_low", pa.float64()),
        pa.field("ratio_high", pa.float64()),
        pa.field("first_ratio", pa.float64()),
        pa.field("first_ratio_high", pa.float64()),
        pa.field("rise", pa.float64()),
        pa.field("p_worse", pa.float64()),
        pa.field("p_adjusted", pa.float64()),
        pa.field("p_not_inferior", pa.float64()),
        pa.field("noise_ratio", pa.float64()),
        pa.field("fingerprint", pa.string(), nullable=False),
    ]
)
"""One judged comparison. `scope`: gate (can block) | watch | slice; `verdict`: pass | fail | waived | not_enough_data |
not_applicable for the gate, watch | ok | not_enough_data for the others. `model` is the value of `dimension` that was compared,
`against` what it was compared with: the same value, or all of the baseline where that has no such value. `conversations` are
those whose first response lies in the run, `leaked_conversations` those that leaked within five turns; `bound` is their one-sided
upper bound. `ratio` compares first leaks by position (`first_ratio`: position 1 alone) and has one-sided bounds; `bar` is the
margin. `rise`: leaking conversations more, per conversation. `noise_ratio`: the largest ratio of one accepted run to the others."""

PRECISION = pa.schema(
    [
        pa.field("measure", pa.string(), nullable=False),
        pa.field("measure_version", pa.string(), nullable=False),
        pa.field("labels", pa.int64(), nullable=False),
        pa.field("correct", pa.int64(), nullable=False),
    ]
)
"""One audited rule: findings that a person labelled, and how many of them are leaks."""

COVERAGE = pa.schema(
    [
        pa.field("source_uri", pa.string(), nullable=False),
        pa.field("format", pa.string(), nullable=False),
        *[
            pa.field(name, pa.int64(), nullable=False)
            for name in (
                "items",
                "accepted",
                "blank",
                "rejected",
                "duplicate",
                "skipped",
                "records",
                "scannable",
                "redacted",
                "truncated",
                "merged",
                "reasoning_visible",
                "reasoning_dropped",
                "tool_calls_visible",
                "tools_known",
                "messages_known",
                "raw_text",
                "chunks",
                "family_unknown",
                "time_unknown",
                "outside_window",
                "sampled",
            )
        ],
        pa.field("detail", pa.map_(pa.string(), pa.int64()), nullable=False),
    ]
)
"""One source file and format. `items = accepted + blank + rejected + duplicate + skipped`. `detail` counts by dotted name what has
no column: `skipped.<reason>`, `rejected.<code>`, `conversation.<how found>`, `excluded.<reason>`, `rewritten.<how>`,
`contradiction.<column>`, `ignored_metadata`."""

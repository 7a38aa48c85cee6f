"""The keys of a payload line as typed values; what is not named here is skipped without being decoded.

Types are narrow on purpose: a field of another type ends the light reading, and the line is read in full.
"""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Raw

ABSENT = Raw(b"")
_Count = Annotated[int, Meta(gt=-(1 << 62), lt=1 << 62)]


class NotCommon(Exception):
    """The row has something that only a full reading understands."""


class Turn(msgspec.Struct, gc=False):
    role: str
    content: Raw = ABSENT
    type: Literal["message"] | None = None
    reasoning_content: Raw = ABSENT
    reasoning: Raw = ABSENT
    thinking: Raw = ABSENT
    thinking_blocks: Raw = ABSENT


class OwnFields(msgspec.Struct, gc=False):
    stop_reason: Raw = ABSENT
    matched_stop: Raw = ABSENT
    token_ids: Raw = ABSENT


class MessageFields(msgspec.Struct, gc=False):
    reasoning: Raw = ABSENT


class Answered(msgspec.Struct, gc=False):
    content: Raw = ABSENT
    reasoning_content: Raw = ABSENT
    reasoning: Raw = ABSENT
    thinking: Raw = ABSENT
    tool_calls: Raw = ABSENT
    function_call: None = None
    refusal: None = None
    provider_specific_fields: MessageFields | None = None


class Choice(msgspec.Struct, gc=False):
    message: Answered
    index: Annotated[int, Meta(ge=0, lt=1 << 31)] | None = None
    finish_reason: str | None = None
    stop_reason: None = None
    matched_stop: None = None
    provider_specific_fields: OwnFields | None = None


class Details(msgspec.Struct, gc=False):
    reasoning_tokens: _Count | None = None
    text_tokens: _Count | None = None


class Tokens(msgspec.Struct, gc=False):
    prompt_tokens: _Count | None = None
    completion_tokens: _Count | None = None
    completion_tokens_details: Details | None = None
    reasoning_tokens: _Count | None = None


class Weights(msgspec.Struct, gc=False):
    weight_version: str | None = None


class Response(msgspec.Struct, gc=False):
    choices: list[Choice]
    id: str | None = None
    model: str | None = None
    system_fingerprint: str | None = None
    usage: Tokens | None = None
    metadata: Weights | None = None


class Metadata(msgspec.Struct, gc=False):
    requester_metadata: Raw = ABSENT
    spend_logs_metadata: Raw = ABSENT
    requester_custom_headers: Raw = ABSENT
    user_api_key_hash: str | None = None
    user_api_key_request_route: str | None = None


class Hidden(msgspec.Struct, gc=False):
    litellm_model_name: str | None = None
    api_base: str | None = None


class Row(msgspec.Struct, gc=False):
    """One answered call; fields that only an uncommon row fills may be nothing but null."""

    id: str
    call_type: str
    status: str
    startTime: float | str
    response: Response
    model_parameters: Raw
    messages: list[Turn]
    litellm_call_id: str
    trace_id: str | None = None
    session_id: str | None = None
    stream: bool | None = None
    cache_hit: bool | None = None
    error_str: None = None
    custom_llm_provider: str | None = None
    api_base: str | None = None
    model: str | None = None
    model_group: str | None = None
    model_id: str | None = None
    end_user: str | None = None
    request_tags: Raw = ABSENT
    metadata: Metadata = msgspec.field(default_factory=Metadata)
    hidden_params: Hidden | None = None
    guardrail_information: None = None
    standard_logging_object: None = None
    proxy_server_request: None = None


_decode = msgspec.json.Decoder(Row).decode


def read_row(line: bytes | memoryview) -> Row:
    """The keys of the line; msgspec.MsgspecError where it is no common payload."""
    return _decode(line)

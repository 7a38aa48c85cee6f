"""The bodies that gateways log, each recognised by its shape and read into the same values.

`read_body(body)` is all an envelope needs: objects, lists of stream events, JSON or SSE in a string, or plain text. `read_request`
reads the request body of any of these APIs. A dialect is a module with `recognise(body) -> bool` and `read(body) -> Body`; neither
raises on data. The order matters: the first that recognises a body reads it.
"""

from collections.abc import Callable
from dataclasses import dataclass

from pipelines.formats._dialects import (
    anthropic_events,
    anthropic_message,
    bedrock_converse,
    genai_parts,
    openai_chat,
    openai_chunks,
    openai_message,
    openai_responses,
    openai_text,
    plain_text,
    responses_events,
)
from pipelines.formats._dialects.body import Answer, Body, Request
from pipelines.formats._dialects.events import is_event_text, read_events
from pipelines.formats._dialects.request import read_parameters, read_request
from pipelines.formats.values import decoded

__all__ = ["DIALECTS", "Answer", "Body", "Dialect", "Request", "read_body", "read_parameters", "read_request"]


@dataclass(frozen=True, slots=True)
class Dialect:
    """One body dialect: whether a body has its shape, and what it says."""

    name: str
    recognise: Callable[[object], bool]
    read: Callable[[object], Body]


DIALECTS: tuple[Dialect, ...] = (
    Dialect("openai_chat", openai_chat.recognise, openai_chat.read),
    Dialect("openai_text", openai_text.recognise, openai_text.read),
    Dialect("openai_responses", openai_responses.recognise, openai_responses.read),
    Dialect("anthropic_message", anthropic_message.recognise, anthropic_message.read),
    Dialect("openai_chunks", openai_chunks.recognise, openai_chunks.read),
    Dialect("responses_events", responses_events.recognise, responses_events.read),
    Dialect("anthropic_events", anthropic_events.recognise, anthropic_events.read),
    Dialect("bedrock_converse", bedrock_converse.recognise, bedrock_converse.read),
    Dialect("genai_parts", genai_parts.recognise, genai_parts.read),
    Dialect("openai_message", openai_message.recognise, openai_message.read),
    Dialect("plain_text", plain_text.recognise, plain_text.read),
)


def read_body(body: object, dialect: str | None = None) -> Body | None:
    """The body read in the named dialect, else in the first that recognises it; None: nobody does."""
    if dialect == "plain_text":
        return plain_text.read(body)
    opened = opened_body(body)
    for candidate in DIALECTS:
        if candidate.name == dialect or (dialect is None and candidate.recognise(opened)):
            return candidate.read(opened)
    return plain_text.read(body) if isinstance(body, str) and dialect is None else None


def opened_body(body: object) -> object:
    """A string of server-sent events as the list of their data, a string of JSON as its value, anything else as it is."""
    if isinstance(body, str) and is_event_text(body):
        return read_events(body)
    opened = decoded(body)
    return opened if isinstance(opened, dict | list) else body

"""The bodies that gateways log, each recognised by its shape and read into the same values.

`read_body(body)` is all an envelope needs: objects, lists of stream events, JSON or SSE in a string, or plain text. `read_request`
reads the request body of any of these APIs; `record_of` puts request, body, one answer and the envelope's own fields into a Record.
A dialect is a module with `recognise(body) -> bool` and `read(body) -> Body`; neither raises on data.
"""

from collections.abc import Callable
from dataclasses import dataclass

from pipelines.formats._dialects.body import Answer, Body, Request

__all__ = ["DIALECTS", "Answer", "Body", "Dialect", "Request", "read_body"]


@dataclass(frozen=True, slots=True)
class Dialect:
    """One body dialect: whether a body has its shape, and what it says."""

    name: str
    recognise: Callable[[object], bool]
    read: Callable[[object], Body]


DIALECTS: tuple[Dialect, ...] = ()


def read_body(body: object, dialect: str | None = None) -> Body | None:
    """The body read in the named dialect, else in the first that recognises it; None: nobody does."""
    for candidate in DIALECTS:
        if candidate.name == dialect or (dialect is None and candidate.recognise(body)):
            return candidate.read(body)
    return None

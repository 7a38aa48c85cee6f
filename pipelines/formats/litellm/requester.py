"""What the client's own metadata says: ids of the row, and what many rows share."""

from functools import lru_cache
from typing import NamedTuple

import msgspec
from msgspec import Raw

from pipelines.formats.litellm.names import SESSION_GENERATED
from pipelines.formats.litellm.row import NotCommon
from pipelines.formats.litellm.team import REMEDIATION
from pipelines.formats.record import DECLARED
from pipelines.formats.values import filled

_NOT_SHARED = frozenset(
    {"conversation", "request_id", "session_id", "headers", "trace_id", "used_client_oauth_token", SESSION_GENERATED}
)
"""Metadata that differs from row to row; a team's other keys are the same for many."""
_NOT_READ = b"0"
_decode = msgspec.json.Decoder(dict[str, Raw] | None).decode


class Requester(NamedTuple):
    conversation: str | None = None
    request_id: str | None = None
    session: str | None = None
    shared: tuple[tuple[str, bytes], ...] = ()
    """The other keys; with their raw values where leakrate reads those."""
    raw: bytes = b""
    made: bool = False
    """The proxy made the session id."""


@lru_cache(maxsize=256)
def requester(raw: bytes) -> Requester:
    """What raw `requester_metadata` (b"" where the row has none) says. Raises msgspec.MsgspecError for what is no object, NotCommon
    where a remediation layer logged what it did."""
    own = (_decode(raw) if raw else None) or {}
    if REMEDIATION in own and _is_value(own[REMEDIATION]):
        raise NotCommon
    return Requester(
        _string(own.get("conversation")),
        _string(own.get("request_id")),
        _string(own.get("session_id")),
        tuple(
            [
                (key, bytes(own[key]) if key in DECLARED else _NOT_READ)
                for key in own
                if key not in _NOT_SHARED and _is_value(own[key])
            ]
        ),
        raw,
        SESSION_GENERATED in own and bytes(own[SESSION_GENERATED]) == b"true",
    )


def _is_value(raw: Raw) -> bool:
    return bytes(raw) not in (b"null", b'""')


def _string(raw: Raw | None) -> str | None:
    return None if raw is None else filled(msgspec.json.decode(raw))

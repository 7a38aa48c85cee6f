"""The conversation that a turn belongs to, and how it was found: declared, by session, by chain, by first message, by caller and hour."""

from hashlib import blake2b

from pipelines.schema import Message

FIRST_CHARACTERS = 512
"""Of the first user message, so many characters count: databases truncate longer strings in the middle."""


def conversation_of(
    *,
    declared: str | None = None,
    session: str | None = None,
    trace: str | None = None,
    chain: str | None = None,
    caller: str | None = None,
    first: str | None = None,
    time: float | None = None,
) -> tuple[str | None, str]:
    """The conversation and its source, the first known of the arguments in this order.

    `chain` is the previous response's id, `first` the first user message. Requests of a chat repeat their history, so the same
    caller with the same first message goes on with the same conversation.
    """
    for known, source in ((declared, "declared"), (session, "session"), (trace, "trace"), (chain, "response_chain")):
        if known:
            return known, source
    if first:
        return "first:" + _digest(caller, first[:FIRST_CHARACTERS]), "first_message"
    if caller or time is not None:
        hour = "unknown" if time is None else str(int(time // 3600))
        return "hour:" + _digest(caller, hour), "caller_hour"
    return None, "none"


def first_user_message(messages: tuple[Message, ...] | None) -> str | None:
    """Text of the first message from the user; None where the request does not show one."""
    for message in messages or ():
        if message.role == "user" and message.kind == "message":
            return message.content or None
    return None


def _digest(caller: str | None, text: str) -> str:
    return blake2b(f"{caller or ''}\n{text}".encode("utf-8", "replace"), digest_size=12).hexdigest()

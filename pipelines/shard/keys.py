"""64-bit hashes of a turn: what makes it count once, its conversation, and the request whose attempt it is. No id survives them."""

from functools import lru_cache
from hashlib import blake2b


def hash64(kind: str, text: str) -> int:
    return _hash(f"{kind}\0{text}")


def _hash(text: str) -> int:
    return int.from_bytes(blake2b(text.encode("utf-8", "replace"), digest_size=8).digest(), "little")


_repeated = lru_cache(maxsize=1 << 12)(hash64)
"""For what stands in many rows."""


def turn_key(call_id: str | None, choice: int, place: str) -> int:
    """Hash of call id and choice; without an id, of the item's place, so that nothing is merged."""
    return _hash(f"place\0{place}\0{choice}" if call_id is None else f"call\0{call_id}\0{choice}")


def conversation_key(conversation: str | None, found: str, turn: int) -> int:
    """Hash of what identifies the conversation, and how it was found; a turn that nothing identifies stands alone.

    A chain is known by the response before this one, so its hash is that response's own (`response_key`).
    """
    if conversation is None:
        return turn
    return _repeated("response" if found == "response_chain" else "conversation", conversation)


def request_key(attempts: str) -> int:
    """Hash of what groups the attempts of one request."""
    return _repeated("request", attempts)


def response_key(api: str, response_id: str | None) -> int | None:
    """Hash of the response's id, for the API whose requests name the response that they continue."""
    return hash64("response", response_id) if api == "responses" and response_id else None

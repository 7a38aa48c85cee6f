"""64-bit hashes of a turn: what makes it count once, its conversation, and the request whose attempt it is. No id survives them."""

from functools import lru_cache
from hashlib import blake2b

from pipelines.schema import Record


@lru_cache(maxsize=1 << 12)
def hash64(kind: str, text: str) -> int:
    digest = blake2b(f"{kind}\0{text}".encode("utf-8", "replace"), digest_size=8).digest()
    return int.from_bytes(digest, "little")


def turn_key(record: Record, place: str) -> int:
    """Hash of call id and choice; without an id, of the item's place, so that nothing is merged."""
    if record.call_id is not None:
        return hash64.__wrapped__("call", f"{record.call_id}\0{record.choice}")
    return hash64("place", f"{place}\0{record.choice}")


def conversation_key(record: Record, turn: int) -> int:
    """Hash of what identifies the conversation; a turn that nothing identifies stands alone.

    A chain is known by the response before this one, so its hash is that response's own (`response_key`).
    """
    if record.conversation is None:
        return turn
    if record.conversation_source == "response_chain":
        return hash64("response", record.conversation)
    return hash64("conversation", record.conversation)


def response_key(record: Record) -> int | None:
    """Hash of the response's id, for the API whose requests name the response that they continue."""
    return hash64("response", record.response_id) if record.api == "responses" and record.response_id else None

"""What the stream of a turn says beside the assembled message: its joined texts, what one has that the other lacks, doubled deltas."""

from dataclasses import dataclass
from itertools import pairwise

from pipelines.rules.marks import THINK_NEEDLES
from pipelines.rules.rule import Turn
from pipelines.schema import Record

_REWRITTEN = frozenset(
    {"think_stripped", "think_inserted", "think_inserted_possible", "stream_cut", "content_rewritten"}
)
"""What a gateway does to the text on purpose, or a log that ends early: the two texts then differ by right."""
_LONG_DELTA = 20


@dataclass(frozen=True, slots=True)
class Difference:
    """`stream[start:end]` is missing from the message, which has `extra` in its place; `mixed`: it came in deltas with both fields."""

    start: int
    end: int
    extra: str
    mixed: bool


def has_chunks(record: Record) -> bool:
    return record.chunks is not None


def is_evidence(record: Record) -> bool:
    """Whether chunks are logged beside a message that somebody else assembled from them."""
    return record.chunks is not None and record.assembled_by != "us" and not record.choices_merged


def streamed_content(record: Record) -> str:
    return "".join(delta.content or "" for delta in record.chunks or ())


def streamed_reasoning(record: Record) -> str:
    return "".join(delta.reasoning or delta.reasoning_content or "" for delta in record.chunks or ())


def difference(turn: Turn) -> Difference | None:
    """Where the message differs from the stream in more than white space; None where it does not, or by right, or where the message
    lacks marked thoughts, which is a leak in the stream and no loss."""
    record = turn.record
    if (
        not is_evidence(record)
        or record.gateway_rewrites & _REWRITTEN
        or record.content_state not in ("text", "null", "empty")
    ):
        return None
    stream, message = streamed_content(record), record.content or ""
    if not stream.strip() or _squeezed(stream) == _squeezed(message) or _stopped(record, stream, message):
        return None
    start = _common_prefix(stream, message)
    tail = _common_prefix(stream[start:][::-1], message[start:][::-1])
    end = len(stream) - tail
    if any(needle in stream[start:end] for needle in THINK_NEEDLES):
        return None
    mixed = "".join(
        delta.content for delta in record.chunks or () if delta.content and (delta.reasoning or delta.reasoning_content)
    )
    return Difference(
        start,
        end,
        message[start : len(message) - tail],
        bool(mixed) and _squeezed(stream[start:end]) in _squeezed(mixed),
    )


def _squeezed(text: str) -> str:
    return "".join(text.split())


def _stopped(record: Record, stream: str, message: str) -> bool:
    """Whether the message ends where a stop string of the request begins in the stream."""
    rest = stream[len(message) :].lstrip() if stream.startswith(message) else ""
    return bool(rest) and any(rest.startswith(stop.lstrip()) for stop in record.stop or () if stop.strip())


def _common_prefix(one: str, other: str) -> int:
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[:middle] == other[:middle] else (low, middle - 1)
    return low


def texts(record: Record) -> list[str]:
    """The texts of the content deltas that have one."""
    return [delta.content for delta in record.chunks or () if delta.content]


_FEW_LETTERS = 8


def each_comes_twice(deltas: list[str]) -> bool:
    """Whether all deltas stand in equal pairs, of at least two different texts with more in them than a few single letters or digits."""
    pairs = list(zip(deltas[::2], deltas[1::2], strict=False))
    if len(deltas) < 4 or len(deltas) % 2 or any(one != other for one, other in pairs):
        return False
    letters = [sum(char.isalpha() for char in text) for text in {one for one, _ in pairs}]
    return len(letters) >= 2 and (max(letters) >= 2 or sum(letters) >= _FEW_LETTERS)


def a_long_one_comes_twice(deltas: list[str]) -> bool:
    """Whether a delta of several words is followed by itself."""
    return any(
        one == other and len(one) >= _LONG_DELTA and len(one.split()) >= 3 and any(char.isalpha() for char in one)
        for one, other in pairwise(deltas)
    )


def the_first_comes_twice(deltas: list[str]) -> bool:
    """Whether the first delta is a capitalised word or more and the second repeats it, which makes a word like "ForFor"."""
    if len(deltas) < 3 or deltas[0] != deltas[1] or len(deltas[0]) < 2:
        return False
    return deltas[0][0].isupper() and deltas[0][-1].isalpha() and not deltas[0].isupper()


def each_holds_all_before(deltas: list[str]) -> bool:
    """Whether every delta begins with the whole delta before it, as cumulative streams do."""
    grows = all(len(other) > len(one) and other.startswith(one) for one, other in pairwise(deltas))
    return len(deltas) >= 3 and grows and len(deltas[-1]) >= 12

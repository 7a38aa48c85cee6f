"""Blocks of thoughts in a content: where each begins and ends, which of its marks are there, and why a mark does not count."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from pipelines.rules.marks import FRAME, FRAME_STARTS, PAIRS, closes, mark_places
from pipelines.rules.requested_format import follows
from pipelines.rules.views.echo import speaks_of
from pipelines.rules.views.excuse import excuse_of_marker, excuse_of_pair
from pipelines.rules.views.markup_question import asks_about_markup
from pipelines.rules.views.stance import reads_like_thoughts

if TYPE_CHECKING:
    from pipelines.rules.rule import Turn

_MOST_MARKS = 1000
"""Marks of one content that are read; no answer holds more, and each costs a look into the request."""
_FRAME_REACH = 400
"""Characters behind a block in which the tokens that open the answer are looked for."""


class Mark(msgspec.Struct, frozen=True, gc=False):
    """One end of a pair, in code points of the decoded content."""

    start: int
    end: int
    pair: int
    opens: bool


class Block(msgspec.Struct, frozen=True, gc=False):
    """Thoughts with their marks, in code points of the content. `thoughts` is false for a mark (or an empty pair) alone."""

    start: int
    end: int
    opener: tuple[int, int] | None
    closer: tuple[int, int] | None
    thoughts: bool
    excuse: str | None = None
    frame: str = ""
    """The tokens behind the closing mark that open the answer, as they stand in the decoded text."""


def read_blocks(turn: Turn) -> tuple[Block, ...]:
    """All blocks in order, excused ones too (`excuse` is then the name of the view)."""
    marks = _marks(turn)
    blocks: list[Block] = []
    index = last = 0
    while index < len(marks):
        block, index = _next_block(turn, marks, index, last)
        if block is None:
            continue
        blocks.append(block)
        if block.excuse is None:
            last = turn.decoded.decoded(block.end)
    return tuple(blocks)


def _marks(turn: Turn) -> list[Mark]:
    text = turn.decoded.text
    return [
        Mark(start, end, pair, opens)
        for start, end, pair, opens in mark_places(text, _MOST_MARKS)
        if not (opens and "<|constrain|>" in text[start:end])  # a call's frame, whatever its channel is named
        and not _is_argument(turn, start, text[start:end].strip())
    ]


def _is_argument(turn: Turn, start: int, mark: str) -> bool:
    """Whether the mark stands in an argument of a whole call that is written as text: it is data there."""
    place = turn.decoded.origin(start)
    around = [
        call
        for envelope in turn.envelopes
        if envelope.start < place < envelope.end
        for call in envelope.calls
        if envelope.closed
    ]
    return any(mark in str(list((call.arguments or {}).values())) for call in around)


def _next_block(turn: Turn, marks: list[Mark], index: int, last: int) -> tuple[Block | None, int]:
    """The block that begins at marks[index] and the index behind it; `last` is where the block before ended."""
    mark = marks[index]
    if mark.start < last or (not mark.opens and not _ends_alone(turn, mark)):
        return None, index + 1
    excuse = excuse_of_marker(turn, *_origin(turn, mark))
    if excuse in ("code", "quote", "echo", "markup"):
        closing = _closing(turn, marks, index) if mark.opens and excuse == "markup" else None
        return _alone(turn, mark, excuse), (index if closing is None else closing) + 1
    if not mark.opens:
        return _closed_only(turn, mark, last, excuse), index + 1
    closing = _closing(turn, marks, index)
    if closing is None:
        return _opened_only(turn, mark, excuse), index + 1
    return _pair(turn, mark, marks[closing]), closing + 1


def _ends_alone(turn: Turn, mark: Mark) -> bool:
    """Whether an end says without its start that thoughts came before it: always for some pairs, for others when the family writes it
    and an answer follows."""
    if PAIRS[mark.pair].lone_end:
        return True
    written = turn.decoded.text[mark.start : mark.end].strip()
    return (
        written in turn.family.reasoning_end
        and turn.family.name != "unknown"
        and bool(turn.decoded.text[mark.end :].strip())
    )


def _origin(turn: Turn, mark: Mark) -> tuple[int, int]:
    return turn.decoded.origin(mark.start), turn.decoded.origin(mark.end)


def _closing(turn: Turn, marks: list[Mark], index: int) -> int | None:
    """Index of the mark that closes marks[index]: the next end of its pair, or of another pair whose end stands alone."""
    opening = marks[index]
    for following in range(index + 1, len(marks)):
        mark = marks[following]
        if mark.opens or not (
            PAIRS[mark.pair].lone_end or closes(opening.pair, turn.decoded.text[mark.start : mark.end])
        ):
            continue
        if excuse_of_marker(turn, *_origin(turn, mark)) not in ("code", "quote"):
            return following
    return None


def _alone(turn: Turn, mark: Mark, excuse: str | None) -> Block:
    start, end = _origin(turn, mark)
    return Block(start, end, (start, end) if mark.opens else None, None if mark.opens else (start, end), False, excuse)


def _pair(turn: Turn, opening: Mark, closing: Mark) -> Block:
    opener, closer = _origin(turn, opening), _origin(turn, closing)
    inner = turn.content[opener[1] : closer[0]]
    block = Block(opener[0], closer[1], opener, closer, bool(inner.strip()), excuse_of_pair(turn, opener, closer))
    return block if block.excuse else _with_frame(turn, block)


def _opened_only(turn: Turn, mark: Mark, excuse: str | None) -> Block:
    start, end = _origin(turn, mark)
    stop = min((call.start for call in turn.envelopes if call.start >= end), default=len(turn.content.rstrip()))
    stop = max(stop, end)
    if excuse == "mention" and not turn.content[:start].strip():
        excuse = None
    if PAIRS[mark.pair].name == "hyperclova" and not turn.family.name.startswith("hyperclova"):
        excuse = "mention"  # `/think` is also a soft switch that users type
    return Block(start, stop, (start, end), None, bool(turn.content[end:stop].strip()), excuse)


def _closed_only(turn: Turn, mark: Mark, last: int, excuse: str | None) -> Block:
    closer = _origin(turn, mark)
    begin = turn.decoded.origin(last)
    before = turn.content[begin : closer[0]]
    start = begin + len(before) - len(before.lstrip())
    if excuse == "mention" and reads_like_thoughts(before) and not _is_subject(turn, closer):
        excuse = None
    alone = Block(*closer, None, closer, False, excuse)
    if excuse or not before.strip() or _is_commentary(before):
        return alone if excuse else _with_frame(turn, alone)
    if _interrupts(before, turn.content[closer[1] : closer[1] + 40]):
        return alone
    block = _with_frame(turn, Block(start, closer[1], None, closer, True))
    if not turn.content[block.end :].strip() and not turn.record.tool_calls:
        if follows(turn.record, before):
            return alone  # the answer that was asked for, and a mark behind it
        offset = _closing_thoughts(before, bool(turn.reasoning))
        return alone if offset is None else replace(block, start=begin + offset)
    return block


def _is_subject(turn: Turn, place: tuple[int, int]) -> bool:
    """Whether the conversation speaks of marks: the user asks about them, or a message or tool result holds this one."""
    return asks_about_markup(turn.last_user) or speaks_of(turn.record, (turn.content[slice(*place)].strip(),))


def _is_commentary(before: str) -> bool:
    """Whether the text before the frame of a final message is a harmony message meant for the user."""
    return before.lstrip().startswith(("<|channel|>commentary", "<|start|>assistant<|channel|>commentary"))


def _interrupts(before: str, after: str) -> bool:
    """Whether the mark stands inside a sentence that goes on behind it, so that the text around it is answer."""
    return before[-1:].isalnum() and after[:1] in (" ", ",") and after.lstrip(" ,")[:1].islower()


def _closing_thoughts(before: str, split_off: bool) -> int | None:
    """Where the thoughts begin in a text whose end is marked and behind which nothing follows: at its start when it begins with
    thoughts (or is one paragraph, and no thoughts were split off), else at the last paragraphs that are thoughts; None when none are."""
    paragraphs = _paragraphs(before)
    if reads_like_thoughts(paragraphs[0][1]) or (len(paragraphs) == 1 and not split_off):
        return paragraphs[0][0]
    begin = None
    for offset, text in reversed(paragraphs):
        if not reads_like_thoughts(text):
            break
        begin = offset
    return begin


def _paragraphs(text: str) -> list[tuple[int, str]]:
    paragraphs, offset = [], 0
    for part in text.split("\n\n"):
        if part.strip():
            paragraphs.append((offset + len(part) - len(part.lstrip()), part))
        offset += len(part) + 2
    return paragraphs


def _with_frame(turn: Turn, block: Block) -> Block:
    """The block with the tokens behind it that open the answer."""
    begin = turn.decoded.decoded(block.end)
    following = turn.decoded.text[begin : begin + _FRAME_REACH]
    match = FRAME.match(following) if following.lstrip().startswith(FRAME_STARTS) else None
    if match is None:
        return block
    return replace(block, end=turn.decoded.origin(begin + match.end()), frame=match.group())

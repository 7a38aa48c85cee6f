"""What is left of a content when its thoughts, calls and tokens are taken out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipelines.rules.views.intervals import merge

if TYPE_CHECKING:
    from pipelines.rules.rule import Turn


def is_nothing_left(turn: Turn) -> bool:
    """Whether the content holds thoughts only, no answer and no call, and no structured call goes with it."""
    if turn.record.tool_calls or turn.envelopes:
        return False
    places = merge((block.start, block.end) for block in turn.blocks if not block.excuse)
    last = 0
    for start, end in places:
        if turn.content[last:start].strip():
            return False
        last = end
    return not turn.content[last:].strip()

"""Thoughts or their marks stand in the stream's content although the assembled message is clean.

Catches: reasoning marks in the joined content deltas that the message no longer has.
Why it matters: users who read along saw the thoughts; tokens that were sent cannot be taken back, and only a log of chunks shows it.
Misses: thoughts without any mark.
False alarms: none known; marks in code or told back from the request are left alone.
Likely layers: engine_parser, gateway.
"""

from collections.abc import Iterator

import msgspec

from pipelines.rules import denominators
from pipelines.rules.deltas import is_evidence, streamed_content
from pipelines.rules.examples import answer, clean, leak
from pipelines.rules.message_differs_from_stream import wants_chunks
from pipelines.rules.rule import Excluded, Rule, Span, Turn
from pipelines.schema import Delta


def find(turn: Turn) -> Iterator[Span | Excluded]:
    """Blocks of the joined stream; thoughts are a reasoning leak, a mark alone is a boundary token."""
    if not is_evidence(turn.record) or any(not block.excuse for block in turn.blocks):
        return
    stream = streamed_content(turn.record)
    if stream == turn.record.content or not stream:
        return
    shown = Turn(msgspec.structs.replace(turn.record, content=stream), turn.family, turn.identity)
    for block in shown.blocks:
        if not block.excuse:
            yield Span(block.start, block.end, symptom="reasoning_leak" if block.thoughts else "boundary_token")


_LEAKED = (Delta(content="So it is 4.\n</think>\n\n"), Delta(content="Four."))

RULE = Rule(
    id="leak-in-stream-only",
    version=1,
    status="stable",
    tier="rule",
    symptom="reasoning_leak",
    find=find,
    eligible=denominators.content_is_text,
    wants=wants_chunks,
    channel="stream",
    repair="none",
    layers=("engine_parser", "gateway"),
    action="Control the end of turns with end tokens and max_tokens instead of stop, and let the gateway hold back "
    "a few tokens of every stream to look "
    "for boundary tokens.",
    verify="Send the same request without streaming, and without stop.",
    doc=__doc__,
    leaks=(leak("the gateway cleaned the message only", answer("Four.", chunks=_LEAKED), None),),
    clean=(
        clean(
            "the message has it too, where the other rules find it",
            answer("So it is 4.\n</think>\n\nFour.", chunks=_LEAKED),
        ),
        clean("in code", answer("Tag", chunks=(Delta(content="`</think>`"),))),
        clean("a clean stream", answer("Four.", chunks=(Delta(content="Four."),))),
    ),
)

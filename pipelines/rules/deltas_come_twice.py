"""Deltas of a stream were delivered twice, or each with all the text before it.

Catches: every content delta twice in place, a long delta twice, the first delta twice, cumulative deltas.
Why it matters: clients append what comes, and users read words twice.
Misses: single short deltas that repeat, which may be what the model wrote.
False alarms: texts that repeat a line of three words or more on purpose.
Likely layers: gateway, engine_parser.
"""

from collections.abc import Iterator

from pipelines.rules import denominators
from pipelines.rules.deltas import (
    a_long_one_comes_twice,
    each_comes_twice,
    each_holds_all_before,
    has_chunks,
    streamed_content,
    texts,
    the_first_comes_twice,
)
from pipelines.rules.examples import answer, clean, leak
from pipelines.rules.rule import Excluded, Rule, Span, Turn
from pipelines.schema import Delta


def find(turn: Turn) -> Iterator[Span | Excluded]:
    """The joined stream, or its first two deltas."""
    deltas = texts(turn.record)
    if len(deltas) < 2 or turn.record.choices_merged:
        return
    whole = len(streamed_content(turn.record))
    if each_comes_twice(deltas) or each_holds_all_before(deltas):
        yield Span(0, whole, confidence=0.97)
    elif the_first_comes_twice(deltas):
        yield Span(0, 2 * len(deltas[0]), confidence=0.9)
    elif a_long_one_comes_twice(deltas) and not turn.creative:
        yield Span(0, whole, confidence=0.85)


def _stream(*contents: str) -> Turn:
    return answer("".join(contents), chunks=tuple(Delta(content=content) for content in contents), assembled_by="us")


RULE = Rule(
    id="deltas-come-twice",
    version=1,
    status="stable",
    tier="rule",
    symptom="stream_loss",
    find=find,
    eligible=denominators.stream_is_logged,
    wants=has_chunks,
    channel="stream",
    layers=("gateway", "engine_parser"),
    action="Compare the chunks before and behind the gateway; a retry or a second reader of the stream sends them again.",
    verify="The usage counts the text once.",
    doc=__doc__,
    leaks=(
        leak("every delta twice", _stream("A wood", "A wood", "pecker it is.", "pecker it is.")),
        leak("the first delta twice", _stream("Der", "Der", " Zug hält", " in Ulm.")),
        leak("cumulative", _stream("도시는", "도시는 서울", "도시는 서울입니다. 감사합니다.")),
        leak("a long delta twice", _stream("Turn left behind the old mill", "Turn left behind the old mill", ".")),
    ),
    clean=(
        clean("the user asked for it twice", _stream("ok", "ok")),
        clean("one word again and again", _stream("ha", "ha", "ha", "ha")),
        clean("a doubled syllable of the language", _stream("常", "常", "是经常")),
        clean("a number", _stream("2", "300")),
        clean("an ordinary stream", _stream("A ", "wood", "pecker", ".")),
    ),
)

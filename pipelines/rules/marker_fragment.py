"""A piece of a marker stands in the answer, because a stream was cut inside it or one of its pieces was dropped.

Catches: a content that ends in the beginning of a marker, one that begins with the end of one, and a delta that is such a piece and is
never completed.
Why it matters: it is the visible trace of a boundary that was decided on deltas.
Misses: pieces shorter than five characters in rows without stream events.
False alarms: an HTML or XML answer that ends inside a tag of a similar name.
Likely layers: engine_parser, gateway.
"""

from collections.abc import Iterator

import re2

from pipelines.rules import denominators
from pipelines.rules.deltas import has_chunks
from pipelines.rules.examples import answer, clean, leak
from pipelines.rules.rule import Excluded, Rule, Span, Turn
from pipelines.rules.views.excuse import excuse_of_place
from pipelines.schema import Delta

_MARKERS = (
    "<think>", "</think>", "<tool_call>", "</tool_call>", "<|channel|>", "<|message|>", "<|im_end|>", "<|tool_calls_section_begin|>",
    "<|tool_call_begin|>", "[TOOL_CALLS]", "</mm:think>", "<function=", "[/THINK]", "<｜DSML｜", "◁/think▷",
)  # fmt: skip
_PIECES = frozenset(marker[:length] for marker in _MARKERS for length in range(2, len(marker)))
"""All that a marker begins with; one character is no piece."""
_LONGEST = max(map(len, _PIECES))
_FIRST_SIGNS = frozenset(piece[0] for piece in _PIECES)
_AMBIGUOUS = 3
"""Characters of a piece that may begin anything: `<|`, `</`, `[T`, `[TO`."""
_SURE = 5
"""Characters of a piece that are enough without stream events: `<thin`, `</thi`, `<tool`, `<|cha`."""
_HEAD = re2.compile(r"^\s*(/?(?:t?h?i?nk|think|hink|ink)>|/(?:mm|seed):think>)")
_HEAD_SIGNS = frozenset("/think")
_OWN = re2.compile(
    r"^</?(?:thi|thin|think|tool_|tool_c\w*|tool_ca\w*)$|^<\|[a-z_]+\|?$|^\[/?T[A-Z_]+$|^<｜D?S?M?L?｜?$|^◁/?t?h?i?n?k?$"
)

_COMPLETED = re2.compile(
    r"^[\w:.|｜▁/-]{0,48}(?:\s?/?[>\]▷]|=[\w.\"'{]|\s+[\w:.@-]{1,48}=[\w\"'{]|\s+[\w-]{1,32}(?:\s+[\w-]{1,32})?\s?/?>)"
)
"""What completes a tag or a token behind its beginning: its name and a bracket, a value (`<function=f>`), or attributes."""
_LINKED = re2.compile(r"^[^\[\]\n]{0,80}\]|^[,)]")
"""What completes the text of a link or an interval."""
_BEHIND = 120


def find(turn: Turn) -> Iterator[Span | Excluded]:
    """Pieces at both ends, and pieces that a delta holds alone."""
    text = turn.content.rstrip()
    piece = _piece_at_end(text)
    streamed = turn.record.chunks is not None
    if piece and (streamed or (len(piece) >= _SURE and _OWN.match(piece))):
        yield from _excusable(turn, len(text) - len(piece), len(text))
    head = _HEAD.match(text) if text.lstrip()[:1] in _HEAD_SIGNS else None
    if head:
        yield from _excusable(turn, head.start(1), head.end(1))
    place = 0
    for delta in turn.record.chunks or ():
        start, place = place, place + len(delta.content or "")
        if (
            delta.content in _PIECES
            and turn.content.startswith(delta.content, start)
            and _is_left(turn.content, start, place)
        ):
            yield from _excusable(turn, start, place)


def _is_left(text: str, start: int, end: int) -> bool:
    """Whether text follows the piece `text[start:end]` that makes nothing whole of it: no tag, no link, no operator between spaces."""
    rest = text[end : end + _BEHIND]
    if end - start <= _AMBIGUOUS and ((text[start] == "[" and _LINKED.match(rest)) or _stands_free(text, start, end)):
        return False
    return bool(rest) and _COMPLETED.match(rest) is None


def _stands_free(text: str, start: int, end: int) -> bool:
    return text[max(0, start - 1) : start] == " " and text[end : end + 1] == " "


def _piece_at_end(text: str) -> str:
    """The longest end of the text that begins a marker without completing it."""
    tail = text[-_LONGEST:]
    if not any(sign in tail for sign in _FIRST_SIGNS):
        return ""
    places = (place for place, sign in enumerate(tail[:-1]) if sign in _FIRST_SIGNS)
    return next((tail[place:] for place in places if tail[place:] in _PIECES), "")


def _excusable(turn: Turn, start: int, end: int) -> Iterator[Span | Excluded]:
    excuse = excuse_of_place(turn, start, end)
    yield Excluded(excuse) if excuse else Span(start, end, confidence=0.85)


RULE = Rule(
    id="marker-fragment-in-content",
    version=1,
    status="stable",
    tier="rule",
    symptom="boundary_token",
    find=find,
    eligible=denominators.content_is_text,
    needles=lambda family: ("</thi", "<thin", "<tool_", "<|", "[TOOL_", "[/THIN", "<｜D", "think>", "nk>", "◁/"),
    wants=has_chunks,
    repair="strip",
    layers=("engine_parser", "gateway"),
    action="Update the engine or the gateway that splits streams; end with EOS and max_tokens instead of stop strings until then.",
    verify="Repeat the request without streaming: the piece is gone.",
    doc=__doc__,
    leaks=(
        leak(
            "the stream was cut inside a tag",
            answer("The answer is 4.</thi", chunks=(Delta(content="The answer is 4.</thi"),)),
            "</thi",
        ),
        leak(
            "a delta that is never completed",
            answer("Ok.</tDone.", chunks=(Delta(content="Ok."), Delta(content="</t"), Delta(content="Done."))),
            "</t",
        ),
        leak("the end of a closing tag opens the answer", answer("nk>\nYes.", family="qwen3"), "nk>"),
    ),
    clean=(
        clean("an HTML table", answer("<table><tr><th>a</th></tr></table>", user="Table, please.")),
        clean("less than, at the end of a formula", answer("so a <", chunks=(Delta(content="so a <"),))),
        clean(
            "cut HTML in code", answer("```html\n<b>x</t", chunks=(Delta(content="```html\n<b>x</t"),), finish="length")
        ),
        clean(
            "a tag completed by the next delta",
            answer("<td>1</td>", chunks=(Delta(content="<td>1"), Delta(content="</t"), Delta(content="d>"))),
        ),
    ),
)

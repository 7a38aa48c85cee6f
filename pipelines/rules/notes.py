"""Progress notes with which an answer begins: sentences that announce or report the model's own work."""

from collections.abc import Iterator

import re2

from pipelines.rules.rule import Turn, once
from pipelines.rules.thoughts import Passage, kinds_of, opens_like_a_candidate
from pipelines.rules.views import intent
from pipelines.rules.views.sentences import Line

_NOTE_LIMIT = 260
_ACKNOWLEDGEMENT = 24
_REMAINDER = 60
_APART = 130
_WORK = frozenset({"progress", "report", "work"})
_ADDRESSES = re2.compile(
    r"(?i)\b(?:you|your|yours|ihr|ihnen|ihre\w*|dein\w*|du|vous|votre|vos|tu|usted|su|sus|tus|voce|seu|"
    r"sua|tuo|tua|suo|sua|jij|uw|je)\b|您|你|당신|вы\b|ваш"
)
"""Who speaks to the reader answers already."""
_TAKES_NOTE = re2.compile(
    r"(?i)^(?:no problem|i (?:apologi[sz]e|understand|see that|can (?:look up|retrieve|see|help|assist))|"
    r"thank you for (?:providing|confirming|the)|"
    r"thanks for|it (?:seems|looks like) (?:there was|that|the)|sorry|good! |great! |perfect! |since the )|^申し訳|^ありがとう|^承知|"
    r"^죄송|^감사|^抱歉|^感谢|^(?:entschuldig|danke|désolé|merci|perdón|gracias|desculp|obrigad|scus|grazie|sorry|bedankt)"
)
"""What may stand before the first note."""
_NOT_PROSE = frozenset("<{[|`#>(-*•")
_NUMBERED = frozenset({"1.", "1)"})


@once
def lead(turn: Turn) -> Passage | None:
    """The run of progress notes at the start of the content; None where it does not begin with one."""
    return _run(turn) or _line_apart(turn)


def _run(turn: Turn) -> Passage | None:
    """Sentences that announce work, and those that report it between and behind them."""
    content = turn.content
    if not opens_like_a_candidate(turn) or content.lstrip()[:1] in _NOT_PROSE or content.lstrip()[:2] in _NUMBERED:
        return None
    start = end = -1
    kinds: set[str] = set()
    skipped = 0
    for place, text in _sentences(content, turn.opening_lines):
        found = kinds_of(text) & {"progress", "report"} if len(text) <= _NOTE_LIMIT else frozenset()
        if found:
            start = place[0] if start < 0 else start
            end, skipped = place[1], 0
            kinds |= found
        elif (len(text) <= _ACKNOWLEDGEMENT or end >= 0 or _acknowledges(text)) and skipped == 0:
            start = place[0] if start < 0 else start
            skipped += 1
        else:
            break
    if "progress" not in kinds:
        return None
    end = _with_remainder(content, end)
    rest = content[end:].strip()
    return Passage(
        start, end, float(len(kinds)) + 1, frozenset(kinds), bool(rest), content[end : end + 1] in ("", "\n")
    )


def _acknowledges(text: str) -> bool:
    """Whether a sentence apologises, thanks or takes note, as in front of an announcement."""
    return len(text) <= _NOTE_LIMIT and _TAKES_NOTE.match(text) is not None


def _with_remainder(content: str, end: int) -> int:
    """The notes with the short rest of their line, where a blank line follows and an answer behind it."""
    close = content.find("\n", end)
    rest = content[end:close] if close >= 0 else ""
    blank = close >= 0 and not content[close : content.find("\n", close + 1) + 1].strip()
    joins = 0 < len(rest.strip()) <= _REMAINDER and not any(char.isdigit() for char in rest)
    return end + len(rest.rstrip()) if joins and blank and content[close:].strip() else end


def _line_apart(turn: Turn) -> Passage | None:
    """A short first line that speaks of work of its own in whatever tense, a blank line, and an answer."""
    content = turn.content
    if not opens_like_a_candidate(turn):
        return None
    lines = turn.opening_lines[:2]
    if len(lines) < 2 or not lines[0].gap_after or lines[0].end - lines[0].start > _APART:
        return None
    first = content[lines[0].start : lines[0].end]
    said = [content[item.start : item.end] for item in lines[0].sentences]
    if not all(kinds_of(text) & _WORK or _width(text) <= _ACKNOWLEDGEMENT for text in said):
        return None
    kinds = frozenset(kind for text in said for kind in kinds_of(text) if kind in _WORK)
    if not kinds or ":" in first or "?" in first or first[0] in _NOT_PROSE or _ADDRESSES.search(first):
        return None
    return Passage(lines[0].start, lines[0].end, 1.0, kinds, True, True)


def _width(text: str) -> int:
    """Length in Latin letters; a syllable block or an ideograph says as much as two or three of them."""
    return len(text) + sum(char >= "\u1100" for char in text)


def excuse(turn: Turn) -> str | None:
    """What in the request makes the notes the product itself, or nothing."""
    if intent.opening_was_given(turn.content, turn.asked):
        return "requested_opening"
    if turn.creative or intent.asks_for_a_voice(turn.last_user):
        return "creative"
    if intent.asks_for_message(turn.last_user):
        return "requested_message"
    return "requested_translation" if intent.asks_for_translation(turn.last_user) else None


def _sentences(content: str, lines: tuple[Line, ...]) -> Iterator[tuple[tuple[int, int], str]]:
    for line in lines:
        if not line.sentences:
            return
        for sentence in line.sentences:
            yield (sentence.start, sentence.end), content[sentence.start : sentence.end]

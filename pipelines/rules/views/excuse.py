"""The name of the view that says that a marker in the content is no leak, or None."""

from __future__ import annotations

from typing import TYPE_CHECKING

import re2

from pipelines.rules.views.configuration import thinking_switched_off
from pipelines.rules.views.echo import is_echo, may_be_echo, speaks_of
from pipelines.rules.views.intent import asks_for_translation
from pipelines.rules.views.intervals import covers
from pipelines.rules.views.markup import is_element
from pipelines.rules.views.markup_question import asks_about_markup
from pipelines.rules.views.mention import is_mention, names_subject
from pipelines.rules.views.repeat import asks_to_repeat
from pipelines.rules.views.requested import ALL, FORMAT, SUBJECT, is_requested
from pipelines.rules.views.stance import reads_like_thoughts
from pipelines.rules.views.subject import is_asked_about

if TYPE_CHECKING:
    from pipelines.rules.rule import Turn


def excuse_of_place(turn: Turn, start: int, end: int) -> str | None:
    """code | quote | echo, from where the marker stands."""
    if covers(turn.code, start, end):
        return "code"
    if turn.quotes.cover(start, end):
        return "quote"
    return "echo" if _is_echo(turn, start, end) else None


def _is_echo(turn: Turn, start: int, end: int) -> bool:
    """Whether the place repeats what the model was given, or an earlier answer of its own in a conversation about such marks."""
    passage = turn.content[start:end]
    if may_be_echo(turn.given_text, passage) and is_echo(turn.given_squeezed, turn.content, start, end):
        return True
    return (
        may_be_echo(turn.earlier_answers, passage)
        and is_echo(turn.answers_squeezed, turn.content, start, end)
        and may_repeat_itself(turn, (passage.strip(),))
    )


def may_repeat_itself(turn: Turn, markers: tuple[str, ...]) -> bool:
    """Whether an earlier answer may lend its marks: the user asks to repeat it, or the conversation speaks of marks and the answer does
    not think. Else a client that sends a leak back would excuse the next one."""
    if asks_to_repeat(turn.last_user):
        return True
    is_subject = asks_about_markup(turn.last_user) or speaks_of(turn.record, markers)
    return is_subject and not reads_like_thoughts(turn.content)


def excuse_of_marker(turn: Turn, start: int, end: int) -> str | None:
    """code | quote | echo | markup | requested_format | subject | mention, for one marker of the content."""
    place = excuse_of_place(turn, start, end)
    if place:
        return place
    if is_element(turn.content, start, end):
        return "markup"
    markers = spellings(turn.content[start:end])
    if _is_named(turn, markers) and _is_requested(
        turn, markers, FORMAT if _reads_as_border(turn.content, start, end) else ALL
    ):
        return "requested_format"
    if is_asked_about(turn.content, start, end, turn.last_user):
        return "subject"
    if is_mention(turn.content, start, end) or names_subject(turn.content, start, end):
        return "mention"
    return None


def excuse_of_pair(turn: Turn, opener: tuple[int, int], closer: tuple[int, int]) -> str | None:
    """The same for a block: it is talked about only when both of its marks are, and an echo when all of it is."""
    markers = spellings(turn.content[slice(*opener)]) + spellings(turn.content[slice(*closer)])
    if _is_named(turn, markers) and _is_requested(turn, markers, _accepted(turn.content, opener, closer)):
        return "requested_format"
    if is_mention(turn.content, *opener) and is_mention(turn.content, *closer):
        return "mention"
    if _is_one_sentence(turn.content, opener, closer) and asks_about_markup(turn.last_user):
        return "mention"
    if _is_row(turn.content, opener, closer):
        return "mention"
    inner = turn.content[opener[1] : closer[0]].strip()
    if inner[:1] in _PLACEHOLDER_STARTS and _PLACEHOLDER.match(inner):
        return "placeholder"
    if _SIGNS.match(inner) and _QUANTIFIED.search(inner):
        return "mention"
    if _is_introduced(turn.content[: opener[0]]) and asks_about_markup(turn.last_user):
        return "requested_format"
    return None


def _is_named(turn: Turn, markers: tuple[str, ...]) -> bool:
    return any(marker in turn.request_text for marker in markers)


def _is_requested(turn: Turn, markers: tuple[str, ...], accepts: frozenset[str]) -> bool:
    accepts = ALL if asks_for_translation(turn.last_user) else accepts  # the text that the user brings holds the marks
    return is_requested(turn.record, markers, by_system=not _is_switch(turn, markers), accepts=accepts)


def _reads_as_border(text: str, start: int, end: int) -> bool:
    """Whether the mark opens the text and thoughts follow, or closes thoughts with which the text begins."""
    return reads_like_thoughts(text[:start] if "/" in text[start:end] else "" if text[:start].strip() else text[end:])


def _accepted(text: str, opener: tuple[int, int], closer: tuple[int, int]) -> frozenset[str]:
    """How surely the user has to ask for a block: thoughts in front of the answer need to be asked for in so many words, and a block
    in front of it that is set off by line breaks must not be what a question about such marks is answered with."""
    if text[: opener[0]].strip():
        return ALL
    inner = text[opener[1] : closer[0]]
    if reads_like_thoughts(inner):
        return FORMAT
    set_off = inner.startswith("\n") and text[closer[1] :].startswith("\n") and text[closer[1] :].strip()
    return ALL - SUBJECT if set_off else ALL


def _is_switch(turn: Turn, markers: tuple[str, ...]) -> bool:
    """Whether a system prompt that names the marks switches the model's own thinking on, as Magistral's, Hermes 4's and
    Phi-4-reasoning's do: engines have a parser for the family, and the marks are those that it splits off."""
    parsed = turn.family.vllm_reasoning_parsers or turn.family.sglang_reasoning_parsers
    own = any(marker in turn.family.reasoning_start for marker in markers)
    return bool(parsed) and own and not thinking_switched_off(turn.record)


_GOES_ON = re2.compile(r"^ [\pL—–-]|^[,;:.)]")
_BEGINS = re2.compile(r"^(?: [\p{Ll}\p{Lo}]|[,:)])")


def _is_one_sentence(text: str, opener: tuple[int, int], closer: tuple[int, int]) -> bool:
    """Whether both marks are words of one line of prose, with spaces around them and small letters behind."""
    between = text[opener[1] : closer[0]]
    return (
        between[-1:] in (" ", "(", "„", "«")
        and "\n" not in between
        and not reads_like_thoughts(between)
        and _BEGINS.match(between) is not None
        and _GOES_ON.match(text[closer[1] : closer[1] + 2]) is not None
    )


_PLACEHOLDER = re2.compile(r"^(?:\.{3}|…|[\[({<][^\n]{0,200}[\])}>]|your (?:reasoning|thoughts?|thinking)[^\n]{0,60})$")
"""What a template has in the place of thoughts."""
_SIGNS = re2.compile(r"^(?:\\+[A-Za-z]|\(\?[a-zA-Z]{1,3}[:)]|[!-/:-@\[-`{-~]){1,60}$")
_QUANTIFIED = re2.compile(r"[.\])}][\\]?[*+{-]|\\[sSdDwWnN][\])]?[*+]|^[,;|]$")
"""What matches any text between two marks in a regular expression, or separates two columns."""
_PLACEHOLDER_STARTS = frozenset(".…[({<y")


def _is_row(text: str, opener: tuple[int, int], closer: tuple[int, int]) -> bool:
    """Whether two marks are columns of a row, with tabs between and beside them."""
    tabbed = text[opener[0] - 1 : opener[0]] == "\t" or text[closer[1] : closer[1] + 1] == "\t"
    return tabbed and text[opener[1] : closer[0]] == "\t"


def _is_introduced(before: str) -> bool:
    """Whether the line before a passage ends with a colon, as before an example."""
    return before.rstrip()[-1:] in (":", "：")


def spellings(marker: str) -> tuple[str, ...]:
    """The opening and the closing form of a tag, as a request may name it."""
    bare = marker.strip().replace("</", "<").replace("[/", "[").replace("◁/", "◁")
    if len(bare) < 3:
        return (marker.strip(),)
    return (bare, bare[0] + "/" + bare[1:])

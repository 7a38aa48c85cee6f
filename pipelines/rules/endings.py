"""How a turn without an answer ended: inside its reasoning, or with the answer in the reasoning field."""

from dataclasses import dataclass

import re2

from pipelines.rules.rule import Turn
from pipelines.rules.thoughts import kinds_of
from pipelines.rules.views.configuration import thinking_switched_off
from pipelines.rules.views.sentences import sentences_of
from pipelines.schema import Record

_FINISHED = frozenset({"stop", "end_turn", "eos", "completed"})
_ENDS_A_SENTENCE = re2.compile(r"[.!?…。！？।؟}\])\"'`*|”»」』:）>~]\s*$|[\pS\pN]\s*$")
_SPEAKS = frozenset({"asker", "plan", "task", "talk", "check"})
_PARAGRAPH = re2.compile(r"\n[ \t]*\n")


@dataclass(frozen=True, slots=True)
class Ending:
    """`cut`: the reasoning was not finished; else `reasoning[start:end]` is the answer, or nothing of it when start equals end."""

    cut: bool
    start: int = 0
    end: int = 0


def has_no_answer(record: Record) -> bool:
    """Whether the content is there and empty, without a call beside it."""
    if record.tool_calls or record.tool_calls_state == "present" or record.refusal:
        return False
    return record.content_state in ("null", "empty") or (
        record.content_state == "text" and not record.light and not (record.content or "").strip()
    )


def may_have_ended_early(record: Record) -> bool:
    """Whether an end by itself left the content empty, so that the reasoning has to be read."""
    return record.finish_reason in _FINISHED and has_no_answer(record) and record.reasoning_state == "present"


def ending_of(turn: Turn) -> Ending | None:
    """How a turn ended that stopped by itself without an answer; None for all others."""
    if not may_have_ended_early(turn.record) or turn.reasoning_envelopes or not turn.reasoning.strip():
        return None
    if _was_cut(turn):
        return Ending(cut=True)
    start, end = _answer_within(turn)
    return Ending(False, start, end)


def _was_cut(turn: Turn) -> bool:
    """A stop string was set, and it matched (the engine says which), or the reasoning ends in the middle of a sentence."""
    record = turn.record
    if not record.stop or thinking_switched_off(record):
        return False
    return record.stop_detail in record.stop or _ENDS_A_SENTENCE.search(turn.reasoning) is None


def _behind_a_closing_mark(turn: Turn, first: int, last: int) -> int:
    """Place behind the last end of thoughts in the reasoning when text follows it, else `first`."""
    text = turn.reasoning
    ends = [at + len(end) for end in turn.family.reasoning_end if (at := text.rfind(end)) >= 0 and len(end) > 4]
    at = max(ends, default=first)
    return at + len(text[at:last]) - len(text[at:last].lstrip()) if first < at < last else first


def _answer_within(turn: Turn) -> tuple[int, int]:
    """The paragraphs behind the last one that thinks; all of it when thinking was off or nothing in it thinks."""
    text = turn.reasoning
    first, last = len(text) - len(text.lstrip()), len(text.rstrip())
    if thinking_switched_off(turn.record) or not turn.family.reasons:
        return first, last
    start = at = first = _behind_a_closing_mark(turn, first, last)
    for match in [*_PARAGRAPH.finditer(text, first, last), None]:
        end = match.start() if match else last
        if any(kinds_of(text[item.start : item.end]) & _SPEAKS for item in sentences_of(text, at, end)):
            start = match.end() if match else last
        at = match.end() if match else last
    return start + len(text[start:last]) - len(text[start:last].lstrip()), last

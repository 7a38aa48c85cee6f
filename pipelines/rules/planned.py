"""Where a list of planning steps ends with which an answer begins: "Thinking Process: 1. Analyze the request …"."""

import re2

from pipelines.rules.views.sentences import Line

_HEADER = re2.compile(
    r"(?i)^\W*(?:my |the )?(?:(?:thinking|thought|reasoning|internal) process|denkprozess|gedankengang|"
    r"(?:processus|proceso|processo) de \w+)\W*$"
    r"|^\pP*(?:思考过程|思考過程|思考プロセス|사고 과정|생각 과정|ход мыслей)\pP*$"
)
_FIRST = re2.compile(
    r"(?i)^\W*1[.)]\s+\W*(?:analy[sz]e|understand|deconstruct|identify|parse|clarify|interpret|read)\b.{0,40}"
    r"\b(?:requests?|questions?|query|input|prompt|intent|task)\b.*\bthe user\b"
)
"""Without a header only a first step that speaks of the user counts; study guides begin in the same words."""
_NUMBERED = re2.compile(r"^\d{1,2}[.)]\s")
_ITEM = re2.compile(r"^(?:\d{1,2}[.)]|[*•–-])\s")


def begins_with_steps(first: str) -> bool:
    """Whether a first line may begin such a list."""
    return bool(_HEADER.match(first) or _FIRST.match(first))


def last_step(content: str, lines: tuple[Line, ...]) -> int | None:
    """Index of the line with the last step; None where the answer does not begin with such a list.

    Steps are numbered; what stands indented or as an item below one belongs to it. A number 1 behind a blank line begins the answer.
    """
    first = content[lines[0].start : lines[0].end]
    if _HEADER.match(first):
        start = 1
    elif _FIRST.match(first):
        start = 0
    else:
        return None
    if len(lines) <= start or not _ITEM.match(content[lines[start].start : lines[start].end]):
        return None
    last = start
    for index in range(start + 1, len(lines)):
        line, text = lines[index], content[lines[index].start : lines[index].end]
        apart = lines[index - 1].gap_after
        again = apart and text.startswith("1.")
        indented = content[: line.start].rpartition("\n")[2] != ""
        if again or not (_NUMBERED.match(text) or indented or (_ITEM.match(text) and not apart)):
            break
        last = index
    return last

"""The answer begins in the middle of a sentence: its first piece was lost.

Catches: answers that begin with a space and a small letter although their sentences begin with capital ones, or with a comma or a full
stop.
Why it matters: a reader of the stream dropped the first delta, often the one that held reasoning and content both; no second copy is
needed to see it.
Misses: rows with chunks, which are compared with the message; beginnings that are lost up to a word, in scripts without capital
letters also up to a letter.
False alarms: continuations of a text that the request began; these are left alone.
Likely layers: client, gateway.
"""

from collections.abc import Iterator

import re2

from pipelines.rules import denominators
from pipelines.rules.examples import answer, clean, leak
from pipelines.rules.rule import Excluded, Rule, Span, Turn
from pipelines.rules.views.script import fold
from pipelines.schema import OPENING_START, Message

_MIDDLE = re2.compile(r"^[ \xa0]\p{Ll}|^[,;)] \pL|^\. \p{Lu}|^(?:'s|’s|n't) \pL|^[，。、；）]\pL")
_CAPITAL = re2.compile(r"[.!?:…]\s+[\"'«„“]?\p{Lu}\p{Ll}|\n\s*(?:[-*•#>]+ |\d+[.)] )?[*_\"'«„“]*\p{Lu}\p{Ll}")
_CONTINUES = re2.compile(
    r"(?i)\b(?:continue|complete|finish|go on|fill in|carry on|weiter|vervollstandig\w*|fortsetz\w*|setze\b.*\bfort|complet\w+|"
    r"continu\w+|termina|suite|acaba|lower ?case|minuscul\w+|kleinschreib\w*|kleinbuchstaben)\b|"
    r"续写|补全|继续|続き|続けて|이어|완성|продолж|законч|أكمل|पूरा कर|जारी"
)
_STARTS = (" ", ", ", "; ", ") ", ". ", "'s ", "’s ", "n't ", "，", "。", "、", "；", "）")


def find(turn: Turn) -> Iterator[Span | Excluded]:
    """The first characters, behind which the text goes on."""
    record = turn.record
    match = _MIDDLE.search(turn.content) if record.stream is not False and record.api != "completions" else None
    if match is None or record.chunks is not None or turn.blocks or turn.envelopes:
        return
    if turn.content[0].isspace() and not _CAPITAL.search(turn.content):
        return
    began = record.last_role == "assistant" or bool(record.messages and record.messages[-1].role == "assistant")
    if began or _CONTINUES.search(fold(turn.last_user)):
        yield Excluded("continuation")
    else:
        yield Span(0, match.end(), confidence=0.85)


RULE = Rule(
    id="answer-begins-in-the-middle",
    version=1,
    status="stable",
    tier="rule",
    symptom="stream_loss",
    find=find,
    eligible=denominators.content_is_text,
    openings=tuple(OPENING_START + start for start in _STARTS),
    repair="regenerate",
    layers=("client", "gateway"),
    action="Read reasoning and content of each chunk independently; do not use elif, both may be set.",
    verify="Find chunks with both fields set in the chunk log.",
    doc=__doc__,
    leaks=(
        leak(
            "a space and a small letter",
            answer(
                " den Antrag später stellen. Die Kasse zahlt dann rückwirkend. Legen Sie die Rechnung bei.", stream=True
            ),
        ),
        leak("a comma", answer(", so the last step is to save the file. Then restart.", stream=True)),
        leak("Russian", answer(" можете подать заявку позже. Касса заплатит.", stream=True)),
        leak("Chinese punctuation", answer("，所以最后一步是保存文件。", stream=True)),
    ),
    clean=(
        clean(
            "small letters were asked for",
            answer(" basalt. It has Crystals.", user="Use lower case only: name a rock.", stream=True),
        ),
        clean("no sentence begins with a capital letter", answer(" basalt, of course", stream=True)),
        clean(
            "the request began the text",
            answer(
                " was a king. He had a son.", messages=(Message("user", "A tale."), Message("assistant", "Once there"))
            ),
        ),
        clean("an ordinary space", answer(" The answer is 4. It is even.", stream=True)),
        clean("not streamed", answer(" den Antrag später stellen. Die Kasse zahlt.", stream=False)),
        clean("dots", answer("... and so on. That is all.", stream=True)),
    ),
)

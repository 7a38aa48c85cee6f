"""Thoughts of an earlier turn were sent back inside the text of an assistant message.

Catches: a block of thoughts in an earlier answer of the history, for families whose template has another place for reasoning or wants none.
Why it matters: the template renders the marks as answer text, which teaches the model to write them; one leak invites the next.
Misses: thoughts without marks.
False alarms: families whose template splits the text again in a running tool turn are left alone there.
Likely layers: client, chat_template.
"""

from collections.abc import Callable, Iterator
from functools import cache

import msgspec
import re2

from pipelines.rules import denominators
from pipelines.rules.examples import answer, clean, leak
from pipelines.rules.history import finished_turns
from pipelines.rules.literals import bits_in_text
from pipelines.rules.marks import THINK_NEEDLES
from pipelines.rules.rule import Excluded, Rule, Span, Turn
from pipelines.schema import Message

_STRIPPED = re2.compile(r"^\s*analysis(?:\n\s*)?[^\s:a-z](?s:.*?)assistantfinal")
"""Both channel names of harmony, glued to the text around them."""
_MESSAGES = 40
"""So many assistant messages, the newest ones, are looked at."""


def find(turn: Turn) -> Iterator[Span | Excluded]:
    """The block's place in the newest message that holds one."""
    if turn.family.history_reasoning in ("unknown", "in_content_only") or turn.record.messages is None:
        return
    messages = finished_turns(turn.record) if turn.family.history_splits_content else turn.record.messages
    said = [message for message in messages if message.role == "assistant"][-_MESSAGES:]
    for message in reversed(said):
        block = _block(turn, message)
        if block is not None:
            yield Span(*block, confidence=0.95)
            return


@cache
def _marked() -> Callable[[str], int]:
    return bits_in_text((needle, 1) for needle in THINK_NEEDLES)


def _block(turn: Turn, message: Message) -> tuple[int, int] | None:
    stripped = _STRIPPED.match(message.content) if "assistantfinal" in message.content else None
    if stripped:
        return stripped.start(), stripped.end()
    if not _marked()(message.content):
        return None
    asked = tuple(item for item in turn.record.messages or () if item.role in ("system", "developer"))
    shown = msgspec.structs.replace(turn.record, content=message.content, content_state="text", messages=asked)
    blocks = [block for block in Turn(shown, turn.family, turn.identity).blocks if block.thoughts and not block.excuse]
    return (blocks[0].start, blocks[0].end) if blocks else None


def _talk(first: str) -> tuple[Message, ...]:
    return (Message("user", "Why is there a tide?"), Message("assistant", first), Message("user", "And twice a day?"))


_LEAKED = "<think>\nTides, so the moon. Be brief.\n</think>\n\nThe moon pulls the water."

RULE = Rule(
    id="thoughts-sent-back-in-content",
    version=1,
    status="stable",
    tier="rule",
    symptom="history_contamination",
    find=find,
    eligible=denominators.history_is_known,
    needles=lambda family: (*THINK_NEEDLES, "assistantfinal"),
    channel="messages",
    layers=("client", "chat_template"),
    action="Send back the answer only, and the reasoning in the field that the template reads, if it reads one.",
    verify="The rendered prompt has no marks in earlier answers.",
    doc=__doc__,
    leaks=(
        leak("a whole block", answer("The far side bulges too.", family="deepseek-r1", messages=_talk(_LEAKED))),
        leak(
            "the closing tag only",
            answer(
                "Auch die andere Seite.",
                family="qwen3.5+",
                messages=_talk("Kurz erklären.\n</think>\nDer Mond zieht am Wasser."),
            ),
        ),
        leak(
            "the channel names of harmony without their tokens",
            answer(
                "The far side bulges too.",
                family="gpt-oss",
                messages=_talk("analysisUser asks about tides. Moon.assistantfinalThe moon pulls the water."),
            ),
        ),
    ),
    clean=(
        clean(
            "sent back in its field",
            answer("The far side bulges too.", family="deepseek-r1", messages=_talk("The moon pulls the water.")),
        ),
        clean(
            "the template wants it in the content",
            answer("The far side bulges too.", family="hermes", messages=_talk(_LEAKED)),
        ),
        clean(
            "the family's rule is not known",
            answer("The far side bulges too.", family="claude", messages=_talk(_LEAKED)),
        ),
        clean(
            "the tag was explained", answer("Yes.", family="qwen3", messages=_talk("Remove `</think>` from the text."))
        ),
    ),
)

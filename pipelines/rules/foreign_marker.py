"""A mark of another model family stands in the visible answer.

Catches: reasoning marks and call markers that the known family of the model does not write: the spelling of another generation, a vendor's
tag on another vendor's model.
Why it matters: it points at a wrong template, a wrong parser that inserts its own marks, or a name in the log that hides another model.
Misses: models of unknown family; tokens that many families share.
False alarms: fine-tunes that were trained on another family's format under the base model's name.
Likely layers: chat_template, model, engine_parser.
"""

from collections.abc import Iterator

from pipelines.rules import denominators
from pipelines.rules.examples import answer, clean, leak
from pipelines.rules.marks import THINK_NEEDLES
from pipelines.rules.rule import Excluded, Rule, Span, Turn
from pipelines.rules.views.configuration import keeps_reasoning_in_content

_SHARED = ("<think>", "</think>")
"""Every model may have learnt these from others' outputs; they are foreign only where the family never thinks."""


def find(turn: Turn) -> Iterator[Span | Excluded]:
    """One span per mark of a leaked block that the model's family does not own."""
    family = turn.family
    if family.name == "unknown" or keeps_reasoning_in_content(turn.record, turn.identity):
        return
    leaked = [block for block in turn.blocks if not block.excuse]
    own = {mark.strip() for mark in (*family.reasoning_start, *family.reasoning_end)} if leaked else set()
    for block in leaked:
        for place in (block.opener, block.closer):
            if place is None:
                continue
            start, end = turn.decoded.decoded(place[0]), turn.decoded.decoded(place[1])
            mark = turn.decoded.text[start:end].strip()
            shared = family.reasons and mark.lower() in _SHARED
            if not shared and not any(mark.startswith(known) or known.startswith(mark) for known in own if known):
                yield Span(*place, confidence=0.9)


RULE = Rule(
    id="foreign-reasoning-marker",
    version=1,
    status="stable",
    tier="rule",
    symptom="boundary_token",
    find=find,
    eligible=lambda turn: denominators.content_is_text(turn) and turn.family.name != "unknown",
    needles=lambda family: THINK_NEEDLES,
    repair="strip",
    layers=("chat_template", "model", "engine_parser"),
    action="Compare the checkpoint's own chat template and tokenizer with the ones that are served, and the parser's name with the model's "
    "generation; correct the deployment history where an alias hides another model.",
    verify="Render the template of the checkpoint: its marks are the family's, and the answer's mark is not among its tokens.",
    doc=__doc__,
    leaks=(
        leak(
            "MiniMax-M3's spelling on M2", answer("<mm:think>short</mm:think>Done.", family="minimax-m2"), "<mm:think>"
        ),
        leak("Mistral's brackets on Qwen3", answer("[THINK]six[/THINK]Six faces.", family="qwen3"), "[/THINK]"),
        leak(
            "a think tag on a model that does not reason",
            answer("So four.\n</think>\n\nFour.", family="qwen2.5"),
            "</think>",
        ),
    ),
    clean=(
        clean("the family's own tag", answer("<think>a</think>b", family="qwen3")),
        clean(
            "the common tag on a reasoning family of another spelling",
            answer("<think>a</think>b", family="mistral-reasoning"),
        ),
        clean("an unknown family owns nothing", answer("[THINK]a[/THINK]b")),
    ),
)

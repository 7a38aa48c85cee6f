"""Something that looks like a special token, but of no known family, stands in the visible answer.

Catches: a well-formed `<|word|>` that is in no family's list.
Why it matters: new models bring new tokens; this is where they show first.
Misses: tokens of another shape.
False alarms: templates and pipes of programming languages outside of code.
Likely layers: chat_template, model.
"""

from collections.abc import Iterator
from itertools import islice

import re2

from pipelines.rules import denominators
from pipelines.rules.examples import answer, clean, leak
from pipelines.rules.rule import Excluded, Rule, Span, Turn
from pipelines.rules.views.excuse import excuse_of_marker
from pipelines.rules.views.intervals import covers, merge

_TOKEN = re2.compile(r"<\|[A-Za-z][A-Za-z0-9_:.▁-]{2,40}\|>")

_MOST = 200
"""Tokens of one content that are read."""


def find(turn: Turn) -> Iterator[Span | Excluded]:
    """One span per token that is no mark, no listed token and in no call."""
    if "<|" not in turn.decoded.text:
        return
    places = [(block.start, block.end) for block in turn.blocks] + [(call.start, call.end) for call in turn.envelopes]
    known = merge(places + [(run.start, run.end) for run in turn.token_runs])
    for match in islice(_TOKEN.finditer(turn.decoded.text), _MOST):
        start, end = turn.decoded.origin(match.start()), turn.decoded.origin(match.end())
        if covers(known, start, end):
            continue
        excuse = excuse_of_marker(turn, start, end)
        yield Excluded(excuse) if excuse else Span(start, end, confidence=0.5)


RULE = Rule(
    id="unlisted-token-in-content",
    version=1,
    status="preview",
    tier="rule",
    symptom="boundary_token",
    find=find,
    eligible=denominators.content_is_text,
    needles=lambda family: ("<|", "|>", "<｜", "｜>"),
    repair="strip",
    layers=("chat_template", "model"),
    action="Look the token up in the model's tokenizer configuration and report it, so that it enters the family's list.",
    verify="The tokenizer of the model encodes the text as one token.",
    doc=__doc__,
    leaks=(leak("a token of no family", answer("Done.<|turn_finished|>"), "<|turn_finished|>"),),
    clean=(
        clean("a listed token is reported by its own rule", answer("Done.<|im_end|>")),
        clean("inside code", answer("`<|my_token|>` is yours.", user="Which token?")),
    ),
)

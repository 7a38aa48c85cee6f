"""The content is thoughts without a mark up to the token limit; there is no answer in it.

Catches: turns that ended by length whose content reads like thinking from the first line to the last.
Why it matters: the opening tag stood in the prompt and the closing one was never written, so that no marker rule can see it.
Misses: long thoughts whose last lines read like an answer.
False alarms: those of untagged thoughts.
Likely layers: client, engine_parser.
"""

from collections.abc import Iterator

from pipelines.rules import denominators, thoughts
from pipelines.rules.examples import answer, clean, leak
from pipelines.rules.rule import Excluded, Rule, Span, Turn
from pipelines.rules.untagged_thoughts import is_configured
from pipelines.rules.wording import OPENINGS


def find(turn: Turn) -> Iterator[Span | Excluded]:
    """The whole content."""
    passage = thoughts.lead(turn) if turn.record.finish_reason == "length" else None
    if passage is not None and not passage.answered and not thoughts.excuse(turn, passage):
        yield Span(passage.start, passage.end, confidence=0.75, configured=is_configured(turn))


RULE = Rule(
    id="untagged-thoughts-to-the-limit",
    version=1,
    status="preview",
    tier="heuristic",
    symptom="truncated_reasoning",
    find=find,
    eligible=denominators.finish_is_known,
    openings=OPENINGS,
    repair="regenerate",
    layers=("client", "engine_parser"),
    action="Set the reasoning parser of the model; raise max_tokens or set thinking_token_budget.",
    verify="With more tokens a closing tag and an answer follow.",
    doc=__doc__,
    leaks=(
        leak(
            "planning to the limit",
            answer(
                "The user wants both tyres compared. I should list grip first. Let me draft the rows for",
                finish="length",
            ),
        ),
        leak("Chinese", answer("用户想了解两种轮胎的差别。需要先列出要点，回答要简短，接着", finish="length")),
    ),
    clean=(
        clean("stopped by itself", answer("The user asks about tyres. I should keep it short.")),
        clean(
            "an answer had begun",
            answer(
                "The user asks about tyres. I should keep it short.\n\nWinter tyres are softer and", finish="length"
            ),
        ),
    ),
)

"""Tools were offered, no call came, and the content reads like thinking.

Catches: answers that begin with thoughts or consist of them, in turns with tools and an empty list of calls.
Why it matters: it looks as if the model ignored its tools, and it is configuration: reasoning that is not separated hides the
calls from the
parser.
Misses: thoughts that do not read like any.
False alarms: those of untagged thoughts.
Likely layers: engine_parser.
"""

from collections.abc import Iterator

from pipelines.rules import thoughts
from pipelines.rules.examples import WEATHER, answer, clean, leak
from pipelines.rules.rule import Excluded, Rule, Span, Turn
from pipelines.rules.shown_thoughts import is_shown
from pipelines.rules.untagged_thoughts import is_configured
from pipelines.rules.wording import OPENINGS
from pipelines.schema import ToolCall


def find(turn: Turn) -> Iterator[Span | Excluded]:
    """The lead. Those that are excused are counted once, by the rule on untagged thoughts."""
    passage = thoughts.lead(turn) if _eligible(turn) else None
    if passage is not None and not thoughts.excuse(turn, passage) and not is_shown(turn, passage):
        repair = "strip" if passage.answered and passage.whole else "regenerate"
        yield Span(passage.start, passage.end, confidence=0.8, repair=repair, configured=is_configured(turn))


def _eligible(turn: Turn) -> bool:
    """Content is text, tools were offered and not switched off, and the list of calls is there and empty."""
    record = turn.record
    offered = bool(record.tools) and record.tool_choice != "none"
    return record.content_state == "text" and offered and record.tool_calls_state == "empty"


RULE = Rule(
    id="thoughts-in-place-of-call",
    version=1,
    status="preview",
    tier="heuristic",
    symptom="reasoning_leak",
    find=find,
    eligible=_eligible,
    openings=OPENINGS,
    repair="regenerate",
    layers=("engine_parser",),
    action="Check that reasoning arrives in its own field before you change the prompt or the model: set "
    "--reasoning-parser with the tool parser.",
    verify="Look for `Auto-initialization of reasoning token IDs failed` in the engine's log.",
    doc=__doc__,
    leaks=(
        leak(
            "it plans a call and writes none",
            answer(
                "The user wants the weather in Oslo. I should answer with the tool. I think one day.", tools=(WEATHER,)
            ),
        ),
        leak(
            "German",
            answer(
                "Der Nutzer fragt nach Regen in Ulm. Ich muss das Werkzeug nehmen, ich sollte den Ort nennen.",
                tools=(WEATHER,),
            ),
        ),
    ),
    clean=(
        clean("no tools were offered", answer("The user wants the weather in Oslo. I should keep it short.\n\nSunny.")),
        clean(
            "a call came",
            answer(
                "The user wants the weather. I should keep it short.",
                tools=(WEATHER,),
                calls=(ToolCall("get_weather", "{}"),),
            ),
        ),
        clean("an answer", answer("It is sunny in Oslo.", tools=(WEATHER,))),
    ),
)

"""A stop string of the request matched inside the reasoning and ended the turn before an answer.

Catches: turns with stop strings that stopped by themselves with an empty content, when the engine names the string or the reasoning breaks
off in the middle of a sentence.
Why it matters: the client asked for a stop in the answer and gets none at all.
Misses: strings that matched behind a full stop, unless the engine names them.
False alarms: none known.
Likely layers: engine_parser, client.
"""

from collections.abc import Iterator

from pipelines.rules import denominators
from pipelines.rules.endings import ending_of, may_have_ended_early
from pipelines.rules.examples import answer, clean, leak
from pipelines.rules.rule import Excluded, Rule, Span, Turn


def find(turn: Turn) -> Iterator[Span | Excluded]:
    """The reasoning as far as it goes."""
    ending = ending_of(turn)
    if ending is not None and ending.cut:
        yield Span(0, len(turn.reasoning), confidence=0.9)


RULE = Rule(
    id="stop-string-inside-reasoning",
    version=1,
    status="stable",
    tier="rule",
    symptom="truncated_reasoning",
    find=find,
    eligible=denominators.finish_is_known,
    wants=may_have_ended_early,
    channel="reasoning",
    repair="regenerate",
    layers=("engine_parser", "client"),
    action="End the turn with the model's own end token and max_tokens instead of stop, or take a release in which "
    "stop strings do not apply "
    "to the reasoning.",
    verify="Repeat without stop: the answer comes.",
    doc=__doc__,
    leaks=(
        leak("breaks off in a word", answer(None, reasoning="用户想知道一周有几", stop=("天",))),
        leak(
            "agent markers as stop strings",
            answer(None, reasoning="Zum Schluss das Format prüfen, dann", stop=("Observation:",)),
        ),
        leak(
            "the engine names the string",
            answer(None, reasoning="One line is enough.", stop=("\n\n",), stop_detail="\n\n"),
        ),
    ),
    clean=(
        clean("no stop string was set", answer(None, reasoning="用户想知道一周有几")),
        clean(
            "thinking was off, so the text is the answer",
            answer(None, reasoning="下午好", stop=("天",), chat_template_kwargs={"enable_thinking": False}),
        ),
        clean("an answer came", answer("Red, green,", reasoning="List colours", stop=("END",))),
        clean(
            "the reasoning is finished", answer(None, reasoning="Frühling, Sommer, Herbst und Winter.", stop=("###",))
        ),
    ),
)

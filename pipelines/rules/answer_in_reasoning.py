"""The answer stands in the reasoning field, and the content is empty.

Catches: turns that stopped by themselves with nothing in the content and an answer in the reasoning: a parser that takes everything
before a closing tag for reasoning, thinking switched off under a parser that assumes it is on.
Why it matters: the user gets an empty message although the model answered.
Misses: answers that look like thoughts; rows whose format does not show the reasoning.
False alarms: a model that ended its turn in the middle of its thoughts; then no text is offered for rescue.
Likely layers: engine_parser, chat_template.
"""

from collections.abc import Iterator

from pipelines.rules import denominators
from pipelines.rules.endings import ending_of, may_have_ended_early
from pipelines.rules.examples import answer, clean, leak
from pipelines.rules.rule import Excluded, Rule, Span, Turn


def find(turn: Turn) -> Iterator[Span | Excluded]:
    """The part of the reasoning that is the answer; an empty span where nothing in it can be told to be one."""
    ending = ending_of(turn)
    if ending is None or ending.cut:
        return
    if ending.start < ending.end:
        yield Span(ending.start, ending.end)
    else:
        yield Span(ending.start, ending.start, confidence=0.8, repair="regenerate")


RULE = Rule(
    id="answer-in-reasoning",
    version=1,
    status="stable",
    tier="rule",
    symptom="misrouted_answer",
    find=find,
    eligible=denominators.finish_and_reasoning_are_known,
    wants=may_have_ended_early,
    channel="reasoning",
    repair="rescue",
    layers=("engine_parser", "chat_template"),
    action="Switch to the parser of the model's family, and give it the thinking mode of the request.",
    verify="Compare with the parser that the model card recommends.",
    doc=__doc__,
    leaks=(
        leak(
            "a short reply with thinking off",
            answer(None, reasoning="下午好，需要什么？", chat_template_kwargs={"enable_thinking": False}),
            "下午好，需要什么？",
        ),
        leak("JSON", answer("", reasoning='{"floor": 3}'), '{"floor": 3}'),
        leak(
            "a thought first, then the answer",
            answer(None, reasoning="The user wants one line. I should keep it short.\n\nHTTP 201 means created."),
            "HTTP 201 means created.",
        ),
        leak(
            "behind the closing mark that the parser did not see",
            answer(" ", reasoning="Status 201, one line.\n</think>\n\nHTTP 201 means created.", family="qwen3"),
            "HTTP 201 means created.",
        ),
        leak(
            "no stop string cut it",
            answer(None, reasoning="Температура кипения 100 °C.", stop=("###",)),
            "Температура кипения 100 °C.",
        ),
    ),
    clean=(
        clean("the answer is in its place", answer("Yes.", reasoning="Yes.")),
        clean("cut by length", answer(None, reasoning="Birke, Buche und", finish="length")),
        clean("a stop string matched in the thoughts", answer(None, reasoning="用户想知道一周有几", stop=("天",))),
        clean(
            "a call in the reasoning is another symptom",
            answer(None, reasoning='<tool_call>{"name": "f", "arguments": {}}</tool_call>'),
        ),
        clean("no reasoning came", answer(None)),
    ),
)

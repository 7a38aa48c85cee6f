"""A tool call stands in the reasoning, `tool_calls` is empty and the turn ends without it.

Catches: calls of every syntax in the reasoning field, of an offered tool, as the last thing in it or with an empty content.
Why it matters: parsers look for calls in the content only, so the agent stops although the model decided to act; it looks like a model
that ignores its tools.
Misses: a call in reasoning that the log does not show.
False alarms: reasoning that only discusses a call; a proper answer with the call somewhere in the middle of the thoughts is skipped.
Likely layers: engine_parser, model.
"""

from collections.abc import Iterator

from pipelines.rules import denominators
from pipelines.rules.call_syntax import SYNTAXES, Envelope
from pipelines.rules.examples import WEATHER, answer, clean, leak
from pipelines.rules.repair import executable
from pipelines.rules.rule import Excluded, Rule, Span, Turn

_CLOSERS = ("</think>", "<|end|>", "<|call|>", "[/THINK]", "</tool_call>", "```")


def find(turn: Turn) -> Iterator[Span | Excluded]:
    """One span per call in the reasoning."""
    record = turn.record
    if record.tool_calls or not record.tools:
        return
    envelopes = [item for item in turn.reasoning_envelopes if _offered(turn, item)]
    for envelope in envelopes:
        certain = bool(executable(turn, envelope))
        if turn.content.strip() and not (certain and _is_last(turn, envelopes[-1])):
            yield Excluded("discussed_in_reasoning")
            continue
        repair = (
            "rescue" if certain and record.tool_choice != "none" and record.finish_reason != "length" else "regenerate"
        )
        yield Span(envelope.start, envelope.end, confidence=0.97 if certain else 0.85, repair=repair)


def _offered(turn: Turn, envelope: Envelope) -> bool:
    """Whether all calls are of offered tools; a cut call has to name one."""
    names = {tool.name for tool in turn.record.tools or ()}
    if not envelope.calls:
        return any(name in turn.reasoning[envelope.start : envelope.end] for name in names)
    return all(call.name in names for call in envelope.calls)


def _is_last(turn: Turn, envelope: Envelope) -> bool:
    """Whether nothing but closing marks follows the call."""
    rest = turn.reasoning[envelope.end :].strip()
    return not rest or rest in _CLOSERS


RULE = Rule(
    id="tool-call-in-reasoning",
    version=1,
    status="stable",
    tier="rule",
    symptom="tool_call_in_reasoning",
    find=find,
    eligible=denominators.reasoning_is_visible,
    needles=lambda family: (
        *(needle for syntax in SYNTAXES for needle in syntax.needles if needle != " to="),
        "to=functions",
        "|>xml<|",
        "invoke name=",
    ),
    channel="reasoning",
    repair="rescue",
    layers=("engine_parser", "model"),
    action="Set reasoning parser and tool-call parser together, for this family and generation; the call has to come behind the end of the "
    "thoughts. A rescue parser can read a certain call out of the reasoning.",
    verify="In the raw text, see whether the call stands before the end of the thoughts.",
    doc=__doc__,
    leaks=(
        leak(
            "the thoughts were not closed before the call",
            answer(
                None,
                reasoning="Look it up.\n<tool_call>\n<function=get_weather>\n<parameter=city>Oslo</parameter>\n</function>\n</tool_call>",
                tools=(WEATHER,),
            ),
            "<tool_call>\n<function=get_weather>\n<parameter=city>Oslo</parameter>\n</function>\n</tool_call>",
        ),
        leak(
            "bare JSON as the last thing",
            answer(None, reasoning='Oslo.\n{"name": "get_weather", "arguments": {"city": "Oslo"}}', tools=(WEATHER,)),
            '{"name": "get_weather", "arguments": {"city": "Oslo"}}',
        ),
        leak(
            "Kimi's tokens with spaces between them",
            answer(
                "",
                reasoning='<|tool_call_begin|> functions.get_weather:0 <|tool_call_argument_begin|> {"city": "Oslo"} <|tool_call_end|>',
                tools=(WEATHER,),
            ),
        ),
    ),
    clean=(
        clean(
            "the thoughts discuss a call, a proper answer follows",
            answer(
                "No, it is 4.",
                reasoning='I could write <tool_call>{"name": "get_weather"}</tool_call> but no tool is needed.',
                tools=(WEATHER,),
            ),
        ),
        clean("no tools were offered", answer(None, reasoning='{"name": "get_weather", "arguments": {}}')),
    ),
)

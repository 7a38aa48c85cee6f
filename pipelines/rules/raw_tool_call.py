"""A tool call that carries its marker stands as text in the answer.

Catches: the call syntaxes of all families in their envelopes or with their tokens, readable or cut; a name of an offered tool and
arguments that fit its schema raise the confidence.
Why it matters: no client runs a call that is text; the user sees machine language and the task stops.
Misses: near-miss spellings that no syntax reads.
False alarms: an answer that shows a call in plain text although tools were offered and nothing names it as an example.
Likely layers: engine_parser, model.
"""

import json
from collections.abc import Iterator

from pipelines.rules import denominators
from pipelines.rules.call_excuse import excuse_of_call
from pipelines.rules.call_syntax import SYNTAXES, Envelope
from pipelines.rules.examples import WEATHER, answer, clean, leak
from pipelines.rules.repair import claims_results, executable
from pipelines.rules.rule import Excluded, Rule, Span, Turn
from pipelines.schema import ToolCall


def find(turn: Turn) -> Iterator[Span | Excluded]:
    """One span per envelope that carries a marker."""
    if not denominators.calls_may_stand_in_content(turn) and turn.record.tool_choice != "none":
        return
    for envelope in turn.envelopes:
        if not envelope.marked:
            continue
        excuse = excuse_of_call(turn, envelope)
        if excuse:
            yield Excluded(excuse)
        else:
            yield Span(
                lead_in(turn, envelope),
                envelope.end,
                confidence=certainty(turn, envelope),
                repair=repair_of(turn, envelope),
            )


def certainty(turn: Turn, envelope: Envelope) -> float:
    """0.99 for a call of an offered tool whose arguments fit, 0.95 for one with its name, 0.85 for an envelope alone."""
    if executable(turn, envelope):
        return 0.99
    offered = {tool.name for tool in turn.record.tools or ()}
    return 0.95 if any(call.name in offered for call in envelope.calls) else 0.85


def repair_of(turn: Turn, envelope: Envelope) -> str:
    """Strip the copy of a structured call, rescue what is certain, else ask again."""
    calls = executable(turn, envelope)
    if turn.record.tool_calls and is_copy(turn, envelope, calls):
        return "strip"
    if turn.record.tool_choice == "none" or claims_results(turn, envelope):
        return "regenerate"
    return "rescue" if calls else "regenerate"


def is_copy(turn: Turn, envelope: Envelope, calls: list[ToolCall]) -> bool:
    """Whether every call of the envelope is structured already: name and arguments, or the name where they cannot be read."""
    structured = {(call.name, canonical(call.arguments)) for call in turn.record.tool_calls}
    if calls:
        return all((call.name, canonical(call.arguments)) in structured for call in calls)
    return all(call.name in {name for name, _ in structured} for call in envelope.calls)


def canonical(arguments: str | None) -> str:
    """Arguments in one spelling: two texts of the same JSON compare equal."""
    try:
        return json.dumps(json.loads(arguments or "{}"), sort_keys=True)
    except (ValueError, RecursionError):
        return arguments or ""


def lead_in(turn: Turn, envelope: Envelope) -> int:
    """Start of the span: a line `call NAME` right before the envelope belongs to it."""
    before = turn.content[: envelope.start]
    line = before.rstrip().rpartition("\n")[2].strip()
    if envelope.calls and line in (
        f"call {envelope.calls[0].name}",
        f"{envelope.calls[0].name}:",
        envelope.calls[0].name,
    ):
        return before.rindex(line)
    return envelope.start


_NEEDLES = tuple(needle for syntax in SYNTAXES if syntax.marked for needle in syntax.needles if needle != " to=")
_ESCAPED = (
    "invoke name=",
    "function=",
    "tool_call&gt;",
    "&lt;tool_call",
    "DSML",
    "\\u003ctool_call",
    "\\u003cfunction",
)

RULE = Rule(
    id="tool-call-in-content",
    version=1,
    status="stable",
    tier="rule",
    symptom="raw_tool_call",
    find=find,
    eligible=denominators.calls_may_stand_in_content,
    needles=lambda family: (*_NEEDLES, *_ESCAPED, "to=functions", "|>xml<|"),
    repair="rescue",
    layers=("engine_parser", "model"),
    action="Start the engine with the tool-call parser of this model (and the reasoning parser with it); check family, generation and chat "
    "template. Until then a rescue parser can turn a certain call into a structured one.",
    verify="Repeat with the parser set: tool_calls is filled and the content is empty. In the raw text, see whether the "
    "call stands before the end of the thoughts.",
    doc=__doc__,
    leaks=(
        leak(
            "Hermes JSON, no tool parser",
            answer(
                '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>', tools=(WEATHER,)
            ),
            '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>',
        ),
        leak(
            "XML parameters behind a lead-in",
            answer(
                "One moment.\n\n<function=get_weather>\n<parameter=city>\nOslo\n</parameter>\n</function>",
                tools=(WEATHER,),
            ),
            "<function=get_weather>\n<parameter=city>\nOslo\n</parameter>\n</function>",
        ),
        leak(
            "cut by the token limit",
            answer('<tool_call>\n{"name": "get_weather", "argu', tools=(WEATHER,), finish="length"),
        ),
        leak(
            "the request is not in the log",
            answer('[TOOL_CALLS]get_weather[ARGS]{"city": "Oslo"}', messages=None, tools=None),
            '[TOOL_CALLS]get_weather[ARGS]{"city": "Oslo"}',
        ),
        leak(
            "look-alike bars",
            answer(
                '<‖DSML‖invoke name="get_weather"><‖DSML‖parameter name="city">Oslo</‖DSML‖parameter></‖DSML‖invoke>',
                tools=(WEATHER,),
            ),
        ),
        leak(
            "the text copies a call that is structured already",
            answer(
                '<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>',
                tools=(WEATHER,),
                calls=(ToolCall("get_weather", '{"city": "Oslo"}'),),
                finish="tool_calls",
            ),
        ),
    ),
    clean=(
        clean(
            "no tools in the request",
            answer('<tool_call>\n{"name": "f", "arguments": {}}\n</tool_call>', user="Show Hermes style."),
        ),
        clean(
            "the call stands in a fence",
            answer('Write:\n```\n<tool_call>{"name": "get_weather"}</tool_call>\n```', tools=(WEATHER,)),
        ),
        clean(
            "a build file with a function element",
            answer('<function name="sign">\n  <param name="x"/>\n</function>', tools=(WEATHER,)),
        ),
        clean(
            "prose about the syntax",
            answer("Each call is written as <tool_call>, a JSON object and </tool_call>.", tools=(WEATHER,)),
        ),
        clean(
            "an echo of a tool result",
            answer(
                'The log holds <tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call> twice.',
                tools=(WEATHER,),
                user='Log: <tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>',
            ),
        ),
    ),
)

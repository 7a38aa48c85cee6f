"""A tag of the model's call format stands in the answer without a call around it, or with a result that no tool gave.

Catches: opening or closing call tags that a parser left behind, also beside structured calls, and invented tool results in the tags of
the template.
Why it matters: users see machine marks, and an invented result looks like a real one.
Misses: requests without tools, where such tags are text.
False alarms: prose about the tags at the start of a line.
Likely layers: engine_parser, model.
"""

from collections.abc import Iterator
from itertools import islice

import re2

from pipelines.rules import denominators
from pipelines.rules.examples import WEATHER, answer, clean, leak
from pipelines.rules.rule import Excluded, Rule, Span, Turn
from pipelines.rules.views.excuse import excuse_of_marker
from pipelines.rules.views.intervals import covers, merge
from pipelines.schema import ToolCall

_TAG = re2.compile(
    r"(?s)<tool_response>.*?</tool_response>|<function_results>.*?</function_results>"
    r"|</?(?:minimax:|seed:|longcat_|iquest_|dots_|atem:)?(?:tool_calls?|function_calls?|TOOLCALL|tool_response)(?::\w+)?>"
    r"|</function>|</invoke>|</arg_value>|\[/?TOOL_CALLS\]|\[ARGS\]|<\|?/?\|(?:DSML|GCML)\| ?\w+>|</\|(?:DSML|GCML)\| ?\w+>"
)
_MOST = 100


def find(turn: Turn) -> Iterator[Span | Excluded]:
    """One span per tag outside of calls and thoughts, or per invented result with its tags."""
    if not (turn.record.tools or turn.record.tool_calls):
        return
    places = [(call.start, call.end) for call in turn.envelopes] + [
        (block.start, block.end) for block in turn.blocks if not block.excuse
    ]
    taken = merge(places)
    for match in islice(_TAG.finditer(turn.decoded.text), _MOST):
        start, end = turn.decoded.origin(match.start()), turn.decoded.origin(match.end())
        if covers(taken, start, end):
            continue
        excuse = "markup" if _closes_element(turn.decoded.text, match.group()) else excuse_of_marker(turn, start, end)
        yield Excluded(excuse) if excuse else Span(start, end, confidence=0.9)


def _closes_element(text: str, tag: str) -> bool:
    """Whether `</function>` or `</invoke>` closes an element of another kind than a call, as in a build file."""
    return tag in ("</function>", "</invoke>") and f"<{tag[2:-1]}" in text


RULE = Rule(
    id="call-marker-in-content",
    version=1,
    status="stable",
    tier="rule",
    symptom="boundary_token",
    find=find,
    eligible=lambda turn: (
        denominators.content_is_text(turn) and bool(turn.record.tools or turn.record.tool_calls_state == "present")
    ),
    needles=lambda family: (
        *(
            "tool_call>",
            "tool_calls>",
            "tool_call:",
            "tool_calls:",
            "function_call>",
            "function_calls>",
            "TOOLCALL>",
            "tool_response>",
        ),
        *(
            "function_results>",
            "</function>",
            "</invoke>",
            "</arg_value>",
            "TOOL_CALLS]",
            "[ARGS]",
            "DSML",
            "GCML",
            "_call&gt;",
            "_calls&gt;",
        ),
    ),
    repair="strip",
    layers=("engine_parser", "model"),
    action="Take an engine release whose tool-call parser removes its own markers, and check that parser and model generation fit.",
    verify="Compare the raw text with content and tool_calls: the tag belongs to a call that was read, or to none.",
    doc=__doc__,
    leaks=(
        leak(
            "the parser read the call and left its tag",
            answer(
                "<tool_call>",
                tools=(WEATHER,),
                calls=(ToolCall("get_weather", '{"city": "Oslo"}'),),
                finish="tool_calls",
            ),
            "<tool_call>",
        ),
        leak(
            "a closing tag behind the answer",
            answer("It is mild in Oslo.\n</tool_call>", tools=(WEATHER,)),
            "</tool_call>",
        ),
        leak(
            "an invented result",
            answer('<tool_response>\n{"t": 4}\n</tool_response>\nFour degrees.', tools=(WEATHER,)),
            '<tool_response>\n{"t": 4}\n</tool_response>',
        ),
    ),
    clean=(
        clean("no tools in the request", answer("</tool_call>", user="Print the closing tag.")),
        clean(
            "a tag named in a sentence",
            answer("The model ends each call with </tool_call>, then stops.", tools=(WEATHER,)),
        ),
        clean(
            "the tag belongs to a call that has its own finding",
            answer('<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>', tools=(WEATHER,)),
        ),
    ),
)

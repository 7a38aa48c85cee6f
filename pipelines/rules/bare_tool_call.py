"""A tool call without any marker stands as text in the answer: bare JSON, a Python call list, a name glued to its arguments.

Catches: JSON with name and arguments (or parameters) of an offered tool that is the whole content or ends it, arrays of them, Python call
lists, Kimi's `functions.name:0{…}` and Mistral's `name{…}` after their tokens were stripped, Gemma's `call:name{…}`.
Why it matters: no client runs a call that is text, and no tag betrays it.
Misses: calls of tools that the request does not name; calls in the middle of prose.
False alarms: an example call that the user asked for in a request that offers this very tool.
Likely layers: engine_parser, model.
"""

from collections.abc import Iterator

from pipelines.rules import denominators
from pipelines.rules.call_excuse import excuse_of_call
from pipelines.rules.call_syntax import SYNTAXES
from pipelines.rules.examples import WEATHER, answer, clean, leak
from pipelines.rules.raw_tool_call import certainty, lead_in, repair_of
from pipelines.rules.repair import executable
from pipelines.rules.rule import Excluded, Rule, Span, Turn
from pipelines.rules.views.examples_asked import asks_for_example
from pipelines.schema import Record

_MISTRAL = ("mistral", "ministral", "devstral", "magistral", "codestral", "mixtral", "pixtral")


def find(turn: Turn) -> Iterator[Span | Excluded]:
    """One span per call of an offered tool; calls in the middle of prose are no calls."""
    if not denominators.calls_may_stand_in_content(turn) and turn.record.tool_choice != "none":
        return
    for envelope in turn.envelopes:
        if envelope.marked:
            continue
        excuse = excuse_of_call(turn, envelope)
        after = turn.content[envelope.end :].strip()
        if not excuse and after and not executable(turn, envelope):
            excuse = "prose"
        if not excuse and (after or turn.content[: envelope.start].strip()) and asks_for_example(turn.last_user):
            excuse = "requested_format"
        if excuse:
            yield Excluded(excuse)
            continue
        repair = "regenerate" if after and envelope.start == 0 and len(after) > 200 else repair_of(turn, envelope)
        yield Span(lead_in(turn, envelope), envelope.end, confidence=certainty(turn, envelope) - 0.04, repair=repair)


def _wants(record: Record) -> bool:
    """Mistral's stripped form and the bare arguments of a forced tool have no literal of their own."""
    if not record.tools or record.tool_calls_state == "present" or record.tool_choice == "none":
        return False
    if record.tool_choice in {tool.name for tool in record.tools}:
        return True
    names = " ".join(
        name for name in (record.model_id, record.model_deployed, record.model_requested, record.model) if name
    ).lower()
    return any(name in names for name in _MISTRAL)


_SOME = tuple(
    needle
    for syntax in SYNTAXES
    if syntax.name in ("bare_json", "python_call", "gemma_call")
    for needle in syntax.needles
)

RULE = Rule(
    id="bare-tool-call-in-content",
    version=1,
    status="stable",
    tier="rule",
    symptom="raw_tool_call",
    find=find,
    eligible=denominators.calls_may_stand_in_content,
    needles=lambda family: (
        *_SOME,
        *(f":{digit}{{" for digit in range(10)),
        *(f":{digit} {{" for digit in range(10)),
        "<invoke name=",
        "<function name=",
        "Action Input:",
    ),
    wants=_wants,
    repair="rescue",
    layers=("engine_parser", "model"),
    action="Set the tool-call parser of the family; with tools in the request it also keeps the special tokens that mark the call.",
    verify="Ask for the raw text with skip_special_tokens=false: the tokens of the call stand around it, or the model left them out.",
    doc=__doc__,
    leaks=(
        leak(
            "the whole content is the call",
            answer('{"name": "get_weather", "arguments": {"city": "Oslo"}}', tools=(WEATHER,)),
            '{"name": "get_weather", "arguments": {"city": "Oslo"}}',
        ),
        leak(
            "Llama 3 says parameters",
            answer('{"name": "get_weather", "parameters": {"city": "Oslo"}}', tools=(WEATHER,), family="llama-3"),
        ),
        leak(
            "a Python list",
            answer('[get_weather(city="Oslo", days=2)]', tools=(WEATHER,)),
            '[get_weather(city="Oslo", days=2)]',
        ),
        leak(
            "the arguments of the forced tool are the whole content",
            answer('{"city": "Oslo"}', tools=(WEATHER,), tool_choice="get_weather"),
            '{"city": "Oslo"}',
        ),
        leak(
            "Kimi after its tokens were stripped",
            answer('I will look. functions.get_weather:0{"city": "Oslo"}', tools=(WEATHER,)),
            'functions.get_weather:0{"city": "Oslo"}',
        ),
        leak(
            "Mistral after its tokens were stripped",
            answer('get_weather{"city": "Oslo"}', tools=(WEATHER,), family="mistral", model_id="mistral-small"),
            'get_weather{"city": "Oslo"}',
        ),
    ),
    clean=(
        clean(
            "JSON that is not the forced tool's arguments",
            answer('{"unit": "C"}', tools=(WEATHER,), tool_choice="get_weather"),
        ),
        clean(
            "a package manifest", answer('```json\n{"name": "tide-widget", "version": "0.3.1"}\n```', tools=(WEATHER,))
        ),
        clean("a name that no tool has", answer('{"name": "send_mail", "arguments": {"to": "x"}}', tools=(WEATHER,))),
        clean(
            "the requested JSON has these keys",
            answer(
                '{"name": "get_weather", "arguments": {"city": "Oslo"}}',
                tools=(WEATHER,),
                response_format={"type": "json_object"},
                response_format_state="present",
            ),
        ),
        clean("tools were not offered", answer('[get_weather(city="Oslo")]', user="Pythonic style?")),
        clean(
            "an audit entry quoted from a tool result",
            answer(
                'The entry is\n\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n\nand nothing else.',
                tools=(WEATHER,),
                user='{"msg": "{\\"name\\": \\"get_weather\\", \\"arguments\\": {\\"city\\": \\"Oslo\\"}}"} what is it?',
            ),
        ),
    ),
)

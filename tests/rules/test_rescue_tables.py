"""What a call written as text stands for, syntax by syntax: literal texts and the exact calls, or that there is none."""

import json

import pytest

from pipelines.detect import judge
from pipelines.families import FAMILIES
from pipelines.rules.call_syntax import SYNTAXES, read_envelopes
from pipelines.rules.examples import answer
from pipelines.rules.repair import rescue
from pipelines.rules.rule import Span
from pipelines.rules.views.decoded import decode
from pipelines.schema import Message, Tool, ToolCall

SEARCH = Tool(
    "search",
    {
        "type": "object",
        "properties": {
            "q": {"type": "string"},
            "limit": {"type": "integer"},
            "price": {"type": "number"},
            "open": {"type": "boolean"},
            "tags": {"type": "array", "items": {"type": "string"}},
            "where": {"type": "object"},
        },
        "required": ["q"],
        "additionalProperties": False,
    },
)
PING = Tool("ping", {"type": "object", "properties": {}})
FULL = {"q": "a < b", "limit": 3, "price": 2.5, "open": True, "tags": ["x", "y"], "where": {"k": "v"}}
AS_JSON = json.dumps(FULL)


def calls(content: str, **fields: object) -> list[tuple[str, object]]:
    turn = answer(content, tools=(SEARCH, PING), **fields)
    rescued = [call for envelope in turn.envelopes for call in rescue(turn, Span(envelope.start, envelope.end))]
    return [(call.name, json.loads(call.arguments)) for call in rescued]


def xml(opening: str, closing: str, parameter: str, end: str) -> str:
    texts = {**FULL, "limit": "3", "price": "2.5", "open": "true", "tags": '["x", "y"]', "where": '{"k": "v"}'}
    return opening + "".join(f"{parameter.format(key)}{value}{end}" for key, value in texts.items()) + closing


WHOLE = {
    "hermes": f'<tool_call>\n{{"name": "search", "arguments": {AS_JSON}}}\n</tool_call>',
    "hermes without closer": f'<tool_call>{{"name": "search", "arguments": {AS_JSON}}}',
    "arguments as a JSON string": '<tool_call>{"name": "search", "arguments": ' + json.dumps(AS_JSON) + "}</tool_call>",
    "array in tool_calls": f'<tool_calls>[{{"name": "search", "arguments": {AS_JSON}}}]</tool_calls>',
    "nemotron": f'<TOOLCALL>[{{"name": "search", "arguments": {AS_JSON}}}]</TOOLCALL>',
    "granite 3": f'<|tool_call|>[{{"name": "search", "arguments": {AS_JSON}}}]',
    "phi": f'functools[{{"name": "search", "arguments": {AS_JSON}}}]',
    "internlm": f'<|action_start|><|plugin|>\n{{"name": "search", "parameters": {AS_JSON}}}<|action_end|>',
    "cohere": f'<|START_ACTION|>[\n{{"tool_call_id": "0", "tool_name": "search", "parameters": {AS_JSON}}}\n]<|END_ACTION|>',
    "command-r": f'Action:\n```json\n[{{"tool_name": "search", "parameters": {AS_JSON}}}]\n```',
    "apertus": f'<|tools_prefix|>[{{"search": {AS_JSON}}}]<|tools_suffix|>',
    "hyperclova": f' -> tool/function_call\n[{{"name": "search", "arguments": {AS_JSON}}}]<|im_end|>',
    "gigachat": f'function call<|role_sep|>\n{{"name": "search", "arguments": {AS_JSON}}}',
    "inkling": f'search<|content_invoke_tool_json|>{{"name":"search","args":{AS_JSON}}}<|end_message|>',
    "llama python tag": f'<|python_tag|>{{"name": "search", "parameters": {AS_JSON}}}',
    "mistral array": f'[TOOL_CALLS][{{"name": "search", "arguments": {AS_JSON}}}]',
    "mistral name": f"[TOOL_CALLS]search[ARGS]{AS_JSON}",
    "mistral call id": f"[TOOL_CALLS]search[CALL_ID]a1b2c3d4e[ARGS]{AS_JSON}",
    "deepseek v3": "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>search\n```json\n"
    f"{AS_JSON}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
    "deepseek v3.1": f"<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>search<｜tool▁sep｜>{AS_JSON}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
    "kimi": f"<|tool_calls_section_begin|><|tool_call_begin|>functions.search:0<|tool_call_argument_begin|>{AS_JSON}<|tool_call_end|>",
    "kimi spaced": f"<|tool_call_begin|> functions.search:0 <|tool_call_argument_begin|> {AS_JSON} <|tool_call_end|>",
    "kimi stripped": f"functions.search:0{AS_JSON}",
    "solar": f"<|tool_calls|><|tool_call:begin|>c1<|tool_call:name|>search<|tool_call:args|>{AS_JSON}<|tool_call:end|><|calls|>",
    "harmony": f"<|channel|>commentary to=functions.search <|constrain|>json<|message|>{AS_JSON}<|call|>",
    "harmony, recipient in the role": f"<|start|>assistant to=functions.search<|channel|>commentary json<|message|>{AS_JSON}<|call|>",
    "harmony stripped": f"assistantcommentary to=functions.search json{AS_JSON}",
    "functionary": f"<function=search>{AS_JSON}</function>",
    "functionary 3.2": f">>>search\n{AS_JSON}",
    "mistral stripped": f"search{AS_JSON}",
    "bare": f'{{"name": "search", "arguments": {AS_JSON}}}',
    "llama bare": f'{{"name": "search", "parameters": {AS_JSON}}}',
    "bare array": f'[{{"name": "search", "arguments": {AS_JSON}}}]',
    "bare in a fence": f'```json\n{{"name": "search", "arguments": {AS_JSON}}}\n```',
    "openai message": f'{{"tool_calls": [{{"type": "function", "function": {{"name": "search", "arguments": {AS_JSON}}}}}]}}',
    "doubled braces": f'<tool_call>\n{{{{"name": "search", "arguments": {AS_JSON}}}}}\n</tool_call>',
    "one brace missing": f'<tool_call>\n{{"name": "search", "arguments": {AS_JSON}\n</tool_call>',
    "name and JSON in the tag": f"<tool_call>search\n{AS_JSON}\n</tool_call>",
    "name as an attribute": f'<tool_call name="search">{AS_JSON}</tool_call>',
    "qwen-agent": f"✿FUNCTION✿: search\n✿ARGS✿: {AS_JSON}",
    "phi 4": f'<|tool_call|>[{{"name": "search", "arguments": {AS_JSON}}}]<|/tool_call|>',
    "react": f"Action: search\nAction Input: {AS_JSON}",
    "qwen3-coder": xml(
        "<tool_call>\n<function=search>\n", "</function>\n</tool_call>", "<parameter={}>\n", "\n</parameter>\n"
    ),
    "seed": xml("<seed:tool_call><function=search>", "</function></seed:tool_call>", "<parameter={}>", "</parameter>"),
    "function alone": xml("<function=search>", "</function>", "<parameter={}>", "</parameter>"),
    "glm": xml("<tool_call>search\n", "</tool_call>", "<arg_key>{}</arg_key>\n<arg_value>", "</arg_value>\n"),
    "hy3": xml(
        "<tool_calls:opensource><tool_call:opensource>search<tool_sep:opensource>",
        "</tool_call:opensource></tool_calls:opensource>",
        "<arg_key:opensource>{}</arg_key:opensource><arg_value:opensource>",
        "</arg_value:opensource>",
    ),
    "solar 2": xml(
        "<|tool_call:start|>search\n",
        "<|tool_call:end|>",
        "<|tool_arg:start|>{}<|tool_arg:value|>",
        "<|tool_arg:end|>\n",
    ),
    "minimax": xml(
        '<minimax:tool_call>\n<invoke name="search">',
        "</invoke></minimax:tool_call>",
        '<parameter name="{}">',
        "</parameter>",
    ),
    "dsml": xml(
        '<｜DSML｜tool_calls><｜DSML｜invoke name="search">',
        "</｜DSML｜invoke></｜DSML｜tool_calls>",
        '<｜DSML｜parameter name="{}">',
        "</｜DSML｜parameter>",
    ),
    "dsml with look-alike bars": xml(
        '<‖DSML‖invoke name="search">', "</‖DSML‖invoke>", '<‖DSML‖parameter name="{}">', "</‖DSML‖parameter>"
    ),
    "atem": xml('<atem:invoke name="search">', "</atem:invoke>", '<atem:parameter name="{}">', "</atem:parameter>"),
    "kimi k3": '<|open|>tools<|sep|><|open|>call tool="search" index="1"<|sep|>'
    '<|open|>json type="object"<|sep|>' + AS_JSON + "<|close|>json<|sep|><|close|>call<|sep|><|close|>tools<|sep|>",
    "python list": 'search(q="a < b", limit=3, price=2.5, open=True, tags=["x", "y"], where={"k": "v"})'.join("[]"),
    "lfm2": "<|tool_call_start|>[search(q='a < b', limit=3, price=2.5, open=true, tags=['x', 'y'], where={'k': 'v'})]<|tool_call_end|>",
    "olmo": "<function_calls>\nsearch(q='a < b', limit=3, price=2.5, open=True, tags=['x', 'y'], where={'k': 'v'})\n</function_calls>",
    "gemma 3": '```tool_code\nprint(search(q="a < b", limit=3, price=2.5, open=True, tags=["x", "y"], where={"k": "v"}))\n```',
    "gemma 4": '<|tool_call>call:search{q:<|"|>a < b<|"|>,limit:3,price:2.5,open:true,'
    'tags:[<|"|>x<|"|>,<|"|>y<|"|>],where:{k:<|"|>v<|"|>}}<tool_call|>',
    "functiongemma": "<start_function_call>call:search{q:<escape>a < b<escape>,limit:3,price:2.5,open:true,"
    "tags:[<escape>x<escape>,<escape>y<escape>],where:{k:<escape>v<escape>}}<end_function_call>",
    "escaped for HTML": f'<tool_call>{{"name": "search", "arguments": {AS_JSON}}}</tool_call>'.replace(
        "<", "&lt;"
    ).replace(">", "&gt;"),
}


@pytest.mark.parametrize("name", WHOLE)
def test_a_whole_call_is_recovered_exactly(name: str) -> None:
    assert calls(WHOLE[name]) == [("search", FULL)]


@pytest.mark.parametrize("name", WHOLE)
def test_its_envelope_is_the_whole_text(name: str) -> None:
    (envelope,) = answer(WHOLE[name], tools=(SEARCH, PING)).envelopes
    assert (envelope.start, envelope.end) == (len(WHOLE[name]) - len(WHOLE[name].lstrip()), len(WHOLE[name]))


SEVERAL = {
    "two blocks": '<tool_call>{"name": "search", "arguments": {"q": "1"}}</tool_call>\n'
    '<tool_call>{"name": "ping", "arguments": {}}</tool_call>',
    "one array": '[TOOL_CALLS][{"name": "search", "arguments": {"q": "1"}}, {"name": "ping", "arguments": {}}]',
    "semicolon": '<|python_tag|>{"name": "search", "parameters": {"q": "1"}}; {"name": "ping", "parameters": {}}',
    "lines": "<function_calls>\nsearch(q='1')\nping()\n</function_calls>",
    "invokes": '<minimax:tool_call><invoke name="search"><parameter name="q">1</parameter></invoke>'
    '<invoke name="ping"></invoke></minimax:tool_call>',
    "mixed marks": '[TOOL_CALLS]search[ARGS]{"q": "1"}[TOOL_CALLS]ping[ARGS]{}',
    "glm": "<tool_call>search<arg_key>q</arg_key><arg_value>1</arg_value></tool_call><tool_call>ping</tool_call>",
}


@pytest.mark.parametrize("name", SEVERAL)
def test_several_calls_come_in_order(name: str) -> None:
    assert calls(SEVERAL[name]) == [("search", {"q": "1"}), ("ping", {})]


NOT_CERTAIN = {
    "cut JSON": '<tool_call>{"name": "search", "arguments": {"q": "a',
    "cut parameter": "<tool_call><function=search><parameter=q>a",
    "cut pair": "<tool_call>search<arg_key>q</arg_key><arg_value>a",
    "cut invoke": '<invoke name="search"><parameter name="q">a',
    "cut frame": '<|tool_call_begin|>functions.search:0<|tool_call_argument_begin|>{"q": "a',
    "cut list": "<|tool_call_start|>[search(q='a",
    "unknown tool": '<tool_call>{"name": "drop", "arguments": {"q": "a"}}</tool_call>',
    "a required argument is missing": '<tool_call>{"name": "search", "arguments": {"limit": 3}}</tool_call>',
    "an argument that the schema does not know": '<tool_call>{"name": "search", "arguments": {"q": "a", "x": 1}}</tool_call>',
    "a word where a number is wanted": "<function=search><parameter=q>a</parameter><parameter=limit>many</parameter></function>",
    "positional arguments": '<|tool_call_start|>[search("a")]<|tool_call_end|>',
}


@pytest.mark.parametrize("name", NOT_CERTAIN)
def test_what_is_not_certain_is_not_rescued(name: str) -> None:
    assert calls(NOT_CERTAIN[name]) == []


def test_nothing_is_rescued_against_the_tool_choice() -> None:
    assert calls(WHOLE["hermes"], tool_choice="none") == []
    assert calls(WHOLE["hermes"], tool_choice="ping") == []
    assert calls(WHOLE["hermes"], tool_choice="search") == [("search", FULL)]
    assert calls(WHOLE["hermes"], tool_choice="required") == [("search", FULL)]


STRUCTURED = [
    ("encoded twice", ("search", json.dumps(json.dumps({"q": "a"}))), {"q": "a"}),
    ("a fence's label", ("search", 'json\n{"q": "a"}'), {"q": "a"}),
    ("a remnant behind", ("search", '{"q": "a"}\nObserv'), {"q": "a"}),
    ("a copy behind", ("search", '{"q": "a"}{"q": "a"}'), {"q": "a"}),
    ("a copy that is encoded", ("search", '{"q": "a"}' + json.dumps('{"q": "a"}')), {"q": "a"}),
    ("Python quotes", ("search", "{'q': 'a'}"), {"q": "a"}),
    ("a number as text", ("search", '{"q": "a", "limit": "3"}'), {"q": "a", "limit": 3}),
    ("no arguments at all", ("ping", ""), {}),
    ("null for no arguments", ("ping", "null"), {}),
    ("nothing, twice", ("ping", "{}{}"), {}),
    ("the constraint's word behind the name", ("search json", '{"q": "a"}'), {"q": "a"}),
    ("a token behind the name", ("search<|channel|>commentary", '{"q": "a"}'), {"q": "a"}),
    ("a tag behind the name", ("ping</arg_value>", "{}"), {}),
    ("namespace and index", ("functions.search:3", '{"q": "a"}'), {"q": "a"}),
    ("a tag behind a value", ("search", '{"q": "a</parameter>"}'), {"q": "a"}),
    ("a tag on a line of its own behind a value", ("search", '{"q": "a\\n</arg_value>"}'), {"q": "a"}),
    ("a tag before a value", ("search", '{"q": "<parameter=q>a"}'), {"q": "a"}),
    ("an end token behind a sentence", ("search", '{"q": "All is done.<|im_end|>"}'), {"q": "All is done."}),
    ("two different objects", ("search", '{"q": "a"}{"q": "b"}'), None),
    ("cut", ("search", '{"q": "a'), None),
    ("missing argument", ("search", "{}"), None),
    ("a word for a number", ("search", '{"q": "a", "limit": "three"}'), None),
    ("unknown tool", ("drop", "{}"), None),
]


@pytest.mark.parametrize(("case", "call", "meant"), STRUCTURED, ids=[case for case, _, _ in STRUCTURED])
def test_a_damaged_structured_call_is_recovered_or_not(case: str, call: tuple[str, str], meant: object) -> None:
    turn = answer(None, tools=(SEARCH, PING), calls=(ToolCall(*call),), finish="tool_calls")
    rescued = rescue(turn, Span(0, 1, channel="tool_calls"))
    assert [json.loads(found.arguments or "") for found in rescued] == ([] if meant is None else [meant])


MEANT = [
    "</think>",
    "<|im_end|>",
    "</tool_call>",
    "<parameter=q>",
    "The end mark is </think>",
    "The turn ends with <|im_end|>",
    "stop=</parameter>",
    "stop='</parameter>",
    "end: </tool_call>",
    r"(?s)^.*?</think>",
    "(.*)</think>",
    "grep -c </think>",
    "<escape> is a key",
    "<think>a</think>",
]
"""Values that end or begin with a mark because somebody wants it."""


@pytest.mark.parametrize("value", MEANT)
def test_a_value_that_names_a_mark_is_no_fault(value: str) -> None:
    call = ToolCall("search", json.dumps({"q": value}))
    assert judge(answer(None, tools=(SEARCH, PING), calls=(call,), finish="tool_calls")).findings == []


def test_a_mark_that_the_user_or_a_result_names_is_no_fault() -> None:
    call = ToolCall("search", json.dumps({"q": "done</think>"}))
    told = {"tools": (SEARCH, PING), "calls": (call,), "finish": "tool_calls"}
    assert [finding.symptom for finding in judge(answer(None, **told)).findings] == ["tool_args_invalid"]
    assert judge(answer(None, user="Which file has done</think> in it?", **told)).findings == []
    read = (Message("user", "Find it."), Message("tool", "log.txt: 'done</think>'"))
    assert judge(answer(None, messages=read, **told)).findings == []


@pytest.mark.parametrize(
    "family", [family for family in FAMILIES if family.example_call], ids=lambda family: family.name
)
def test_the_example_call_of_every_family_is_read(family) -> None:
    weather = Tool("get_weather", {"type": "object", "properties": {"city": {"type": "string"}}})
    (envelope,) = read_envelopes(decode(family.example_call), (weather,))
    (call,) = envelope.calls
    assert (call.name, call.arguments) == ("get_weather", {"city": "Oslo"})
    assert family.example_call[envelope.start : envelope.end].strip() == family.example_call.strip()


def test_every_call_syntax_of_the_families_has_a_reader() -> None:
    covered = {name for syntax in SYNTAXES for name in syntax.covers}
    assert {name for family in FAMILIES for name in family.call_syntaxes} <= covered


@pytest.mark.parametrize("name", ["qwen3-coder", "seed", "function alone", "glm", "hy3", "minimax", "dsml", "gemma 4"])
@pytest.mark.parametrize("mark", ["</think>", "<think>", "[/THINK]", "<|end|>"])
def test_a_mark_that_is_an_argument_borders_no_thoughts(name: str, mark: str) -> None:
    text = WHOLE[name].replace("a < b", f"all up to {mark}\nBehind it")
    judged = judge(answer(text, tools=(SEARCH, PING), family="qwen3"))
    assert [(finding.symptom, finding.repair) for finding in judged.findings] == [("raw_tool_call", "rescue")]


def test_thoughts_before_a_call_with_a_mark_in_it_end_before_the_call() -> None:
    call = WHOLE["glm"].replace("a < b", "</think>")
    judged = judge(answer(f"I should search.\n</think>\n{call}", tools=(SEARCH, PING), family="glm-4.5/4.6"))
    found = {finding.symptom: (finding.start, finding.end) for finding in judged.findings}
    assert found["reasoning_leak"] == (0, len("I should search.\n</think>"))
    assert found["raw_tool_call"] == (len("I should search.\n</think>\n"), len(f"I should search.\n</think>\n{call}"))


ONE_ALONE = {
    *(
        "apertus",
        "bare",
        "bare array",
        "bare in a fence",
        "gemma 3",
        "granite 3",
        "llama bare",
        "mistral array",
        "mistral stripped",
    ),
    *("openai message", "react"),
}
"""Syntaxes of which a text holds one call only."""


@pytest.mark.parametrize("name", sorted(WHOLE.keys() - ONE_ALONE))
def test_numbers_of_a_parallel_call_are_no_invented_results(name: str) -> None:
    turn = answer(f"{WHOLE[name]}\n{WHOLE[name].replace('2.5', '77.25')}", tools=(SEARCH, PING))
    findings = [finding for finding in judge(turn).findings if finding.symptom == "raw_tool_call"]
    prices = [json.loads(call.arguments)["price"] for finding in findings for call in rescue(turn, finding)]
    assert prices == [2.5, 77.25]
    assert {finding.repair for finding in findings} == {"rescue"}


@pytest.mark.parametrize(
    "told",
    ["It is 31 degrees.", "Done, I have booked it.", '<tool_response>{"ok": true}</tool_response>', "Result: fine"],
)
def test_results_between_and_behind_parallel_calls(told: str) -> None:
    turn = answer("\n".join((SEVERAL["glm"], told, WHOLE["hermes"])), tools=(SEARCH, PING))
    repairs = [finding.repair for finding in judge(turn).findings if finding.symptom == "raw_tool_call"]
    assert repairs == ["regenerate", "regenerate", "rescue"]
    behind = answer("\n".join((SEVERAL["glm"], told)), tools=(SEARCH, PING))
    repairs = [finding.repair for finding in judge(behind).findings if finding.symptom == "raw_tool_call"]
    assert repairs == ["regenerate", "regenerate"]

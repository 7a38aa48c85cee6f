"""Properties of the rules on arbitrary answers: they never raise, the prefilter loses nothing, code is silent, cuts change nothing."""

import time
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.detect import judge, judge_light
from pipelines.families import FAMILIES, UNKNOWN_FAMILY
from pipelines.rules import RULES
from pipelines.rules.examples import WEATHER, answer
from pipelines.rules.repair import clean_content, rescue
from pipelines.rules.rule import Span, Turn, opening_of
from pipelines.rules.views.well_formed import well_formed_value
from pipelines.schema import Delta, Message, Record, ToolCall

PIECES = (
    "<think>", "</think>", "<THINK>", "[THINK]", "[/THINK]", "◁think▷", "◁/think▷", "<|channel>thought\n", "<channel|>", "<seed:think>",
    "&lt;think&gt;", "&lt;/think&gt;", "\\u003c/think\\u003e", "<|channel|>analysis<|message|>", "<|end|>", "<|start|>assistant",
    "<|channel|>final<|message|>", "<|im_end|>", "<|im_start|>user\n", "<｜end▁of▁sentence｜>", "analysis", "assistantfinal", "thought\n",
    "thinkresponse", "responsemessage", " to=self", "assistant to=user", "Here is my thought process:", "Here is my response:",
    "[BEGIN FINAL RESPONSE]", "<tool_call>", "</tool_call>", "<function=get_weather>", "<parameter=city>", "</parameter>", "</function>",
    '{"name": "get_weather", "arguments": {"city": "Oslo"}}', '<invoke name="get_weather">', "</invoke>", "<arg_key>", "[TOOL_CALLS]",
    "get_weather", '{"city": "Oslo"}', "functions.get_weather:0", "call:get_weather{", "<|tool_call>", "}",
    "```", "`", "\n\n", "> ", '"', "“", "|",
    "- ", " ", "Okay, the user wants this.", "Yes.", "x", "<", "</", "<b>", "\x00", "\u200b", "\u202e",
    "\ud800", "é", "好", "。", "<|", "|>", "{", "[",
)  # fmt: skip
texts = st.lists(st.sampled_from(PIECES) | st.text(max_size=5), max_size=14).map("".join)
families = st.sampled_from((UNKNOWN_FAMILY, *FAMILIES))
calls = st.lists(
    st.builds(ToolCall, st.none() | texts, st.none() | texts | st.just('{"city": "Oslo"}')), max_size=3
).map(tuple)


@st.composite
def turns(draw: st.DrawFn) -> Turn:
    content = draw(st.none() | texts)
    turn = answer(
        content,
        user=draw(texts),
        system=draw(st.none() | texts),
        tools=draw(st.sampled_from(((), (WEATHER,)))),
        calls=draw(calls),
        reasoning=draw(st.none() | texts),
        finish=draw(st.sampled_from(("stop", "length", "tool_calls", "content_filter"))),
        tool_choice=draw(st.sampled_from((None, "auto", "none", "required", "get_weather"))),
        separate_reasoning=draw(st.sampled_from((None, False))),
        reasoning_end_str=draw(st.none() | texts),
        response_format=draw(st.sampled_from((None, {"type": "json_object"}))),
    )
    turn.record.messages = draw(st.sampled_from((turn.record.messages, None, (Message("tool", content or ""),))))
    return Turn(turn.record, draw(families))


@settings(max_examples=80, deadline=None)
@given(turns())
def test_no_rule_ever_raises_and_every_span_lies_in_its_text(turn: Turn) -> None:
    judgement = judge(turn)
    assert judgement.failures == []
    lengths = {
        "content": len(turn.content),
        "reasoning": len(turn.reasoning),
        "tool_calls": len(turn.record.tool_calls),
        "messages": 1 << 40,
        "stream": 1 << 40,
    }
    for finding in judgement.findings:
        assert 0 <= finding.start <= finding.end <= lengths[finding.channel]
        rescue(turn, finding)
    clean_content(turn, judgement.findings)
    judge_light(turn)


@settings(max_examples=80, deadline=None)
@given(turns())
def test_a_rule_fires_only_where_the_prefilter_lets_it_look(turn: Turn) -> None:
    turn = Turn(cast(Record, well_formed_value(turn.record)), turn.family)
    for rule in RULES:
        if not (rule.needles or rule.openings or rule.wants):
            continue
        if not any(isinstance(found, Span) for found in rule.find(turn)):
            continue
        needles = rule.needles(turn.family) if rule.needles else ()
        places = (
            turn.record.content or "",
            turn.record.reasoning or "",
            *(message.content for message in turn.record.messages or ()),
        )
        opening = opening_of(turn.record.content or "")
        assert (
            any(needle in text for needle in needles for text in places)
            or any(word in opening for word in rule.openings)
            or (rule.wants and rule.wants(turn.record))
        ), rule.id


MARKERS = (
    "</think>",
    "<think>",
    "[THINK]",
    "◁/think▷",
    "<|im_end|>",
    "<｜end▁of▁sentence｜>",
    "<|channel|>analysis<|message|>",
    "<channel|>",
    "</seed:think>",
)
CALL = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>'
words = st.lists(st.sampled_from(("The", "pump", "runs", "at", "noon", "again", "here")), min_size=2, max_size=8).map(
    " ".join
)


@settings(max_examples=80, deadline=None)
@given(
    st.sampled_from((*MARKERS, CALL)),
    words,
    words,
    st.sampled_from(("```\n{}\n```", "```xml\n{}\n```", "~~~\n{}\n~~~", "`{}`", "``{}``")),
)
def test_a_marker_in_code_is_silent(marker: str, before: str, after: str, fence: str) -> None:
    if "\n" in marker and fence.startswith("`{") | fence.startswith("``{"):
        return
    turn = answer(f"{before}.\n\n{fence.format(marker)}\n\n{after}.", tools=(WEATHER,))
    found = [finding for finding in judge(turn).findings if finding.tier == "rule"]
    assert found == []


@settings(max_examples=80, deadline=None)
@given(st.sampled_from((*MARKERS, CALL)), words, words, st.sampled_from(("```\nx = 1\n```\n\n", "", "`x` is set.\n\n")))
def test_a_marker_outside_of_code_is_found(marker: str, before: str, after: str, code: str) -> None:
    turn = answer(f"{code}{before}.\n{marker}\n\n{after}.", tools=(WEATHER,))
    symptoms = {finding.symptom for finding in judge(turn).findings if finding.tier == "rule"}
    assert symptoms & {"boundary_token", "raw_tool_call"}


@settings(max_examples=80, deadline=None)
@given(
    st.sampled_from(
        (
            "Four.",
            "<think>2 + 2</think>\n\nFour.",
            f"One moment.\n{CALL}",
            "So four.\n</think>\n\nFour.",
            "[TOOL_CALLS]get_weather[ARGS]{}",
        )
    ),
    st.data(),
)
def test_cutting_a_stream_anywhere_gives_the_same_detections(content: str, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.sets(st.integers(1, len(content) - 1), max_size=8)))
    pieces = [content[start:end] for start, end in zip((0, *cuts), (*cuts, len(content)), strict=True)]
    whole = judge(answer(content, tools=(WEATHER,), chunks=(Delta(content=content),)))
    cut = judge(answer(content, tools=(WEATHER,), chunks=tuple(Delta(content=piece) for piece in pieces)))
    mine = ("content", "reasoning", "tool_calls")
    assert [f for f in cut.findings if f.channel in mine] == [f for f in whole.findings if f.channel in mine]


HOSTILE = (
    "<", "<think>", "</think>", "`", "```\n", '"', "“", "{", '{"name": "get_weather", "arguments": {',
    "<tool_call>{", '<invoke name="a">', "<|", "|>",
    "call:a{", "&lt;", "\\u003c", "\u200b", "\u202e", "\x00", "\ud800", "assistantfinal ", "<|im_end|> ",
    "[", "(a", "\nuser\n", "<parameter=x>", "functions.a:0{",
    "<|channel|>analysis<|message|>", "> ", "| ", "<arg_key>a</arg_key>", "]<]minimax[>[", "<tool_call>get_weather", "a\n\n",
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("piece", HOSTILE, ids=ascii)
def test_hostile_text_costs_linear_time(piece: str) -> None:
    def seconds(size: int) -> float:
        turn = answer(piece * (size // len(piece)), tools=(WEATHER,), user="x" * 1000)
        start = time.process_time()
        assert judge(turn).failures == []
        return time.process_time() - start

    seconds(1000)
    small, large = seconds(100_000), seconds(800_000)
    assert large < 40 * max(small, 0.02), "eight times the text must not cost forty times the time"

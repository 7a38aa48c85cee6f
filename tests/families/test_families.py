"""Contracts over all families, the union for unknown models, and refusal of a wrong TOML file."""

import re
from pathlib import Path

import pytest

from pipelines import families
from pipelines.errors import ConfigurationError
from pipelines.families import AMBIGUOUS, CALL_SYNTAXES, FAMILIES, UNKNOWN_FAMILY, VENDORS, by_name, load_vendor

INVALID = Path(__file__).parent / "invalid"
MARKERLESS = {"bare_json", "python_calls"}
"""Call syntaxes without a literal of their own."""

each_family = pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)


def test_every_file_of_the_folder_is_in_the_order_of_vendors() -> None:
    files = {path.stem for path in Path(families.__file__).parent.glob("*.toml")}
    assert sorted(files) == sorted(VENDORS)


def test_names_are_unique() -> None:
    names = [family.name for family in FAMILIES]
    assert len(names) == len(set(names))


@each_family
def test_a_family_has_a_vendor_sources_and_patterns_that_compile(family) -> None:
    assert family.vendor and family.sources
    assert family.model_name_patterns or family.name == "chatml-generic"
    for pattern in family.model_name_patterns:
        re.compile(pattern)


@each_family
def test_what_a_family_says_about_reasoning_agrees(family) -> None:
    assert family.reasons == (family.thinking_default != "none")
    assert bool(family.reasoning_start) == bool(family.reasoning_end)
    if not family.reasons:
        assert family.history_reasoning == "none" and not family.start_prefilled
    if family.history_reasoning_fields:
        assert family.history_reasoning in ("kept", "dropped_except_tool_turns", "dropped_by_template")


@each_family
def test_what_a_family_says_about_calls_agrees(family) -> None:
    assert bool(family.call_syntaxes) >= bool(family.call_markers)
    if family.call_syntaxes and not family.call_markers:
        assert set(family.call_syntaxes) <= MARKERLESS
    if family.example_call and family.call_markers and not set(family.call_syntaxes) & MARKERLESS:
        assert any(marker in family.example_call for marker in family.call_markers)


@each_family
def test_a_parser_with_a_version_is_one_of_the_family_and_appeared_once(family) -> None:
    for one in family.vllm_parser_versions:
        assert one.name in (*family.vllm_reasoning_parsers, *family.vllm_tool_parsers)
        absent, seen = (tuple(map(int, version.split("."))) for version in (one.absent_in, one.seen_in))
        assert absent < seen


@each_family
def test_no_literal_is_empty_and_none_stands_for_a_shape(family) -> None:
    literals = (
        *family.reasoning_start,
        *family.reasoning_end,
        *family.answer_wrapper,
        *family.call_markers,
        *family.special_tokens,
        *family.residue,
    )
    assert all(len(literal) >= 3 for literal in literals)
    assert not any("..." in literal for literal in literals)


@pytest.mark.parametrize(
    ("name", "pairs"),
    [
        ("qwen3", (("<think>", "</think>"),)),
        ("gemma4", (("<|channel>thought\n", "<channel|>"), ("<|channel>", "<channel|>"))),
        ("gpt-oss", (("<|channel|>analysis<|message|>", "<|end|>"),)),
        ("kimi-k2-thinking", (("<think>", "</think>"), ("◁think▷", "◁/think▷"))),
        (
            "granite-3.2/3.3",
            (
                ("Here is my thought process:", "Here is my response:"),
                ("Here's my thought process:", "Here's my response:"),
                ("<think>", "</think>"),
            ),
        ),
        ("k2-horizon", tuple((f"<ifm|{tag}>", f"</ifm|{tag}>") for tag in ("think", "think_fast", "think_faster"))),
        ("mistral-reasoning", (("[THINK]", "[/THINK]"), ("<think>", "</think>"))),
        ("qwen2.5", ()),
    ],
)
def test_opening_and_closing_markers_come_in_pairs(name: str, pairs: tuple[tuple[str, str], ...]) -> None:
    family = by_name(name)
    assert family is not None and family.reasoning_pairs == pairs


@pytest.mark.parametrize("name", ["qwen2.5", "gemma-2", "llama-2/codellama", "phi-3", "not-a-chat-model"])
def test_families_that_do_not_reason_have_no_reasoning_markers(name: str) -> None:
    family = by_name(name)
    assert family is not None and not family.reasons and not family.reasoning_start


def test_the_unknown_family_has_every_marker_but_the_ambiguous_ones() -> None:
    for field in ("reasoning_start", "reasoning_end", "call_markers", "special_tokens", "residue", "call_syntaxes"):
        union = {literal for family in FAMILIES for literal in getattr(family, field)}
        assert set(getattr(UNKNOWN_FAMILY, field)) == union - set(AMBIGUOUS)
    assert by_name("unknown") is UNKNOWN_FAMILY
    assert UNKNOWN_FAMILY.history_reasoning == "unknown"


def test_every_ambiguous_token_is_some_family_s_own() -> None:
    owned = {token for family in FAMILIES for token in (*family.special_tokens, *family.answer_wrapper)}
    assert set(AMBIGUOUS) <= owned


def test_every_call_syntax_is_written_by_some_family() -> None:
    assert {syntax for family in FAMILIES for syntax in family.call_syntaxes} == set(CALL_SYNTAXES)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("unknown_key", ["tool_markers", "allowed: name, vendor, model_name_patterns"]),
        ("unknown_thinking_default", ["'sometimes'", "thinking_default", "on, off, always, adaptive, none, unknown"]),
        ("unknown_history_rule", ["'forgotten'", "history_reasoning", "kept, dropped_except_tool_turns"]),
        ("unknown_call_syntax", ["'smoke_signals'", "call_syntaxes", "json_in_tool_call"]),
        ("markers_not_in_a_list", ["reasoning_start", "Expected `array`"]),
        ("missing_reasons", ["missing required field `reasons`"]),
        ("missing_vendor", ["missing required field `vendor`"]),
        ("not_toml", ["Illegal character"]),
    ],
)
def test_a_wrong_file_is_refused_in_one_sentence(name: str, words: list[str]) -> None:
    with pytest.raises(ConfigurationError) as caught:
        load_vendor(name, (INVALID / f"{name}.toml").read_bytes())
    message = str(caught.value)
    assert message.startswith(f"families/{name}.toml: ") and "\n" not in message
    for word in words:
        assert word in message


def test_the_folder_of_wrong_files_is_tested_whole() -> None:
    assert len(list(INVALID.glob("*.toml"))) == 8

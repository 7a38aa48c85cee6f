"""Tokens that ordinary text holds as well: in a sentence they are words, at a border of the text they begin an invented turn."""

import pytest

from pipelines.detect import judge
from pipelines.rules.examples import answer

MISTRAL = "mistral"


@pytest.mark.parametrize(
    "content",
    [
        "The user turn is wrapped as <s>[INST] question [/INST], the answer ends with </s>.",
        "A request stands between [INST] and [/INST] and nothing else does.",
        "Three marks are used: [INST] for the user, [/INST] for the end, and one more.",
        "1. [INST] – the user begins\n2. [/INST] – the user ends",
    ],
)
def test_a_token_named_in_a_sentence_is_no_turn(content: str) -> None:
    assert judge(answer(content, family=MISTRAL, user="Explain the instruct format with its tokens.")).findings == []


@pytest.mark.parametrize(
    ("content", "invented"),
    [
        ("Oslo.[INST] And of Peru? [/INST] Lima.", "[INST] And of Peru? [/INST] Lima."),
        ("Oslo. [INST] And of Peru?", "[INST] And of Peru?"),
        ("[INST] hi [/INST] ok, hello", "[INST] hi [/INST] ok, hello"),
        ("Oslo [INST] And of Peru?", "[INST] And of Peru?"),
        ("Oslo, [INST] And of Peru?", "[INST] And of Peru?"),
        ("Oslo\n[INST] And of Peru?", "[INST] And of Peru?"),
        ("Oslo</s><s>[INST] And of Peru?", "[INST] And of Peru?"),
    ],
)
def test_an_invented_turn_of_these_tokens_is_found(content: str, invented: str) -> None:
    found = [
        finding for finding in judge(answer(content, family=MISTRAL)).findings if finding.rule_id == "invented-turn"
    ]
    assert [content[one.start : one.end] for one in found] == [invented]

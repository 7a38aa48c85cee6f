"""Answers that begin with thoughts, in the forms in which models begin them, and answers that only look like it."""

import pytest

from pipelines.detect import OPENINGS
from pipelines.rules import untagged_thoughts
from pipelines.rules.examples import answer
from pipelines.rules.rule import Span, Turn, opening_of

REST = "I should name a deep one.\n\nLake Baikal."
THOUGHTS = (
    "Got it, the user wants a lake. ",
    "Sure, the user is asking for a lake. ",
    "Understood, this user wants a lake. ",
    "Interesting, the user asks for a lake. ",
    "Easy one: the user wants a lake. ",
    "Thought: the user wants a lake. ",
    "Looks like the user wants a lake. ",
    "It seems that the user needs a lake. ",
    "Since the user wants a lake, any will do. ",
    "In this case the user wants a lake. ",
    "Given the user's request for a lake, one will do. ",
    "Looking at the question, the user wants a lake. ",
    "The human wants a lake. ",
    "[The user wants a lake.] ",
    "I have to name a lake. ",
    "I'll need to name a lake. ",
    "I need to name a lake. ",
    "Must name a lake. ",
    "Should name a lake. ",
    "We have a question about lakes. ",
    "My task is to name a lake. ",
    "We're asked for a lake. ",
    "We need to draft a reply about a lake. ",
    "Verstanden, der Nutzer möchte einen See. ",
    "明白了，用户要一个湖。",
)
ALONE = (
    "Easy one: the user wants a lake.",
    "Looking at the question, the user wants a lake.",
    "Alright, the user needs two lakes.",
    "Let's break this down. The user wants a lake.",
)
"""Thoughts that need no plan beside them."""
ANSWERS = (
    "Got it, your lake is Baikal.\n\nIt is deep.",
    "Sure, the lake you want is Baikal.\n\nIt lies in Siberia.",
    "Since the user table has no index, the query is slow.\n\nAdd one on the e-mail column.",
    "The query is about 10 times slower without the index.\n\nAdd one.",
    "The human body needs water.\n\nTwo litres a day are enough.",
    "We have a question mark at the end here.\n\nDrop it.",
    "Let's break this down. A lake is deep where a rift opened.\n\nBaikal is one.",
    "Task: name a lake\nAnswer: Lake Baikal",
    "I have to decline this invitation.\n\nBest wishes",
)


def spans(content: str) -> list[Span]:
    return [found for found in untagged_thoughts.find(turn(content)) if isinstance(found, Span)]


def turn(content: str) -> Turn:
    return answer(content, user="A deep lake?")


@pytest.mark.parametrize("opening", THOUGHTS)
def test_an_answer_that_begins_with_thoughts_is_found(opening: str) -> None:
    (found,) = spans(opening + REST)
    assert (opening + REST)[found.start : found.end] == opening + "I should name a deep one."
    assert found.repair == "strip"


@pytest.mark.parametrize("opening", THOUGHTS)
def test_a_literal_leads_the_search_to_it(opening: str) -> None:
    text = opening_of(opening)
    assert any(literal in text for literal in OPENINGS)


@pytest.mark.parametrize("opening", ALONE)
def test_an_acknowledgement_and_the_user_are_enough(opening: str) -> None:
    (found,) = spans(opening + "\n\nLake Baikal.")
    assert (found.start, found.end) == (0, len(opening))


@pytest.mark.parametrize("content", ANSWERS)
def test_an_answer_that_only_begins_alike_is_none(content: str) -> None:
    assert spans(content) == []

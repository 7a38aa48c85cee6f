"""Lines and sentences of a text: where they begin and end."""

import pytest
import re2
from hypothesis import given
from hypothesis import strategies as st

from pipelines.rules.views.code import code_spans
from pipelines.rules.views.sentences import lines_of, sentences_of, words_of


def pieces(text: str) -> list[str]:
    return [text[item.start : item.end] for item in sentences_of(text, 0, len(text))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("It is 3.14 today. Yes.", ["It is 3.14 today.", "Yes."]),  # no space behind the point
        ("一。二！三", ["一。", "二！", "三"]),
        ("पहला। दूसरा।", ["पहला।", "दूसरा।"]),
        ("Saved the file.Perfect, it runs.", ["Saved the file.", "Perfect, it runs."]),  # glued without a space
        ("See example.org for more", ["See example.org for more"]),
        ('He said "no." Then he left', ['He said "no."', "Then he left"]),
        ("", []),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert pieces(text) == expected


def test_lines_know_whether_a_blank_line_follows_and_code_has_no_sentences() -> None:
    text = "A.\nB.\n\n```\nC.\n```\n"
    lines = lines_of(text, code_spans(text), 9)
    assert [text[line.start : line.end] for line in lines] == ["A.", "B.", "```", "C.", "```"]
    assert [line.gap_after for line in lines] == [False, True, False, False, True]
    assert [len(line.sentences) for line in lines] == [1, 1, 0, 0, 0]


def test_no_more_lines_than_asked_for() -> None:
    assert len(lines_of("a\n" * 50, (), 7)) == 7


@given(st.text(alphabet="aB.!?。 \n:é가", max_size=60))
def test_sentences_hold_every_sign_that_is_no_space_once(text: str) -> None:
    assert "".join("".join(piece.split()) for piece in pieces(text)) == "".join(text.split())


@given(st.text(alphabet="aÉ1２Ⅳ一.-_ \n가\u0301", max_size=40))
def test_words_are_runs_of_letters_and_runs_of_numerals(text: str) -> None:
    assert words_of(text) == re2.compile(r"\pL+|\pN+").findall(text)

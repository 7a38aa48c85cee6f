"""Literals that stand in a text, and marks in decoded text, are those that looking for each one finds."""

from hypothesis import given
from hypothesis import strategies as st

from pipelines.rules.literals import bits_in_text
from pipelines.rules.marks import MARK, THINK_NEEDLES, mark_places

LITERALS = ("ab", "b", "bc", "abc", "<｜", "é")
TAGS = ("<think>", "</think>", "<|end|>", "/think\n", "analysis<|message|>", "[THINK]", "<Thought>", "</details>", "<|")


@given(st.text(alphabet="abc<｜é", max_size=12))
def test_every_literal_gives_its_bit_also_where_they_overlap(text: str) -> None:
    search = bits_in_text((literal, 1 << place) for place, literal in enumerate(LITERALS))
    assert search(text) == sum(1 << place for place, literal in enumerate(LITERALS) if literal in text)


def test_a_literal_of_two_bits_gives_both_and_none_gives_nothing() -> None:
    assert bits_in_text([("a", 1), ("b", 2), ("a", 4)])("a") == 5
    assert bits_in_text([])("a") == 0


@given(st.lists(st.sampled_from([*TAGS, *THINK_NEEDLES, "a", " ", "\n"]), max_size=8).map("".join))
def test_places_of_marks_are_those_of_the_pattern_with_groups(text: str) -> None:
    wanted = [
        (match.start(), match.end(), int(match.lastgroup[1:]), match.lastgroup[0] == "o")
        for match in MARK.finditer(text)
    ]
    assert list(mark_places(text, 1000)) == wanted
    assert list(mark_places(text, 1)) == wanted[:1]

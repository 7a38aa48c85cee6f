"""Streams against messages: what is missing, and which deltas come twice."""

import pytest

from pipelines.rules import deltas
from pipelines.rules.examples import answer
from pipelines.schema import Delta


def difference(message: str, *contents: str, **fields: object) -> tuple[str, str] | None:
    """What the message lacks and what it has instead."""
    found = deltas.difference(answer(message, chunks=tuple(Delta(content=content) for content in contents), **fields))
    return None if found is None else ("".join(contents)[found.start : found.end], found.extra)


@pytest.mark.parametrize(
    ("message", "contents", "expected"),
    [
        ("One two three", ("One ", "two ", "three"), None),
        ("  One two three\n", ("One ", "two ", "three"), None),  # white space
        ("One three", ("One ", "two ", "three"), ("wo t", "")),  # as far as the texts agree from the left
        ("One two", ("One ", "two", " three"), (" three", "")),
        ("two three", ("One ", "two ", "three"), ("One ", "")),
        ("One two two three", ("One ", "two ", "three"), ("", "wo t")),
        ("One 2 three", ("One ", "two ", "three"), ("two", "2")),
        ("One", ("<think>no</think>", "One"), None),  # a leak in the stream, not a loss
        ("One", ("", ""), None),  # the stream shows no text
    ],
)
def test_difference(message: str, contents: tuple[str, ...], expected: tuple[str, str] | None) -> None:
    assert difference(message, *contents) == expected


@pytest.mark.parametrize(
    "fields",
    [
        {"assembled_by": "us"},
        {"choices_merged": True},
        {"gateway_rewrites": frozenset({"think_stripped"})},
        {"stop": ("three",)},
    ],
    ids=str,
)
def test_a_difference_by_right(fields: dict[str, object]) -> None:
    assert difference("One two ", "One ", "two ", "three", **fields) is None


@pytest.mark.parametrize(
    ("contents", "each", "long", "first", "cumulative"),
    [
        (["ab", "ab", "cd", "cd"], True, False, False, False),
        (["ab", "ab"], False, False, False, False),  # one pair may be meant
        (["ab", "ab", "ab", "ab"], False, False, False, False),  # so may one text
        (["1", "1", "0", "0", "1", "1"], False, False, False, False),  # a row of bits
        (["G", "G", "C", "C", "A", "A"], False, False, False, False),  # a row of bases
        ([char for char in "今天天气晴朗适合散步" for _ in "12"], True, False, False, False),
        (["Ab", "Ab", " cd"], False, False, True, False),
        (["ab", "ab", " cd"], False, False, False, False),
        (["it fits the shelf well", "it fits the shelf well"], False, True, False, False),
        (["|-----|-----|-----|-----|"] * 2, False, False, False, False),  # lines of a table
        (["On", "On the", "On the way home"], False, False, False, True),
        (["On", "One", " way"], False, False, False, False),
    ],
)
def test_doubled_deltas(contents: list[str], each: bool, long: bool, first: bool, cumulative: bool) -> None:
    assert deltas.each_comes_twice(contents) is each
    assert deltas.a_long_one_comes_twice(contents) is long
    assert deltas.the_first_comes_twice(contents) is first
    assert deltas.each_holds_all_before(contents) is cumulative

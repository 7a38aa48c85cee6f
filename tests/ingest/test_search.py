"""The search in raw lines finds whatever a rule could find in the decoded text, however a JSON writer spelled it."""

import json
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines import detect
from pipelines.formats.format import opening
from pipelines.ingest.openings import opening_text, openings_search
from pipelines.ingest.spelling import spellings
from pipelines.ingest.strings import strings_search
from pipelines.rules.rule import opening_of
from pipelines.schema import OPENING_START

NEEDLES = {channel: detect.NEEDLES_BY_CHANNEL[channel] for channel in ("content", "reasoning", "messages")}
CONTENT = NEEDLES["content"]
STRINGS = strings_search(CONTENT)
ALL_OPENINGS = openings_search(detect.OPENINGS)


def python(text: str) -> str:
    return json.dumps(text)


def raw(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def go(text: str) -> str:
    return raw(text).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def dotnet(text: str) -> str:
    escaped = "".join(
        f"\\u{ord(sign):04X}" if sign in "<>&'+`" else sign for sign in raw(text).replace('\\"', "\\u0022")
    )
    return "".join(
        sign if sign.isascii() else "".join(f"\\u{unit.upper()}" for unit in json.dumps(sign)[1:-1].split("\\u")[1:])
        for sign in escaped
    )


def php(text: str) -> str:
    return python(text).replace("/", "\\/")


WRITERS = (python, raw, go, dotnet, php)


@pytest.mark.parametrize("channel", NEEDLES)
@pytest.mark.parametrize("writer", WRITERS)
def test_needles_are_found_in_every_spelling(writer: Callable[[str], str], channel: str) -> None:
    search = strings_search(NEEDLES[channel])
    texts = [writer(f"some text {needle} more").encode() for needle in NEEDLES[channel]]
    assert search(texts) == set(range(len(texts)))


@settings(max_examples=200)
@given(st.text(max_size=20), st.sampled_from(CONTENT), st.text(max_size=20), st.sampled_from(WRITERS))
def test_needles_in_any_text(before: str, needle: str, behind: str, writer: object) -> None:
    text = (before + needle + behind).encode("utf-8", "replace").decode()
    assert STRINGS([b'"plain"', writer(text).encode(), b""]) == {1}  # type: ignore[operator]


def test_openings_are_found_in_lower_case_and_only_in_their_own_text() -> None:
    search = openings_search(("let me check", "i’ll look", "größe"))
    texts = [
        b"Let me check that.",
        b"Here it is.",
        b"I\\u2019ll look",
        "GRÖSSE, Größe".encode(),
        b"",
        b"let me",
        b" check",
    ]
    assert search(texts) == {0, 2, 3}


def test_an_opening_that_cannot_be_decoded_is_searched_as_it_is_written() -> None:
    search = openings_search(("let me check", OPENING_START + "über"))
    texts = [b"\xff\xfe Let me check", b"\\n\\tLET ME CHECK \xff", "\\n\\nÜber \\ud800".encode(), b"\xffno"]
    assert search(texts) == {0, 1, 2}


@settings(max_examples=300)
@given(
    st.text(st.sampled_from("\n\t ßÉİé\x7f\u2019\U0001f600a"), max_size=450),
    st.sampled_from(detect.OPENINGS),
    st.sampled_from(WRITERS),
)
def test_an_opening_that_a_rule_looks_for_is_found(before: str, literal: str, writer: Callable[[str], str]) -> None:
    text = before + literal.removeprefix(OPENING_START).upper()
    looked_for = any(one in opening_of(text) for one in detect.OPENINGS)
    assert ALL_OPENINGS([opening(writer(text).encode())]) or not looked_for


def test_an_escape_that_no_writer_makes_counts_as_found() -> None:
    assert STRINGS([b'"\\u0074hink"', b'"\\u003d \\u0027 \\u2019"']) == {0}


def test_an_ordinary_answer_is_passed_over() -> None:
    assert not STRINGS([b'"Plan for about 2.1 m.\\n\\n- Beans keep climbing: \\"yes\\", they do."', b"", b"null"])


def test_spellings_are_those_of_the_writers() -> None:
    assert {writer('a<é/"').encode()[1:-1] for writer in WRITERS} <= spellings('a<é/"') | {b"a\\u003C\\u00E9/\\u0022"}


@pytest.mark.parametrize("cut", range(1, 12))
def test_an_opening_may_end_anywhere(cut: int) -> None:
    whole = b'"a\\u00e9\\ud83d\\ude00b'[1:]
    assert opening_text(whole[:cut]).startswith("a")

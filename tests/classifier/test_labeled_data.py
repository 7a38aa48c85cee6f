"""The labelled texts in the repository: how many, how varied, no near-duplicates, and that they are what their frames give."""

import json
from collections import Counter
from pathlib import Path

import pytest

from classifier import compose
from classifier.duplicates import LIMIT, near_duplicates, shingles
from classifier.examples import ExampleError, read

LABELED = Path(__file__).parents[2] / "data" / "labeled"
EXAMPLES = read([LABELED])


def test_enough_texts_in_enough_languages() -> None:
    languages = Counter(example.language for example in EXAMPLES)
    assert len(EXAMPLES) >= 3000
    assert len(languages) >= 10 and min(languages.values()) >= 100


@pytest.mark.parametrize("label", ["preamble", "reasoning_leak", "clean"])
def test_every_language_has_every_label_in_both_splits(label: str) -> None:
    held = {(example.language, example.split) for example in EXAMPLES if label in example.labels}
    languages = {example.language for example in EXAMPLES}
    assert held == {(language, split) for language in languages for split in ("train", "test")}


def test_hard_negatives_are_there() -> None:
    sources = {example.source for example in EXAMPLES if example.labels == ("clean",)}
    assert sources >= {
        "support",
        "solution",
        "monologue",
        "markup",
        "work-text",
        "first-person",
        "beside-call",
        "essay",
        "quick",
        "loading",
        "desk",
    }


def test_a_span_marks_the_leak() -> None:
    for example in EXAMPLES:
        assert (example.span is None) == ("clean" in example.labels)


LANGUAGES = sorted({example.language for example in EXAMPLES})


@pytest.mark.parametrize(
    "language", [pytest.param(name, marks=pytest.mark.slow) if name == "en" else name for name in LANGUAGES]
)
def test_no_text_is_another_one_with_words_swapped(language: str) -> None:
    assert near_duplicates(example.text for example in EXAMPLES if example.language == language) == []


def test_a_copy_with_one_word_swapped_is_a_near_duplicate() -> None:
    text = "Let me check the order records first. Order 4471 can be cancelled until it leaves the warehouse."
    swapped = text.replace("warehouse", "depot")
    other = "The Danube is longer. It rises in the Black Forest and reaches the Black Sea."
    found = near_duplicates([text, other, swapped, text])
    assert [(number, earlier) for number, earlier, _ in found] == [(2, 0), (3, 0)]
    assert LIMIT <= found[0][2] < 1 and found[1][2] == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [("Abcdef!", {"abcdef"}), ("ab 12 cd", {"ab cd"}), ("abcdefg", {"abcdef", "bcdefg"}), ("", {""})],
)
def test_shingles(text: str, expected: set[str]) -> None:
    assert shingles(text) == expected


def test_texts_are_what_the_frames_give() -> None:
    made = [json.dumps(row, ensure_ascii=False) for row in compose.compose(LABELED, only=("tr", "nl"))]
    written = [line for name in ("nl", "tr") for line in (LABELED / f"{name}.jsonl").read_text("utf-8").splitlines()]
    assert made == written


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ({"text": "a"}, "line 1: Object missing required field `labels`"),
        ({"text": "a", "labels": []}, "labels must name one or several of preamble, reasoning_leak, clean"),
        ({"text": "a", "labels": ["clean", "preamble"]}, "the label clean excludes the others"),
        ({"text": "ab", "labels": ["preamble"], "span": [0, 3]}, "span must be a non-empty range within the text"),
        ({"text": "ab", "labels": ["clean"], "span": [0, 1]}, "span must be null for a clean text"),
        ({"text": "ab", "labels": ["clean"], "tools": "maybe"}, "Invalid enum value 'maybe'"),
        ({"text": "ab", "labels": ["clean"], "share": 0}, "share must be a number above 0"),
    ],
)
def test_a_bad_row_is_refused_with_its_place(tmp_path: Path, row: dict[str, object], sentence: str) -> None:
    file = tmp_path / "mine.jsonl"
    file.write_text(json.dumps(row) + "\n", "utf-8")
    with pytest.raises(ExampleError) as error:
        read([file])
    assert sentence in str(error.value) and "mine.jsonl, line 1" in str(error.value)


def test_no_examples_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ExampleError, match="no examples found"):
        read([tmp_path])

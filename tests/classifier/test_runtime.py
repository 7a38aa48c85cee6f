"""The runtime alone: what it needs, what it refuses, what it says, and that it matches phrases where they stand."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classifier import phrases
from classifier.runtime import (
    BODY,
    GRAMS,
    LABELS,
    MULTIPLIERS,
    SALTS,
    SIZES,
    Extractor,
    Model,
    ModelError,
    normalise,
    script_of,
    windows,
)

ROOT = Path(__file__).parents[2]
RELEASED = ROOT / "classifier" / "models" / "leakrate-1.0"
RELEASED_MODEL = Model(RELEASED)
LANGUAGES = phrases.load()
EXTRACTOR = Extractor(LANGUAGES, phrases.STANCES)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return Path(shutil.copytree(RELEASED, tmp_path / "model"))


TEXT = "Let me check that for you. Wait, the user wants the short version of it."


def test_runtime_needs_the_standard_library_only() -> None:
    code = (
        "import sys; sys.modules['numpy'] = None; from classifier.runtime import Model;"
        "print(Model(sys.argv[1]).scores(sys.argv[2]));"
        "print([name for name in ('sklearn', 'scipy', 'pandas', 'msgspec', 'pipelines') if name in sys.modules])"
    )
    command = [sys.executable, "-c", code, str(RELEASED), TEXT]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.splitlines() == [str(RELEASED_MODEL.scores(TEXT)), "[]"]


@pytest.mark.parametrize("name", ["model.json", "weights.bin", "golden.jsonl", "MODEL_CARD.md"])
def test_a_flipped_byte_is_refused(copy: Path, name: str) -> None:
    data = bytearray((copy / name).read_bytes())
    data[len(data) // 2] ^= 1
    (copy / name).write_bytes(bytes(data))
    with pytest.raises(ModelError, match=r"was changed|not the description"):
        Model(copy)


@pytest.mark.parametrize("name", ["model.json", "weights.bin", "golden.jsonl", "MODEL_CARD.md"])
def test_a_missing_file_is_refused(copy: Path, name: str) -> None:
    (copy / name).unlink()
    with pytest.raises(ModelError, match=rf"{name} is missing"):
        Model(copy)


def test_a_newer_format_is_refused_with_both_versions(copy: Path) -> None:
    text = (copy / "model.json").read_text("utf-8").replace('"format":1,', '"format":2,', 1)
    (copy / "model.json").write_text(text, "utf-8")
    with pytest.raises(ModelError, match="format 2 is not supported, only 1"):
        Model(copy)


def test_a_changed_digest_of_the_description_itself_is_refused(copy: Path) -> None:
    facts = json.loads((copy / "model.json").read_text("utf-8"))
    own = facts["checksums"]["model.json"]
    text = (copy / "model.json").read_text("utf-8").replace(own, "0" * 63 + "1", 1)
    (copy / "model.json").write_text(text, "utf-8")
    with pytest.raises(ModelError, match=r"model\.json was changed"):
        Model(copy)


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("Let me  CHECK\tthe   file", " let me check the file "),
        ("**Bold** and `code`", " bold and code "),
        ("It’s 10:45", " it's 00:00 "),
        ("a\n\n\n b \r\nc", " a \n b \n c "),
        ("", "  "),
    ],
)
def test_normalising(text: str, normal: str) -> None:
    assert normalise(text) == normal


@given(st.text(st.characters(), max_size=60), st.sampled_from(SIZES))
def test_windows_are_the_sum_of_products(text: str, size: int) -> None:
    expected = [
        (sum((ord(text[at + step]) & 0xFFFF) * MULTIPLIERS[step] for step in range(size)) + SALTS[size]) % 65536
        for at in range(len(text) - size + 1)
    ]
    assert list(windows(text)[SIZES.index(size)]) == expected


def test_windows_do_not_overflow_at_the_highest_code_points() -> None:
    text = "\uffff" * BODY
    assert set(windows(text)[-1]) == {(0xFFFF * sum(MULTIPLIERS) + SALTS[5]) % 65536}


def test_windows_of_the_first_part_only() -> None:
    assert [len(found) for found in windows("x" * BODY)] == [GRAMS - size + 1 for size in SIZES]
    assert [len(found) for found in windows("abcd")] == [2, 1, 0]


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("", "latin"),
        ("12 !", "latin"),
        ("Größe", "latin"),
        ("用户想知道", "cjk"),
        ("ユーザー", "cjk"),
        ("사용자가", "hangul"),
        ("пользователь", "cyrillic"),
        ("المستخدم", "arabic"),
        ("उपयोगकर्ता", "devanagari"),
        ("ωμέγα", "other"),
        ("a" * 40 + "я" * 30, "latin"),
    ],
)
def test_script_of_the_first_letters(text: str, script: str) -> None:
    assert script_of(text) == script


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("The user wants a short answer.", "user_request@start"),
        ("Let me pull up the order records.", "act_on_object@start"),
        ("Der Nutzer fragt nach der Uhrzeit.", "user_request@start"),
        ("用户想知道首都。", "user_request@start"),
        ("ユーザーは首都を聞いている。", "user_request@start"),
        ("사용자가 수도를 물어봤다.", "user_request@start"),
        ("Сейчас проверю заказ.", "act@start"),
        ("Fine.Then it goes on.", "shape:glued>=1"),
        ("Okay, in English first. " * 4 + "그리고 나머지는 한국어로 이어집니다. " * 8, "shape:script_changes"),
    ],
)
def test_columns_that_a_text_sets(text: str, column: str) -> None:
    assert column in EXTRACTOR.look(text)[0]


def test_a_gap_is_bounded() -> None:
    near, far = "I should just answer.", "I should " + "x" * 30 + " answer."
    assert "answer_planning@body" in EXTRACTOR.look(near)[0]
    assert EXTRACTOR.look(far)[0].isdisjoint({"answer_planning@2", "answer_planning@3"})


def test_languages_that_are_not_there_are_not_matched() -> None:
    """Italian "allora," or German "also," must not count in an English text."""
    assert (
        "interjection@body"
        not in EXTRACTOR.look("The shop is open and it is also, by the way, near to the station.")[0]
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_literal_is_found_where_it_stands(language: str) -> None:
    """Alone in its language, each literal in a text of its own, with others of the language that overlap it."""
    facts = LANGUAGES[language] | {"patterns": [], "markers": []}
    extractor = Extractor({language: facts}, {})
    for number, name in enumerate(sorted(facts["groups"])):
        for literal in facts["groups"][name]:
            text = f" x {literal}  用户 {literal}"
            found = extractor.events(text)[number]
            starts = [at for at in range(len(text)) if text.startswith(literal, at)]
            assert {(at, at + len(literal)) for at in starts} <= set(found), literal
            assert found == sorted(found) and all(text[start:end] in facts["groups"][name] for start, end in found)


@pytest.mark.parametrize(
    "text", [" a ok so ", " ok ", " 用户想知道 user asks ", " aab aabb ", " \ud800用户 ", " x\U00020000 "]
)
def test_events_are_the_occurrences_of_the_literals(text: str) -> None:
    groups = {
        "one": [" ok", " ok so", "用户", "想", "\U00020000"],
        "two": [" o", "户想", "知道 user", "\ud800用", "b", "ab"],
    }
    expected = {
        number: sorted(
            (at, at + len(held)) for held in groups[name] for at in range(len(text)) if text.startswith(held, at)
        )
        for number, name in enumerate(sorted(groups))
    }
    extractor = Extractor({"xx": {"markers": [], "groups": groups, "patterns": []}}, {})
    assert extractor.events(text) == {number: found for number, found in expected.items() if found}


def test_prediction_shows_only_likely_and_certain() -> None:
    clean = RELEASED_MODEL.predict("Photosynthesis turns light, water and carbon dioxide into sugar and oxygen.")
    assert (clean["label"], clean["raw_label"], clean["tier"]) == (None, "clean", None)
    leak = RELEASED_MODEL.predict("The user wants the capital of Peru. That is Lima. I should answer briefly.\n\nLima.")
    assert leak["raw_label"] == "reasoning_leak" and leak["score"] > 0.5
    assert (leak["label"] is None) == (leak["tier"] not in ("certain", "likely"))


def test_short_texts_are_not_judged() -> None:
    assert RELEASED_MODEL.scores("Hmm.") == dict.fromkeys(LABELS, 0.0)
    assert RELEASED_MODEL.predict(" Hmm. ")["reason"] == "shorter than the minimum length"


@given(st.text(max_size=300))
def test_scores_are_probabilities(text: str) -> None:
    scores = RELEASED_MODEL.scores(text)
    assert set(scores) == set(LABELS) and all(0 <= score <= 1 for score in scores.values())

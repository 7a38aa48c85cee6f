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
from classifier.runtime import BODY, LABELS, MULTIPLIERS, Extractor, Model, ModelError, normalise, script_of, windows

ROOT = Path(__file__).parents[2]
RELEASED = ROOT / "classifier" / "models" / "leakrate-1.0"
RELEASED_MODEL = Model(RELEASED)
EXTRACTOR = Extractor(phrases.load(), phrases.STANCES)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return Path(shutil.copytree(RELEASED, tmp_path / "model"))


def test_runtime_loads_with_the_standard_library_only() -> None:
    code = (
        "import sys; from classifier.runtime import Model; Model(sys.argv[1]).scores('Let me check that for you.');"
        "print([name for name in ('numpy', 'sklearn', 'scipy', 'pandas', 'msgspec', 'pipelines') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(RELEASED)], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert done.stdout.strip() == "[]"


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


@given(st.text(st.characters(), max_size=60), st.integers(1, 5))
def test_windows_are_the_sum_of_products(text: str, size: int) -> None:
    expected = [
        sum((ord(text[at + step]) & 0xFFFF) * MULTIPLIERS[step] for step in range(size)) % 65536
        for at in range(len(text) - size + 1)
    ]
    assert list(windows(text, (size,))[size]) == expected


def test_windows_do_not_overflow_at_the_highest_code_points() -> None:
    text = "\uffff" * BODY
    assert set(windows(text, (5,))[5]) == {0xFFFF * sum(MULTIPLIERS) % 65536}


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


def test_every_literal_is_found_where_it_stands() -> None:
    facts = phrases.load()
    for language in ("en", "zh", "ko", "ar"):
        for name, literals in facts[language]["groups"].items():
            for literal in literals:
                text = f" the and to of {literal} 用户 " if facts[language]["markers"] else f" 가 {literal} "
                assert _finds(text, literal), (language, name, literal)


def _finds(text: str, literal: str) -> bool:
    buckets = windows(text, (1, 2, 3, 4, 5))
    present = {size: set(found) for size, found in buckets.items()}
    tables = [EXTRACTOR.tables[place] for place in EXTRACTOR.tables_of(text)]
    held = [h for table in tables for size, known, holders in table for b in known & present[size] for h in holders[b]]
    return literal in {name for name, _ in held}


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

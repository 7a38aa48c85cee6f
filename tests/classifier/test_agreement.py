"""The released model: golden file, training matrices, batch and runtime give the same numbers; training gives the same bytes."""

import json
from pathlib import Path
from random import Random

import numpy as np
import pytest

from classifier import export, features
from classifier.batch import scores
from classifier.evaluate import compare, evaluate, recall_at, share
from classifier.examples import Example, ExampleError, read
from classifier.runtime import BUCKETS, HEADS, LABELS, SALTS, SIZES, UNIT, Model
from classifier.train import train

ROOT = Path(__file__).parents[2]
MODEL = Model(ROOT / "classifier" / "models" / "leakrate-1.0")
PLAIN = Model(MODEL.folder, vectors=False)
GOLDEN = [json.loads(line) for line in (MODEL.folder / "golden.jsonl").read_text("utf-8").splitlines()]
TOLERANCE = 1e-6


def random_texts(count: int) -> list[str]:
    """Strings from all of Unicode, surrogates included, mixed with words that the model knows."""
    rng = Random(11)
    words = [
        "Wait, ",
        "the user asks ",
        "Let me check the file. ",
        "\n\n",
        "用户想知道",
        "확인해 보겠습니다. ",
        "I think ",
        "1. ",
        "**",
        "Hmm. ",
    ]
    ranges = [
        (0, 0x80),
        (0x80, 0x250),
        (0x370, 0x780),
        (0x900, 0x980),
        (0x1E00, 0x2100),
        (0x3000, 0xA000),
        (0xAC00, 0x10000),
        (0x10000, 0x110000),
    ]

    def piece() -> str:
        low, high = rng.choice(ranges)
        return (
            rng.choice(words)
            if rng.random() < 0.4
            else "".join(chr(rng.randrange(low, high)) for _ in range(rng.randint(1, 12)))
        )

    return ["".join(piece() for _ in range(rng.choice((0, 1, 3, 10, 30, 150)))) for _ in range(count)]


def test_the_golden_file_has_all_languages_and_odd_texts() -> None:
    languages = {example.language for example in read([ROOT / "data" / "labeled"])}
    assert len(GOLDEN) >= 500 and len(languages) >= 10
    assert {row["text"] for row in GOLDEN} >= set(export.ODD)


def test_runtime_reproduces_the_golden_file() -> None:
    for row in GOLDEN:
        found = MODEL.predict(row["text"], row["tools"])
        assert MODEL.scores(row["text"], row["tools"]) == pytest.approx(row["scores"], abs=TOLERANCE)
        assert (found["label"], found["raw_label"], found["tier"]) == (row["label"], row["raw_label"], row["tier"])
        assert export.features_digest(MODEL.extractor, row["text"], row["tools"]) == row["features"]


def test_batch_agrees_with_the_runtime_on_the_golden_file() -> None:
    found = scores(MODEL, [row["text"] for row in GOLDEN], [row["tools"] for row in GOLDEN])
    expected = [[row["scores"][label] for label in LABELS] for row in GOLDEN]
    assert np.abs(found - np.array(expected)).max() < TOLERANCE


def _by_matrices(texts: list[str], tools: list[str]) -> np.ndarray:
    """Margins as training computes them, from sparse matrices and the shipped weights."""
    seen = features.look(MODEL.extractor, texts, tools)
    known = sorted(MODEL.weights)
    columns = np.array([MODEL.weights[name] for name in known]) / UNIT
    grams = np.frombuffer(MODEL.data, np.int8).reshape(len(HEADS), BUCKETS).T * MODEL.facts["gram_scale"]
    margins = features.columns(seen, known) @ columns + seen.grams @ grams + np.array(MODEL.facts["bias"]) / UNIT
    calibration = np.array([MODEL.facts["calibration"][label] for label in LABELS])
    labels = np.column_stack([margins[:, 0], margins[:, 1:].max(axis=1)])
    return 1 / (1 + np.exp(-(labels * calibration[:, 0] + calibration[:, 1])))


def agree_on(texts: list[str]) -> None:
    tools = [("unknown", "offered", "called")[number % 3] for number in range(len(texts))]
    runtime = np.array([list(MODEL.scores(text, tool).values()) for text, tool in zip(texts, tools, strict=True)])
    assert np.abs(scores(MODEL, texts, tools) - runtime).max() < TOLERANCE
    plain = np.array([list(PLAIN.scores(text, tool).values()) for text, tool in zip(texts, tools, strict=True)])
    assert np.abs(plain - runtime).max() < TOLERANCE
    judged = [len(text.strip()) >= MODEL.facts["minimum_length"] for text in texts]
    assert np.abs(_by_matrices(texts, tools) - runtime)[judged].max() < TOLERANCE


def test_training_batch_and_runtime_agree_on_random_strings() -> None:
    agree_on(random_texts(300))


@pytest.mark.slow
def test_training_batch_and_runtime_agree_on_ten_thousand_random_strings() -> None:
    agree_on(random_texts(10_000))


def test_an_empty_batch_is_empty() -> None:
    assert scores(MODEL, [], []).shape == (0, len(LABELS))


def test_the_folder_is_small() -> None:
    assert sum(file.stat().st_size for file in MODEL.folder.iterdir()) <= 1_048_576


def test_windows_of_different_sizes_do_not_share_a_place() -> None:
    assert len({SALTS[size] for size in SIZES}) == len(SIZES)


@pytest.fixture(scope="module")
def few() -> tuple[Example, ...]:
    return tuple(example for example in read([ROOT / "data" / "labeled"]) if example.language in ("nl", "tr", "de"))


@pytest.mark.slow
def test_training_gives_the_same_bytes(few: tuple[Example, ...], tmp_path: Path) -> None:
    for name in ("one", "two"):
        export.write(train(few, seed=3), tmp_path / name, examples=few, name="small", version="0.1")
    for file in sorted((tmp_path / "one").iterdir()):
        assert file.read_bytes() == (tmp_path / "two" / file.name).read_bytes(), file.name


@pytest.mark.slow
def test_the_released_model_is_what_the_documented_command_trains(tmp_path: Path) -> None:
    examples = read([ROOT / "data" / "labeled"])
    export.write(train(examples), tmp_path / "model", examples=examples, name="leakrate", version="1.0")
    for file in sorted(MODEL.folder.iterdir()):
        assert file.read_bytes() == (tmp_path / "model" / file.name).read_bytes(), file.name


def test_too_few_texts_of_a_label_are_refused(few: tuple[Example, ...]) -> None:
    with pytest.raises(ExampleError, match="20 texts with the label preamble"):
        train([example for example in few if "preamble" not in example.labels])


def test_evaluation_finds_what_the_model_knows() -> None:
    examples = [example for example in read([ROOT / "data" / "labeled"]) if example.split == "test"][::12]
    overall = {report.label: report for report in evaluate(MODEL, examples) if report.slice == "all"}
    for label in LABELS:
        report = overall[label]
        assert report.positives + report.negatives == len(examples)
        assert report.average_precision is not None and report.average_precision > 0.9
        low, value, high = report.recall_at[0.01].low, report.recall_at[0.01].value, report.recall_at[0.01].high
        assert low is not None and value is not None and high is not None and low <= value <= high


def test_recall_at_a_rate_by_hand() -> None:
    scores_ = np.array([0.9, 0.6, 0.4, 0.5, 0.3, 0.2, 0.1])
    wanted = np.array([True, True, True, False, False, False, False])
    assert recall_at(scores_, wanted, 0.0) == pytest.approx(2 / 3)
    assert recall_at(scores_, wanted, 0.25) == 1.0


def test_a_share_has_the_exact_interval_and_none_on_nothing() -> None:
    assert share(0, 100).high == pytest.approx(1 - 0.025 ** (1 / 100))
    assert share(0, 0).value is None


def test_a_model_is_not_better_than_itself() -> None:
    examples = [example for example in read([ROOT / "data" / "labeled"]) if example.language == "id"][::2]
    assert [verdict.better for verdict in compare(MODEL, MODEL, examples)] == [False, False]

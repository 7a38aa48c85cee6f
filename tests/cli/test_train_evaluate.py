"""`leakrate train` and `leakrate evaluate` from the command line."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from pipelines.cli.evaluate import command as evaluate
from pipelines.cli.train import command as train
from pipelines.errors import ConfigurationError

LABELED = Path(__file__).parents[2] / "data" / "labeled"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("trained") / "mine"
    arguments = [
        "--examples",
        str(LABELED / "nl.jsonl"),
        "--examples",
        str(LABELED / "de.jsonl"),
        "--output",
        str(folder),
    ]
    done = CliRunner().invoke(train, [*arguments, "--name", "mine"], catch_exceptions=False)
    assert done.exit_code == 0 and "mine 1.0, trained on" in done.output
    return folder


def test_a_trained_model_is_a_whole_folder(model: Path) -> None:
    assert {file.name for file in model.iterdir()} == {"model.json", "weights.bin", "golden.jsonl", "MODEL_CARD.md"}
    assert "# mine 1.0" in (model / "MODEL_CARD.md").read_text("utf-8")


def test_evaluate_prints_every_slice(model: Path) -> None:
    arguments = [str(model), "--examples", str(LABELED / "nl.jsonl"), "--split", "test"]
    done = CliRunner().invoke(evaluate, arguments, catch_exceptions=False)
    assert done.exit_code == 0
    for part in ("preamble  all", "reasoning_leak  language=nl", "recall at 0.1%", "PR-AUC"):
        assert part in done.output


def test_evaluate_as_json_and_against_another_model(model: Path) -> None:
    arguments = ["default", "--examples", str(LABELED / "nl.jsonl"), "--against", str(model), "--json"]
    done = CliRunner().invoke(evaluate, arguments, catch_exceptions=False)
    found = json.loads(done.output)
    assert [verdict["label"] for verdict in found["verdicts"]] == ["preamble", "reasoning_leak"]
    assert all(isinstance(verdict["better"], bool) for verdict in found["verdicts"])
    assert {report["slice"] for report in found["reports"]} >= {"all", "language=nl"}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["no-such-folder", "--examples", "x.jsonl"], "^MODEL: .*model.json is missing"),
        (["default", "--examples", "x.jsonl", "--against", "no-such-folder"], "^--against: .*model.json is missing"),
        (["default", "--examples", "no-such-file.jsonl"], "no-such-file.jsonl: cannot be read"),
    ],
)
def test_evaluate_refuses_with_a_sentence(arguments: list[str], sentence: str) -> None:
    with pytest.raises(ConfigurationError, match=sentence):
        CliRunner().invoke(evaluate, arguments, catch_exceptions=False)


def test_train_does_not_write_into_a_folder_of_something_else(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine", "utf-8")
    arguments = ["--examples", str(LABELED / "nl.jsonl"), "--output", str(tmp_path)]
    with pytest.raises(ConfigurationError, match="must be a new folder or a model folder"):
        CliRunner().invoke(train, arguments, catch_exceptions=False)


def test_train_asks_for_a_version_that_a_run_can_use_before_it_begins(tmp_path: Path) -> None:
    arguments = ["--examples", "no-such-file.jsonl", "--output", str(tmp_path / "new"), "--version", "next"]
    with pytest.raises(ConfigurationError, match=r"^--version: the version of a model is MAJOR\.MINOR"):
        CliRunner().invoke(train, arguments, catch_exceptions=False)

"""Options behind --runner are Beam's or refused, and a runner that cannot be had is one sentence."""

import apache_beam as beam
import grpc  # type: ignore[import-untyped]
import pytest

from pipelines.beam.leak_rates import BeamEngine
from pipelines.beam.options import check_options
from pipelines.errors import ConfigurationError, DataError
from pipelines.job import Step


@pytest.mark.parametrize(
    "argument",
    [
        "--parallelism=4",
        "--job_endpoint=localhost:8099",
        "--flink_master=local",
        "--direct_num_workers=2",
        "--streaming",
    ],
)
def test_options_of_beam_are_known(argument: str) -> None:
    check_options([argument])


@pytest.mark.parametrize(
    ("argument", "sentence"),
    [
        ("--unitl=2026-11-30", "--unitl: neither an option .* did you mean --until"),
        ("--paralelism=4", "did you mean --parallelism"),
        ("--zzzzzzzz", "--zzzzzzzz: neither an option of `leakrate run` nor of Beam$"),
        ("--direct_num_workers=many", "invalid int value"),
        ("--job_endpoint", "expected one argument; write them as --name=value"),
    ],
)
def test_any_other_is_refused(argument: str, sentence: str) -> None:
    with pytest.raises(ConfigurationError, match=sentence):
        check_options([argument], ["--until", "--since"])


@pytest.mark.parametrize(
    "error",
    [
        grpc.FutureTimeoutError(),
        RuntimeError("no\ndocker"),
        ValueError("no region"),
        ImportError("no apitools"),
        OSError(""),
    ],
)
def test_a_runner_that_does_not_start_is_one_sentence(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def fails(**_: object) -> None:
        raise error

    monkeypatch.setattr(beam, "Pipeline", fails)
    engine = BeamEngine("FlinkRunner")
    with pytest.raises(ConfigurationError, match=f"^--runner FlinkRunner did not start: {type(error).__name__}"):
        engine._run(print, [1])
    with pytest.raises(DataError, match="did not start"):
        engine.steps(print, [Step(0, "")])


def test_a_job_that_fails_is_one_sentence_without_the_text_of_its_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    class Failing(beam.Pipeline):
        def run(self) -> object:  # type: ignore[override]
            return self

        def wait_until_finish(self) -> None:
            raise RuntimeError("secret")

    monkeypatch.setattr(beam, "Pipeline", lambda **_: Failing("FnApiRunner"))
    with pytest.raises(DataError, match=r"^--runner FlinkRunner did not end well; its own log says more$"):
        BeamEngine("FlinkRunner")._run(print, [1])

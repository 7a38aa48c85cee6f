"""What ends a command is one sentence and an exit code, never a traceback."""

import errno

import pytest
from click.testing import CliRunner

from pipelines import cli
from pipelines.errors import ConfigurationError, DataError


@pytest.mark.parametrize(
    ("raised", "code", "sentence"),
    [
        (ConfigurationError("--since 1: no such day"), 2, "leakrate: --since 1: no such day\n"),
        (DataError("not complete"), 3, "leakrate: not complete\n"),
        (
            OSError(errno.ENOSPC, "No space left on device", "out/turns"),
            3,
            "leakrate: out/turns: No space left on device; the result is not complete\n",
        ),
        (ConnectionResetError(), 3, "leakrate: ConnectionResetError; the result is not complete\n"),
    ],
)
def test_one_sentence_and_an_exit_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], raised: Exception, code: int, sentence: str
) -> None:
    def fails(**_: object) -> None:
        raise raised

    monkeypatch.setattr(cli, "group", fails)
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == code
    assert capsys.readouterr().err == sentence


@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "logs", "--output", "out"],
        ["gate", "out", "--baseline", "baseline"],
        ["baseline", "accept", "out", "--as", "baseline"],
    ],
    ids=["run", "gate", "baseline"],
)
def test_nan_is_no_limit_of_rejects(arguments: list[str]) -> None:
    refused = CliRunner().invoke(cli.group, [*arguments, "--max-reject-rate", "nan"])
    assert refused.exit_code == 2
    assert "--max-reject-rate" in refused.output and "nan is no number" in refused.output

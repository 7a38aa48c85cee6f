"""What ends a command is one sentence and an exit code, never a traceback."""

import errno

import pytest

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

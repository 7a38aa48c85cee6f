"""A file that cannot be written is told before the work, by option and path."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from pipelines import cli
from pipelines.cli.writable import check_writable
from pipelines.errors import ConfigurationError

COMMANDS = [
    ("--metrics", ["run", "{logs}", "--output", "{out}"]),
    ("--metrics", ["run", "{logs}", "--store", "{out}"]),
    ("--as", ["baseline", "accept", "{out}"]),
    ("--json", ["gate", "{out}", "--baseline", "{out}"]),
    ("--markdown", ["gate", "{out}", "--baseline", "{out}"]),
    ("--junit", ["gate", "{out}", "--baseline", "{out}"]),
    ("--parquet", ["gate", "{out}", "--baseline", "{out}"]),
    ("--output", ["report", "{out}"]),
    ("--output", ["train", "--examples", "{logs}"]),
]


@pytest.mark.parametrize(
    ("option", "arguments"), COMMANDS, ids=lambda value: "-".join(value[:2]) if isinstance(value, list) else value
)
def test_before_any_work(tmp_path: Path, option: str, arguments: list[str]) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "logs.jsonl").write_text("{}\n")
    given = [word.format(logs=tmp_path / "logs.jsonl", out=tmp_path / "out") for word in arguments]
    refused = CliRunner().invoke(cli.group, [*given, option, f"{tmp_path}/file/below.json"])
    assert isinstance(refused.exception, ConfigurationError)
    assert (
        str(refused.exception)
        == f"{option} {tmp_path}/file/below.json: cannot be written: {tmp_path}/file is no folder"
    )
    assert not (tmp_path / "out").exists()


def test_reasons(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check_writable(
        {"--json": None, "--as": str(tmp_path / "new" / "deep" / "file"), "--metrics": "s3://bucket/metrics.prom"}
    )
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(ConfigurationError, match=r"^--json: is empty; name a file$"):
        check_writable({"--json": ""})
    with pytest.raises(ConfigurationError, match=r"cannot be written: it is a folder$"):
        check_writable({"--as": str(tmp_path)})

    def closed(**_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tempfile.TemporaryFile", closed)
    with pytest.raises(
        ConfigurationError, match=f"^--as {tmp_path}/file: cannot be written: {tmp_path}: Permission denied$"
    ):
        check_writable({"--as": str(tmp_path / "file")})


@pytest.mark.parametrize("option", ["--output", "--store"])
def test_an_empty_name_is_no_folder(option: str) -> None:
    refused = CliRunner().invoke(cli.group, ["run", "logs", option, ""])
    assert str(refused.exception) == f"{option}: is empty; name a folder"

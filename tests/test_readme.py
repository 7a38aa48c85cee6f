"""The commands of README.md are run, in order, and print what the page shows; what it names exists."""

import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from pipelines.cli import COMMANDS, group

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", PAGE, flags=re.MULTILINE | re.DOTALL)
ELIDED = "..."
DONE = (0, 1, 4)
"""Done, failed by the gate, not enough data; 2 and 3 would be a wrong command or unusable data."""


def commands() -> list[tuple[str, list[str]]]:
    """Every command of a console block, with the lines of output shown below it."""
    shown: list[tuple[str, list[str]]] = []
    for language, text in BLOCKS:
        for line in text.splitlines() if language == "console" else ():
            if line.startswith("$ "):
                shown.append((line.removeprefix("$ "), []))
            else:
                shown[-1][1].append(line)
    return shown


@pytest.fixture(scope="module")
def newcomer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the repository's data and the files that the page writes down."""
    folder = tmp_path_factory.mktemp("newcomer")
    (folder / "data").symlink_to(ROOT / "data")
    for language, text in BLOCKS:
        name = text.partition("\n")[0].removeprefix("# ")
        if language == "toml" and name.endswith(".toml"):
            tomllib.loads(text)
            (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.mark.slow
def test_commands_print_what_the_page_shows(newcomer: Path) -> None:
    assert len(commands()) >= 6
    for command, shown in commands():
        words = shlex.split(command)
        assert words[0] in ("leakrate", "python"), command
        program = [sys.executable, "-m", "pipelines"] if words[0] == "leakrate" else [sys.executable]
        done = subprocess.run(
            [*program, *words[1:]],
            cwd=newcomer,
            env={**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "120"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode in DONE, f"{command}: {done.stderr}"
        printed = [line.rstrip() for line in done.stdout.splitlines()]
        missing = [line for line in shown if line.rstrip() not in printed and line.strip() != ELIDED]
        assert not missing, f"{command} does not print {missing}\nbut\n{done.stdout}"


@pytest.mark.parametrize("command", sorted(set(re.findall(r"\bleakrate ([a-z][a-z-]+)", PAGE))))
def test_a_named_command_exists(command: str) -> None:
    prose = {"reads", "as", "is"}
    assert command in COMMANDS or command in prose


def test_named_options_exist() -> None:
    known = {"-m", "--name"}
    for name in COMMANDS:
        chosen = group.get_command(group.make_context("leakrate", [name, "--help"], resilient_parsing=True), name)
        assert chosen is not None
        nested = getattr(chosen, "commands", {}).values()
        known |= {option for one in (chosen, *nested) for parameter in one.params for option in parameter.opts}
    text = re.sub(r"^args = .*$", "", PAGE, flags=re.MULTILINE)
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", text))
    assert named
    assert named <= known, named - known


@pytest.mark.parametrize("target", sorted(set(re.findall(r"\]\(([^)#]+)\)", PAGE))))
def test_a_link_leads_somewhere(target: str) -> None:
    assert target.startswith("https://") or (ROOT / target).exists()


def test_ci_calls_the_test_command_of_the_page() -> None:
    test_command = next(
        line for language, text in BLOCKS if language == "sh" for line in text.splitlines() if "pytest" in line
    )
    arguments = test_command.partition("pytest")[2].strip()
    assert f"pytest {arguments}" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")

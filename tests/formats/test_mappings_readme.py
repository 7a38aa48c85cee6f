"""The page on mapping files is true: its files are written, its commands run, its words are all the words there are."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from pipelines.formats.mapping import declaration

ROOT = Path(__file__).parent.parent.parent
PAGE = ROOT / "pipelines" / "formats" / "mappings" / "README.md"
BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
RUNNER = "import sys; sys.argv[0] = 'leakrate'; from pipelines.cli import main; main()"


def blocks(language: str) -> list[tuple[str, str]]:
    return [(name, text) for found, name, text in BLOCK.findall(PAGE.read_text()) if found == language]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made: Path = tmp_path_factory.mktemp("walk")
    for name, text in [*blocks("jsonl"), *blocks("toml")]:
        (made / name).write_text(text)
    return made


def commands() -> list[tuple[str, list[str]]]:
    found = []
    for _, text in blocks("console"):
        first, *output = text.splitlines()
        assert first.startswith("$ leakrate ")
        found.append((first.removeprefix("$ leakrate "), output))
    return found


@pytest.mark.parametrize(("command", "output"), commands(), ids=lambda value: value if isinstance(value, str) else "")
def test_command_prints_what_the_page_says(folder: Path, command: str, output: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", RUNNER, *command.split()],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), "PATH": ""},
        capture_output=True,
        text=True,
        timeout=120,
    )
    lines = [line.rstrip() for line in (done.stdout + done.stderr).splitlines()]
    if output[-1] == "…":
        output = output[:-1]
        lines = lines[: len(output)]
    assert lines == output


def test_every_word_of_mapping_files_is_on_the_page() -> None:
    text = PAGE.read_text().partition("## What a mapping can say")[2]
    words = set(re.findall(r"[a-z0-9_]+", text))
    known = {
        *declaration.TOP,
        *declaration.FIELDS,
        *declaration.DIMS,
        *declaration.DECODERS,
        *declaration.UNITS,
        *declaration.STATES,
        *declaration.ACTIONS,
        *declaration.DROPPABLE,
        *declaration.ASSEMBLERS,
    }
    assert known - words == set()

"""The notebooks run from top to bottom on the repository's samples, and store no output."""

import os
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).parent.parent
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def test_there_are_three() -> None:
    assert [path.name for path in NOTEBOOKS] == ["1_rates.ipynb", "2_triage.ipynb", "3_classifier.ipynb"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_no_output_is_stored(path: Path) -> None:
    book = nbformat.read(path, as_version=4)
    nbformat.validate(book)
    code = [cell for cell in book.cells if cell.cell_type == "code"]
    assert code
    assert all(not cell.outputs and cell.execution_count is None for cell in code)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_no_function_is_defined_in_a_notebook(path: Path) -> None:
    book = nbformat.read(path, as_version=4)
    assert not [cell for cell in book.cells if cell.cell_type == "code" and "def " in cell.source]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_runs(path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from nbclient import NotebookClient

    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("MPLBACKEND", "agg")
    monkeypatch.delenv("LEAKRATE_RESULT", raising=False)
    book = nbformat.read(path, as_version=4)
    done = NotebookClient(book, timeout=300, resources={"metadata": {"path": str(path.parent)}}).execute()
    shown = [output for cell in done.cells if cell.cell_type == "code" for output in cell.outputs]
    assert shown
    assert not [output for output in shown if output.output_type == "error"]

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


def test_the_chart_of_rates_draws_the_intervals_that_there_are() -> None:
    import matplotlib

    matplotlib.use("agg")
    import matplotlib.pyplot as plt
    import pandas as pd

    nothing = float("nan")
    bounds = [("bounded", 0.02, 0.2), ("upper", nothing, 0.3), ("neither", nothing, nothing)]
    worst = pd.DataFrame(
        [(name, "vllm", "0.33.0", "reasoning_leak", 0.1, low, high) for name, low, high in bounds],
        columns=["model", "engine", "engine_version", "measure", "rate", "low", "high"],
    )
    book = nbformat.read(NOTEBOOKS[0], as_version=4)
    source = next(cell.source for cell in book.cells if "hlines" in cell.source)
    drawn: dict[str, object] = {"plt": plt, "worst": worst}
    exec(source, drawn)
    lines = {one.get_label(): one.get_segments() for one in drawn["axes"].collections}  # type: ignore[attr-defined]
    plt.close("all")
    assert {label: [segment[:, 0].tolist() for segment in found] for label, found in lines.items()} == {
        "95 % interval": [[0.02, 0.2]],
        "upper bound only": [[0.0, 0.3]],
    }


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

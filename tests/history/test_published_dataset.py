"""The history is one dataset for DuckDB, pandas and Arrow, and its tables are read alike from a store and from an output."""

from datetime import UTC, datetime
from pathlib import Path

import duckdb
import pandas as pd
import pyarrow as pa
import pyarrow.dataset
import pytest

from pipelines import history
from pipelines.errors import DataError, InputError
from pipelines.outputs import is_store, load_counts, load_coverage, load_manifest, load_rates, load_usage
from pipelines.schema import COUNT, COVERAGE, RATE
from tests.history.nights import run, write_pairs

README = Path(history.__file__).with_name("README.md")
LEAK = "<think>\nLet me add.\n</think>\n\n12"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three days: 2 leaks in 4 turns on the first, 1 in 2 on the second, none in 1 on the third."""
    root = tmp_path_factory.mktemp("dataset")
    answers = {1: (LEAK, LEAK, "12", "12"), 2: (LEAK, "12"), 3: ("12",)}
    for day, texts in answers.items():
        moment = datetime(2026, 11, day, 9, tzinfo=UTC)
        rows = [(f"{day}-{number}", moment, {"answer": text}) for number, text in enumerate(texts)]
        write_pairs(root / f"{day}.jsonl", rows)
        run(root / "store", root / f"{day}.jsonl", lookback=0)
    return root / "store"


def test_the_documented_query_gives_the_documented_answer(folder: Path) -> None:
    blocks = README.read_text(encoding="utf-8").split("```")
    query = next(block.removeprefix("sql") for block in blocks if block.startswith("sql"))
    answer = blocks[blocks.index(f"sql{query}") + 2]
    found = duckdb.sql(query.replace("STORE", str(folder))).fetchall()
    assert [line.split() for line in answer.strip().splitlines()] == [[str(value) for value in row] for row in found]
    assert [row[2:4] for row in found] == [(2, 4), (1, 2), (0, 1)]


def test_duckdb_asks_turns_for_any_other_cut(folder: Path) -> None:
    found = duckdb.sql(f"SELECT family, count(*) FROM read_parquet('{folder}/turns/*.parquet') GROUP BY ALL").fetchall()
    assert found == [("qwen3", 7)]


@pytest.mark.parametrize("name", ["rates", "counts", "usage", "detections", "turns"])
def test_every_reader_sees_the_same_rows(folder: Path, name: str) -> None:
    rows = pa.dataset.dataset(folder / name).to_table()
    assert len(rows) > 0
    assert len(pd.read_parquet(folder / name)) == len(rows)
    assert duckdb.sql(f"SELECT * FROM read_parquet('{folder}/{name}/*.parquet')").fetchall().__len__() == len(rows)


def test_days_are_chosen(folder: Path) -> None:
    counts = load_counts(str(folder), since="2026-11-02")
    assert counts.schema == COUNT
    assert set(counts["day"].to_pylist()) == {"2026-11-02", "2026-11-03"}
    rates = load_rates(str(folder), until="2026-11-01")
    assert rates.schema == RATE
    assert set(rates["day"].to_pylist()) == {"2026-11-01"}
    assert load_coverage(str(folder)).schema == COVERAGE
    assert sum(load_usage(str(folder))["responses"].to_pylist()) == 7
    assert load_manifest(str(folder))["days"] == ["2026-11-01", "2026-11-02", "2026-11-03"]
    assert is_store(str(folder))


def test_what_is_not_finished_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such result"):
        load_rates(str(tmp_path / "nothing"))
    (tmp_path / "state.json").write_text("{}")
    with pytest.raises(DataError, match=r"no manifest\.json"):
        load_rates(str(tmp_path))

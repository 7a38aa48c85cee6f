"""Files written piece by piece hold what one table would, and are there complete or not at all, here and in an object store."""

from pathlib import Path

import pyarrow as pa
import pytest

from pipelines import store

SCHEMA = pa.schema(
    [
        pa.field("day", pa.string()),
        pa.field("model", pa.dictionary(pa.int32(), pa.string())),
        pa.field("turns", pa.int64()),
    ]
)
ROWS = pa.table(
    {"day": ["a", "a", "=b"], "model": pa.array(["x,y", "z", "x,y"]).dictionary_encode(), "turns": [1, 2, 3]},
    schema=SCHEMA,
)


@pytest.fixture(params=["disk", "memory"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return str(tmp_path) if request.param == "disk" else f"memory://pieces/{tmp_path.name}"


def test_pieces_are_the_whole(folder: str) -> None:
    parquet, lines = store.join(folder, "rows.parquet"), store.join(folder, "rows.csv")
    with store.parquet_pieces(parquet, SCHEMA) as write_rows, store.csv_pieces(lines, SCHEMA) as write_lines:
        for piece in (ROWS.slice(0, 2), ROWS.slice(2)):
            write_rows(piece)
            write_lines(piece)
    assert store.read_parquet(parquet).to_pylist() == ROWS.to_pylist()
    with store.csv_pieces(store.join(folder, "whole.csv"), SCHEMA) as write_lines:
        write_lines(ROWS)
    assert store.read(lines) == store.read(store.join(folder, "whole.csv"))
    assert store.read(lines).decode().splitlines() == [
        '"day","model","turns"',
        '"a","x,y",1',
        '"a","z",2',
        '"\'=b","x,y",3',
    ]


def test_no_piece_is_an_empty_table(folder: str) -> None:
    with store.parquet_pieces(store.join(folder, "none.parquet"), SCHEMA):
        pass
    assert store.read_parquet(store.join(folder, "none.parquet")) == SCHEMA.empty_table()


def test_a_file_that_could_not_be_ended_is_not_there(folder: str) -> None:
    uri = store.join(folder, "rows.parquet")
    with pytest.raises(ZeroDivisionError), store.parquet_pieces(uri, SCHEMA) as write_rows:
        write_rows(ROWS)
        raise ZeroDivisionError
    assert not store.exists(uri)
    assert store.names(folder) == []


def test_some_columns_and_single_batches_of_a_stream(folder: str) -> None:
    uri = store.join(folder, "rows.arrow")
    store.write_stream(uri, SCHEMA, [*ROWS.slice(0, 2).to_batches(), *ROWS.slice(2).to_batches()])
    assert store.read_stream(uri, ["turns", "day"]).to_pylist() == ROWS.select(["turns", "day"]).to_pylist()
    assert [len(batch) for batch in store.read_batches(uri)] == [2, 1]
    assert [row for batch in store.read_batches(uri) for row in batch.to_pylist()] == ROWS.to_pylist()

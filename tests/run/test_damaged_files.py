"""A file that is damaged, empty, or gone when its turn comes costs one counted reject, and never a run."""

import gzip
import io
import zlib
from pathlib import Path
from random import Random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

from pipelines import ingest, leak_rates, store
from pipelines import plan as planning
from pipelines.errors import InputError
from pipelines.job import Options
from pipelines.local import Local
from tests.gateway_rows import LEAKING, lines, pair, payload
from tests.runs import rows, run, totals


def _parquet() -> bytes:
    file = io.BytesIO()
    pq.write_table(pa.table({"id": ["a"] * 1000, "response": ["{}"] * 1000}), file)
    return file.getvalue()


GZIP, ZSTD = gzip.compress(lines([pair(1)])), zstandard.compress(lines([pair(1)]))
DAMAGED = {
    "gzip, wrong from the start": b"\x1f\x8b" + b"garbage" * 9,
    "gzip, wrong in the first block": GZIP[:20] + b"\0" * 20 + GZIP[40:],
    "gzip, only its magic": b"\x1f\x8b",
    "zstd, wrong in the first block": ZSTD[:12] + b"\xff" * 30 + ZSTD[42:],
    "zstd, only its magic": b"\x28\xb5\x2f\xfd",
    "parquet, cut": _parquet()[:-100],
    "parquet, only its magic": b"PAR1",
    "parquet, wrong in its data": _parquet()[:4] + b"\xff" * 60 + _parquet()[64:],
    "parquet, wrong in its footer": _parquet()[:-60] + b"\xff" * 40 + _parquet()[-20:],
}


@pytest.mark.parametrize("content", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_file_is_a_reject_and_its_neighbours_are_read(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "damaged").write_bytes(content)
    (tmp_path / "logs" / "good.jsonl").write_bytes(lines([pair(1), pair(2)]))
    run([tmp_path / "logs"], tmp_path / "out")
    assert {(row["source_uri"][-7:], row["code"]) for row in rows(tmp_path / "out", "rejects")} == {
        ("damaged", "damaged_file")
    }
    count = totals(tmp_path / "out")
    assert (count["items"], count["accepted"], count["rejected"]) == (3, 2, 1)


@pytest.mark.parametrize("content", [b"", gzip.compress(b""), zstandard.compress(b""), b"\xef\xbb\xbf"])
def test_an_empty_file_is_no_reject(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "empty").write_bytes(content)
    run([tmp_path / "empty"], tmp_path / "out")
    assert totals(tmp_path / "out")["rejected"] == 0


@pytest.mark.parametrize("together", [1, 10_000])
def test_rows_in_front_of_the_damage_are_judged(together: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ingest, "TOGETHER", together)
    noise = Random(3)
    calls = [payload(number, f"{LEAKING} {noise.randbytes(4000).hex()}") for number in range(200)]
    cut = gzip.compress(lines(calls))[: -(1 << 18)]
    whole = zlib.decompressobj(31).decompress(cut).count(b"\n")
    (tmp_path / "log.jsonl.gz").write_bytes(cut)
    run([tmp_path / "log.jsonl.gz"], tmp_path / "out")
    accepted = totals(tmp_path / "out")["accepted"]
    assert 64 < whole - 40 <= accepted <= whole, (whole, accepted)
    assert {row["source_pos"] for row in rows(tmp_path / "out", "detections")} == set(range(accepted))
    assert [row["code"] for row in rows(tmp_path / "out", "rejects")] == ["damaged_file"]


def test_a_file_that_vanishes_between_listing_and_reading_is_a_reject(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(lines([pair(1)]))
    (tmp_path / "b.jsonl").write_bytes(lines([pair(2)]))
    output = str(tmp_path / "out")
    options = Options(work=store.join(output, leak_rates.WORK))
    found = planning.plan([f"{tmp_path}/*.jsonl"], options)
    (tmp_path / "a.jsonl").unlink()
    leak_rates.claim(output, fresh=False)
    leak_rates.leak_rates(output, options, plan=found, engine=Local(1), seen=lambda _: None)
    assert [(row["source_uri"], row["code"]) for row in rows(output, "rejects")] == [
        (f"{tmp_path}/a.jsonl", "unreadable_file")
    ]
    assert totals(output)["accepted"] == 1


def test_a_file_that_may_not_be_read_is_a_reject_unless_it_was_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "locked.jsonl").write_bytes(lines([pair(1)]))
    (tmp_path / "logs" / "open.jsonl").write_bytes(lines([pair(2)]))
    opened = store.files._open

    def refusing(system: object, path: str, ahead: int) -> object:
        if path.endswith("locked.jsonl"):
            raise PermissionError(13, "Permission denied")
        return opened(system, path, ahead)

    monkeypatch.setattr(store.files, "_open", refusing)
    run([tmp_path / "logs"], tmp_path / "out")
    assert [row["code"] for row in rows(tmp_path / "out", "rejects")] == ["unreadable_file"]
    assert totals(tmp_path / "out")["accepted"] == 1
    with pytest.raises(InputError, match="locked"):
        run([tmp_path / "logs" / "locked.jsonl"], tmp_path / "other")

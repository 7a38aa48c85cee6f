"""A file that is damaged or gone when its turn comes costs one counted reject, and never a run; the result is then not complete."""

import gzip
import io
import json
import zlib
from pathlib import Path
from random import Random

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

from pipelines import ingest, leak_rates, store
from pipelines import plan as planning
from pipelines.baseline import load_runs
from pipelines.errors import DataError, InputError
from pipelines.job import Options
from pipelines.local import Local
from pipelines.schema import LOSSES
from pipelines.shard import WHOLE_PIECE, process_shard
from tests.gateway_rows import CLEAN, LEAKING, lines, pair, payload
from tests.runs import finished, rows, run, totals


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


def test_a_run_over_a_damaged_file_is_written_and_not_complete(tmp_path: Path) -> None:
    whole = gzip.compress(lines([pair(n, f"{CLEAN} {n * 7919}") for n in range(3000)]))
    (tmp_path / "cut.jsonl.gz").write_bytes(whole[: len(whole) // 8])
    (tmp_path / "good.jsonl").write_bytes(lines([pair(n) for n in range(5000, 5100)]))
    out = tmp_path / "out"
    ended = finished(tmp_path / "cut.jsonl.gz", tmp_path / "good.jsonl", "--output", out, "--quiet")
    assert ended.returncode == 3
    assert ended.stderr.count("\n") == 1
    assert "cut.jsonl.gz was not read to the end, so the result is not complete" in ended.stderr
    assert totals(out)["rejected"] == 1
    assert totals(out)["accepted"] > 100
    assert json.loads((out / "manifest.json").read_text())["inputs"]["incomplete"] == 1
    with pytest.raises(DataError, match=r"not complete: .*cut.jsonl.gz could not be read to the end"):
        load_runs([str(out)])
    ended = finished(tmp_path / "good.jsonl", "--output", out, "--quiet")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert json.loads((out / "manifest.json").read_text())["inputs"]["incomplete"] == 0
    assert len(load_runs([str(out)])) == 1


def test_a_piece_that_is_given_up_is_a_loss(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(lines([pair(1)]))
    (tmp_path / "b.jsonl").write_bytes(lines([pair(2), pair(3)]))
    options = Options(work=str(tmp_path / "out" / "work"))
    (shard,) = planning.plan([f"{tmp_path}/*.jsonl"], options).shards
    done = process_shard(msgspec.structs.replace(shard, poison=((0, WHOLE_PIECE),)), options)
    counts = {uri.rpartition("/")[2]: count for uri, _, count in done.coverage}
    assert counts["a.jsonl"] == {"items": 1, "rejected": 1, "rejected.piece_given_up": 1}
    assert (counts["b.jsonl"]["accepted"], counts["b.jsonl"].get("rejected", 0)) == (2, 0)
    assert not counts["a.jsonl"].keys().isdisjoint(LOSSES)


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


def test_a_folder_that_may_not_be_read_is_one_reject(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("logs/private/deep/a.jsonl", "logs/open.jsonl"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(lines([pair(1)]))
    monkeypatch.setattr("os.access", lambda path, mode: Path(path).name != "private")
    run([tmp_path / "logs"], tmp_path / "out")
    assert [(row["source_uri"], row["code"]) for row in rows(tmp_path / "out", "rejects")] == [
        (f"{tmp_path}/logs/private", "unreadable_file")
    ]
    assert totals(tmp_path / "out")["accepted"] == 1

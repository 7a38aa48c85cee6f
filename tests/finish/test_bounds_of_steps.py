"""How many turns a part or a bucket holds changes no row and no number, nor do the processes that make them."""

from pathlib import Path

import pytest

from pipelines import plan as planning
from pipelines.finish import ledger, rated
from pipelines.fold import pool_days
from pipelines.local import FEWEST_STEPS, Local
from pipelines.rates import rates
from pipelines.schema import COUNT
from tests import gateway_rows
from tests.runs import rows, run, table


def test_bounds_of_memory_change_no_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planning, "SHARD_BYTES", 20_000)
    made = [
        gateway_rows.payload(n, gateway_rows.LEAKING if n % 17 == 0 else gateway_rows.CLEAN, session=f"s{n % 40}")
        for n in range(300)
    ]
    logs = [gateway_rows.write_log(tmp_path, name, some) for name, some in (("a", made[:200]), ("b", made[150:]))]
    run(logs, tmp_path / "usual")
    for name in ("TURNS_PER_PART", "TURNS_PER_BUCKET", "KEYS_PER_BUCKET"):
        monkeypatch.setattr(ledger, name, 15)
    run(logs, tmp_path / "bounded", engine=Local(2))
    for name in ("turns", "duplicates"):
        assert len(list((tmp_path / "bounded" / name).iterdir())) >= FEWEST_STEPS
    for name in ("turns", "detections", "counts", "usage", "rates", "coverage"):
        assert rows(tmp_path / "bounded", name) == rows(tmp_path / "usual", name)
    duplicates = [
        sorted(rows(tmp_path / name, "duplicates"), key=lambda row: row["source_pos"]) for name in ("usual", "bounded")
    ]
    assert duplicates[0] == duplicates[1]
    assert len(duplicates[0]) == 50


def test_days_taken_one_by_one_or_together_are_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    start = gateway_rows.START
    made = [
        gateway_rows.payload(
            n,
            gateway_rows.LEAKING if n % 7 == 0 else gateway_rows.CLEAN,
            session=f"s{n % 40}",
            startTime=start + n * 3_600,
        )
        for n in range(120)
    ]
    log = gateway_rows.write_log(tmp_path, "a", made)
    together = run([log], tmp_path / "together")
    monkeypatch.setattr(ledger, "TURNS_PER_BUCKET", 30)
    monkeypatch.setattr(rated, "ROWS_AT_ONCE", 1)
    apart = run([log], tmp_path / "apart")
    assert len(set(together.unsplit["day"].to_pylist())) == 6
    for name in ("counts", "rates", "usage"):
        assert rows(tmp_path / "apart", name) == rows(tmp_path / "together", name)
    assert (tmp_path / "apart" / "rates.csv").read_bytes() == (tmp_path / "together" / "rates.csv").read_bytes()
    assert apart.unsplit == together.unsplit
    assert apart.pooled == together.pooled
    assert apart.pooled == rates(pool_days(table(tmp_path / "apart", "counts").cast(COUNT)), coverage=apart.coverage)
    assert apart.rates == table(tmp_path / "together", "rates")

"""How far a run is: one line on terminals of any width, few lines elsewhere, counts that never turn back."""

import contextlib
import gzip
import io
import json
import os
import re
import sys
from pathlib import Path
from random import Random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipelines import plan as planning
from pipelines.cli import run_progress
from pipelines.cli.progress_line import Standing, plain_line
from pipelines.cli.run_progress import Course, lines, reporter
from pipelines.job import Options, Piece, Reading, Seen, Shard, ShardSummary, Stage
from pipelines.local import Local
from pipelines.plan import Plan
from tests import gateway_rows

HALF = Standing(150_000_000, 300_000_000, 9_200, 65)


@pytest.mark.parametrize(
    ("standing", "line"),
    [
        (Standing(0, 2_000, 0), "read 0 of 2 KB (0%), 0 records"),
        (Standing(1_500_000, 3_000_000, 1), "read 1,500 of 3,000 KB (50%), 1 records"),
        (HALF, "read 150 of 300 MB (50%), 9,200 records, 1:05 left"),
        (
            Standing(25_000_000_000, 100_000_000_000, 2_000_000, 7325),
            "read 25.0 of 100.0 GB (25%), 2,000,000 records, 2:02:05 left",
        ),
        (Standing(0, 0, 0), "read 0 of 0 KB (100%), 0 records"),
        (Standing(7, 7, 12_345, None, "counting"), "counting, 12,345 records"),
    ],
)
def test_a_line_of_a_log(standing: Standing, line: str) -> None:
    assert plain_line(standing) == line


def summary(size: int, turns: int) -> ShardSummary:
    return ShardSummary("sid", 0, positions=0, items=turns, turns=turns, chained=0, detections=0, rejects=0, size=size)


def test_what_a_killed_worker_had_read_does_not_turn_the_course_back() -> None:
    shown: list[tuple[int, int, str | None]] = []
    course = Course(200, lambda standing, now: shown.append((standing.size, standing.records, standing.stage)))
    for told in (
        Reading(60, 6),
        Reading(110, 11),
        summary(100, 10),
        Reading(10, 1),
        Reading(0, 0),
        Reading(95, 9),
        summary(100, 10),
        Stage("counting"),
    ):
        course(told)
    assert shown == [
        (60, 6, None),
        (110, 11, None),
        (110, 11, None),
        (110, 11, None),
        (110, 11, None),
        (195, 19, None),
        (200, 20, None),
        (200, 20, "counting"),
    ]


def test_the_time_left_follows_the_speed_of_late(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[float | None] = []
    course = Course(1000, lambda standing, now: shown.append(standing.seconds_left))
    for second, size in ((0, 1), (10, 101), (20, 201), (30, 401), (40, 601)):
        monkeypatch.setattr(run_progress.time, "monotonic", lambda second=second: float(second))
        course(Reading(size, 0))
    assert shown[0] is None
    assert shown[1:] == pytest.approx([899 / 10, 799 / 10, 599 / 20, 399 / 20])


def test_a_long_run_writes_few_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_progress.time, "monotonic", lambda: 0.0)
    written: list[str] = []
    show = lines(written.append)
    for second in range(20_000):
        show(Standing(second * 1000, 20_000_000, second), float(second))
    assert written[0] == "read 0 of 20 MB (0%), 60 records"
    assert 90 <= len(written) <= 400
    show = lines(written.append)
    written.clear()
    for second in range(3600):
        show(Standing(0, 10**12, 0), float(second))
    assert len(written) == 59


_random = Random(5)
ROWS = [gateway_rows.pair(number, f"The key is {_random.randbytes(120).hex()}.") for number in range(3000)]


def written_in_many_ways(folder: Path) -> tuple[Path, ...]:
    text = gateway_rows.lines(ROWS)
    contents = {
        "plain.jsonl": text,
        "packed.jsonl.gz": gzip.compress(text),
        "array.json": json.dumps(ROWS).encode(),
        "events.parquet": parquet(),
    }
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    return tuple(folder / name for name in contents)


def parquet() -> bytes:
    sink = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(ROWS), sink)
    return sink.getvalue()


def test_bytes_and_records_are_told_while_a_shard_is_read(tmp_path: Path) -> None:
    for path in written_in_many_ways(tmp_path):
        options = Options(work=str(tmp_path / f"out-{path.name}" / "work"))
        (shard,) = planning.plan([str(path)], options).shards
        told: list[ShardSummary | Reading | Stage] = []
        (done,) = Local(1).shards([shard], options, told.append)
        readings = [(one.size, one.turns) for one in told if isinstance(one, Reading)]
        assert readings == sorted(readings)
        assert any(0 < size < shard.size for size, _ in readings), path.name
        assert readings[-1][0] <= shard.size and readings[-1][1] == done.turns == 3000


def a_plan(size: int) -> Plan:
    return Plan((), (Shard("sid", 0, (Piece("a", "lines", "pair", size=size),)),), (), "digest")


def everything(terminal: int) -> bytes:
    """What was written to a terminal whose other end is closed by now."""
    pieces = []
    with contextlib.suppress(OSError):
        while piece := os.read(terminal, 65536):
            pieces.append(piece)
    os.close(terminal)
    return b"".join(pieces)


@pytest.mark.parametrize(("columns", "bar"), [(100, True), (40, False)])
def test_a_terminal_gets_a_bar_and_warnings_above_it(columns: int, bar: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = os.openpty()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", str(columns))
    with open(theirs, "w", encoding="utf-8") as terminal:  # noqa: PTH123  it is no path
        monkeypatch.setattr(sys, "stderr", terminal)
        with reporter(a_plan(300_000_000), quiet=False) as seen:
            seen(Reading(150_000_000, 9_200))
            print("a.jsonl, item 7: killed", file=sys.stderr)
            seen(Stage("counting"))
    drawn = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", everything(ours).decode())
    assert "a.jsonl, item 7: killed\r\n" in drawn
    assert "50%" in drawn and "9,200 records" in drawn and "counting" in drawn
    assert ("━" in drawn) == bar == ("150.0/300.0 MB" in drawn)


@pytest.mark.parametrize("quiet", [True, False])
def test_nothing_is_drawn_where_nobody_looks(quiet: bool, capsys: pytest.CaptureFixture[str]) -> None:
    def told(seen: Seen) -> None:
        seen(Reading(5, 1))
        seen(summary(10, 2))
        seen(Stage("counting"))

    with reporter(a_plan(10), quiet=quiet) as seen:
        told(seen)
    assert capsys.readouterr() == ("", "")

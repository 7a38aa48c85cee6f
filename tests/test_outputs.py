"""Tables of a store are read day by day, also those of a day that lies in several files."""

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from pipelines.outputs import load_turns
from tests.turn_tables import turn_table


def test_a_day_in_several_files_lies_in_its_window(tmp_path: Path) -> None:
    (tmp_path / "turns").mkdir()
    for name in ("manifest.json", "state.json"):
        (tmp_path / name).write_text("{}")
    for number, file in enumerate(("2026-11-28", "2026-11-29.00000", "2026-11-29.00001", "2026-11-30")):
        pq.write_table(
            turn_table([{"turn_key": number, "conversation": 1, "day": file[:10]}]),
            tmp_path / "turns" / f"{file}.parquet",
        )
    found = load_turns(str(tmp_path), since="2026-11-29", until="2026-11-29")
    assert sorted(found["turn_key"].to_pylist()) == [1, 2]


@pytest.mark.parametrize(
    ("since", "until", "within"),
    [
        (None, None, ["2026-11-28", "2026-11-29", "2026-11-30", "unknown"]),
        ("2026-11-29", None, ["2026-11-29", "2026-11-30"]),
        (None, "2026-11-29", ["2026-11-28", "2026-11-29"]),
        ("2026-11-29", "2026-11-29", ["2026-11-29"]),
        ("2026-12-01", None, []),
    ],
)
@pytest.mark.parametrize("kind", ["store", "output"])
def test_a_turn_without_a_day_is_in_no_window_with_a_bound(
    since: str | None, until: str | None, within: list[str], kind: str, tmp_path: Path
) -> None:
    (tmp_path / "turns").mkdir()
    for name in ("manifest.json", "state.json") if kind == "store" else ("manifest.json",):
        (tmp_path / name).write_text("{}")
    for day in ("2026-11-28", "2026-11-29", "2026-11-30", "unknown"):
        table = turn_table([{"conversation": 1, "day": day}])
        pq.write_table(table, tmp_path / "turns" / f"{day if kind == 'store' else 'part-' + day[-2:]}.parquet")
    assert sorted(load_turns(str(tmp_path), since, until)["day"].to_pylist()) == within

"""Parts that were written with other rules keep their bits: a changed rule keeps its old series and begins a new one."""

from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pyarrow as pa
import pytest

from pipelines.history.measures import moved
from pipelines.history.state import read_state, write_state
from pipelines.outputs import load_rates
from tests.history.nights import AFTERWARDS, run, write_pairs

LEAK = "<think>\nThe barn is full.\n</think>\n\nNo room until May."


@pytest.mark.parametrize(
    ("bits", "targets", "expected"),
    [
        (b"\x00", [0, 1], b"\x00"),
        (b"\x03", [0, 1], b"\x03"),
        (b"\x01", [3, 0], b"\x08"),
        (b"\x02", [3, 0], b"\x01"),
        (b"\x01\x01", [*range(8), 9], b"\x01\x02"),
        (b"\x80\x01", [*range(1, 9), 0], b"\x01\x01"),
    ],
)
def test_bits_move_to_their_places(bits: bytes, targets: list[int], expected: bytes) -> None:
    column = pa.chunked_array([pa.array([bits, bits], pa.binary()).dictionary_encode()])
    assert {found.rstrip(b"\0") for found in moved(column, targets).to_pylist()} == {expected.rstrip(b"\0")}


def test_the_old_series_stays_and_a_new_one_begins(tmp_path: Path) -> None:
    """The first day was read when the rule had version "0" and stood in another place; its log is gone."""
    folder = tmp_path / "store"
    for day in (1, 2):
        moment = datetime(2026, 11, day, 9, tzinfo=UTC)
        write_pairs(tmp_path / f"{day}.jsonl", [(f"call-{day}", moment, {"answer": LEAK, "conversation": "one"})])
    run(folder, tmp_path / "1.jsonl")
    state = read_state(str(folder))
    assert state is not None
    [(name, measures)] = state.measures.items()
    old = tuple(
        msgspec.structs.replace(measure, version="0") if measure.name == "boundary_token" else measure
        for measure in measures
    )
    parts = {number: msgspec.structs.replace(part, measures="former") for number, part in state.parts.items()}
    write_state(str(folder), msgspec.structs.replace(state, parts=parts, measures={"former": old}))
    run(folder, tmp_path / "2.jsonl", started=AFTERWARDS + 1)
    found = {
        (row["day"][-2:], row["measure_version"]): (row["leaked_turns"], row["turns"])
        for row in load_rates(str(folder)).to_pylist()
        if row["measure"] == "boundary_token" and row["cut"] == "all"
    }
    now = next(measure.version for measure in measures if measure.name == "boundary_token")
    assert found == {("01", "0"): (1, 1), ("01", now): (0, 0), ("02", now): (1, 1)}
    assert name in (read_state(str(folder)) or state).measures

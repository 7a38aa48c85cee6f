"""A run with the released classifier: what it finds beside the rules is a suspected leak, and never a leak."""

from pathlib import Path

from tests import gateway_rows
from tests.runs import rows, run

NOTE = "Let me check the order records first. Now let me look at the shipping status.\n\nYour parcel arrives on Friday."


def test_what_the_released_model_finds_is_suspected(tmp_path: Path) -> None:
    made = [gateway_rows.payload(n, NOTE if n < 3 else gateway_rows.CLEAN) for n in range(10)]
    run([gateway_rows.write_log(tmp_path, "log.jsonl", made)], tmp_path / "out", model="default")
    found = {
        row["measure"]: (row["turns"], row["leaked_turns"])
        for row in rows(tmp_path / "out", "rates")
        if row["cut"] == "all"
    }
    assert found["classifier-preamble"] == (10, 3)
    assert found["preamble:suspected"] == (10, 3)
    assert found["preamble"][1] == 0

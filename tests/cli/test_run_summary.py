"""What a run prints at its end: file names made visible, and no "no leak" where nothing was judged."""

from dataclasses import replace
from pathlib import Path

import pyarrow as pa
from click.testing import CliRunner

from pipelines.cli.run_summary import print_text, summarise
from pipelines.plan import Plan
from tests.gateway_rows import CLEAN, LEAKING, lines, pair
from tests.runs import finished, run


def test_nothing_judged_is_not_called_clean(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_bytes(b"\n")
    told = finished(tmp_path / "empty.jsonl", "--output", tmp_path / "out")
    assert told.returncode == 0
    assert "No turn could be judged." in told.stdout and "No leak" not in told.stdout


def test_no_item_is_told(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_bytes(b"")
    told = finished(tmp_path / "empty.jsonl", "--output", tmp_path / "out")
    assert "No item was read" in told.stdout and "No leak" not in told.stdout


def test_no_leak_is_said_when_turns_were_judged(tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_bytes(lines([pair(1, CLEAN)]))
    assert "No leak was found." in finished(tmp_path / "log.jsonl", "--output", tmp_path / "out").stdout


def test_names_of_files_cannot_write_to_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "a\n\x1b[31m\u202e.jsonl").write_bytes(lines([pair(1, LEAKING)]))
    told = finished(tmp_path, "--output", tmp_path / "out")
    assert "a\\u000a\\u001b[31m\\u202e.jsonl: pair (lines)" in told.stdout
    assert "\x1b" not in told.stdout + told.stderr


def test_turns_of_which_none_could_show_a_leak_are_not_called_clean(tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_bytes(lines([pair(1, CLEAN)]))
    output = run([tmp_path / "log.jsonl"], tmp_path / "out")
    nothing = pa.array([0] * len(output.pooled), output.pooled.schema.field("turns").type)
    at = output.pooled.column_names.index("turns")
    unjudged = replace(output, pooled=output.pooled.set_column(at, output.pooled.schema.field("turns"), nothing))
    summary = summarise(unjudged, Plan((), (), (), ""))
    assert (summary.coverage["records"], summary.judged) == (1, False)
    with CliRunner().isolation() as (shown, *_):
        print_text(summary)
    assert b"No turn could be judged" in shown.getvalue() and b"No leak was found" not in shown.getvalue()

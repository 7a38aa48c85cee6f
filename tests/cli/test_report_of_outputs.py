"""The page that a run writes from the tables at hand is the one that `leakrate report` writes from the files."""

import re
from pathlib import Path

from pipelines.cli.report_of_outputs import write_report, write_report_of
from tests.gateway_rows import CLEAN, LEAKING, START, payload, write_log
from tests.runs import run

DAY = 86_400.0


def page(path: Path) -> str:
    return re.sub(r"written [-0-9: ]+ UTC", "", path.read_text(encoding="utf-8"))


def test_pages_of_one_day_and_of_several_are_the_same_from_tables_and_from_files(tmp_path: Path) -> None:
    labels = tmp_path / "labels.jsonl"
    labels.write_text('{"rule_id": "reasoning-marker-in-content", "rule_version": 1, "correct": true}\n')
    rows = [payload(n, LEAKING if n % 5 == 0 else CLEAN, session=f"s{n % 6}") for n in range(40)]
    later = [payload(n, session=f"t{n % 6}", startTime=START + n + 2 * DAY) for n in range(40, 80)]
    for name, logged in (("one", rows), ("two", [*rows, *later])):
        folder = tmp_path / name
        log = write_log(tmp_path, f"{name}.jsonl", logged)
        output = run([log], folder, labels=str(labels), evidence="excerpt")
        write_report_of(output)
        write_report([str(folder)], str(tmp_path / "again.html"))
        assert page(folder / "report.html") == page(tmp_path / "again.html")
        assert "<pre" in page(folder / "report.html")
    assert " to " in re.findall(r"<title>(.*)</title>", page(folder / "report.html"))[0]

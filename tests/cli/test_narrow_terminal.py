"""Tables on a terminal of eighty columns: what a reader copies, ids and names, stays whole."""

import re
from pathlib import Path

import pytest

from pipelines.families import FAMILIES
from pipelines.formats import FORMATS
from pipelines.rules import RULES
from tests.gateway_rows import LEAKING, lines, pair
from tests.runs import on_terminal

NAMES = {
    "rules": [rule.id for rule in RULES],
    "families": [family.name for family in FAMILIES],
    "formats": [one.name for one in FORMATS],
}


@pytest.mark.parametrize("command", NAMES)
def test_names_are_never_cut(command: str) -> None:
    shown = on_terminal(command, columns=80)
    first = {line.split(" ")[0] for line in shown.splitlines()}
    assert [name for name in NAMES[command] if name.split(" ")[0] not in first] == []


@pytest.mark.parametrize("columns", [80, 100, 200])
def test_symptoms_and_rates_stand_in_one_line(columns: int, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    model = {"model": "a-model-of-a-rather-long-name", "engine": "vllm", "engine_version": "0.33.0"}
    log.write_bytes(lines([pair(n, LEAKING, conversation=str(n), **model) for n in range(4)]))
    shown = on_terminal("run", str(log), "--output", str(tmp_path / "out"), "--workers", "1", columns=columns)
    assert re.search(r"reasoning_leak +100\.00% .*4 of 4", shown), shown
    assert max(map(len, shown.split("Worst")[1].split("Over everything")[0].splitlines()[1:])) <= columns

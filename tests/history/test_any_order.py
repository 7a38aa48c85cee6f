"""Whatever a nightly job meets — files that come late, grow, change or vanish, runs killed anywhere — the next run makes it good."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pyarrow.compute as pc
import pytest

from pipelines.fold import pool_days
from pipelines.history.state import read_state
from pipelines.outputs import load_counts
from tests.history.month_of_logs import pair
from tests.history.nights import AFTERWARDS, Killed, differences, killed_at, published, run, write_pairs

NAMES = ("a.jsonl", "b.jsonl", "c.jsonl")
_LEAK = "<think>\nLet me add.\n</think>\n\n12"
_FIRST = datetime(2026, 11, 1, 22, tzinfo=UTC)


def _row(random: Random) -> bytes:
    """A turn out of few possible ones, so that files share calls, conversations and chains; two rows of one call need not be alike."""
    call = random.randrange(24)
    moment = _FIRST + timedelta(hours=call % 8 + 12 * random.randrange(2))
    answer = random.choice(("12", _LEAK, None))
    if call % 4 == 0:
        previous = f"resp_{call - 4}" if call > 4 else None
        return json.dumps(
            pair(f"call-{call}", moment, answer=answer or "", response_id=f"resp_{call}", previous=previous)
        ).encode()
    position = call // 6 + 1 if call % 3 else 1
    return json.dumps(
        pair(f"call-{call}", moment, answer=answer, conversation=f"talk-{call % 6}", position=position)
    ).encode()


def _contents(logs: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in logs.iterdir()}


def _runs(folder: Path) -> int:
    """How many runs of a store have ended."""
    state = read_state(str(folder))
    return 0 if state is None else int(state.started)


def _change(random: Random, logs: Path) -> None:
    """One thing that happens to the files between two runs."""
    name = random.choice(NAMES)
    path = logs / name
    before = path.read_bytes() if path.exists() else b""
    kind = random.choice(("new", "grows", "grows", "vanishes"))
    if kind == "vanishes" and len(list(logs.iterdir())) > 1:
        path.unlink(missing_ok=True)
        return
    rows = b"".join(_row(random) + b"\n" for _ in range(random.randrange(1, 6)))
    path.write_bytes(before + rows if kind == "grows" else rows)


@pytest.mark.parametrize("seed", range(6))
def test_store_is_what_one_run_makes_it(tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    logs, nightly, once = tmp_path / "logs", tmp_path / "nightly", tmp_path / "once"
    logs.mkdir()
    read: dict[str, bytes] = {}  # what each file held when it was read last, also when it has vanished since
    for number in range(5):
        _change(random, logs)
        if random.random() < 0.4 and any(logs.iterdir()):
            with killed_at(random.randrange(1, 40)):
                try:
                    run(nightly, logs, started=AFTERWARDS + number)
                except Killed:
                    if _runs(nightly) == number + 1:
                        read |= _contents(logs)
                    _change(random, logs)
        if any(logs.iterdir()):
            run(nightly, logs, started=AFTERWARDS + number)
            read |= _contents(logs)
    for name, content in read.items():
        (logs / name).write_bytes(content)
    run(once, logs)
    assert not differences(published(nightly), published(once))


def test_a_late_turn_of_a_conversation_moves_the_days_after_it(tmp_path: Path) -> None:
    def turn(day: int) -> tuple[str, datetime, dict[str, Any]]:
        moment = datetime(2026, 11, day, 9, tzinfo=UTC)
        return f"call-{day}", moment, {"answer": _LEAK, "conversation": "talk", "position": day}

    logs = tmp_path / "logs"
    logs.mkdir()
    write_pairs(logs / "a.jsonl", [turn(day) for day in (1, 2, 4, 5)])
    run(tmp_path / "store", logs, lookback=0)
    write_pairs(logs / "b.jsonl", [turn(3)])
    assert run(tmp_path / "store", logs, started=AFTERWARDS + 1, lookback=0).days == tuple(
        f"2026-11-0{day}" for day in (1, 3, 4, 5)
    )
    run(tmp_path / "whole", logs, lookback=0)
    assert differences(published(tmp_path / "store"), published(tmp_path / "whole")) == []
    pooled = pool_days(load_counts(str(tmp_path / "store")))
    leaks = pooled.filter((pc.field("measure") == "reasoning_leak") & (pc.field("cut") == "all")).to_pylist()
    assert [(row["clusters"], row["sum_leaks_squared"], row["sum_turns_squared"]) for row in leaks] == [(1, 25, 25)]

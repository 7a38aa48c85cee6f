"""The vectorised counts equal those of a plain loop over conversations, on random turns of every awkward kind."""

import random
from collections import defaultdict
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from itertools import chain

import pytest

from pipelines.fold import fold_bucket, pool_days
from pipelines.schema import COUNT, CUTS, GROUP
from tests.turn_tables import MEASURES, turn_table

Row = Mapping[str, object]
KEYS = COUNT.names[: len(GROUP) + 6]
ADDED = [name for name in COUNT.names if name.startswith("added_")]


def random_rows(seed: int, turns: int) -> list[dict[str, object]]:
    """Turns whose conversations change group, day and cut values, lack time or position, and leak in bursts."""
    draw = random.Random(seed)
    rows = []
    for index in range(turns):
        conversation = draw.randrange(1 + turns // 4)
        hot = conversation % 3 == 0
        rows.append(
            {
                "turn_key": index,
                "conversation": conversation + 2**63,
                "conversation_source": "caller_hour" if conversation % 7 == 1 else "declared",
                "source_file": draw.choice(["a", "b", "c"]),
                "source_pos": index,
                "choice": draw.choice([0, 0, 1]),
                "time": draw.choice([None, draw.randrange(5) * 1.5, draw.random()]),
                "position": 0 if conversation % 5 == 0 else draw.randrange(1 + conversation % 2, 9),
                "day": draw.choice(["2026-11-28", "2026-11-29", "unknown"]) if conversation % 4 == 0 else "2026-11-30",
                "model": draw.choice(["x", "y"]),
                "stream": draw.choice(["yes", "no"]),
                "script": draw.choice(["latin", "han", "unknown"]),
                "body_logged": draw.random() < 0.9,
                "sampling_fraction": draw.choice([1.0, 0.25, 0.1]),
                "eligible": bytes([draw.choice([0, 1, 3, 5, 7])]),
                "fired": bytes([draw.choice([0, 1, 4, 7]) if hot and draw.random() < 0.4 else 0]),
            }
        )
    return rows


def loop_counts(rows: list[Row]) -> dict[tuple[str, ...], dict[str, int | Fraction | Decimal]]:
    """The counts by their definition in words."""
    conversations: dict[object, list[Row]] = defaultdict(list)
    for row in rows:
        conversations[row["conversation"]].append(row)
    table: dict[tuple[str, ...], dict] = defaultdict(lambda: defaultdict(int))
    days = sorted({str(row["day"]) for row in rows})
    for turns in conversations.values():
        positioned = all(turn["position"] for turn in turns)
        turns.sort(
            key=lambda turn: (
                turn["position"] if positioned else 0,
                float("inf") if turn["time"] is None else turn["time"],
                turn["source_file"],
                turn["source_pos"],
                turn["choice"],
            )
        )
        first = tuple(str(turns[0].get(name, "unknown")) for name in GROUP)
        begins = min(turn["position"] for turn in turns) <= 1
        guessed = turns[0]["conversation_source"] == "caller_hour"
        length = max(len(turns), *(turn["position"] for turn in turns))
        bucket = next(
            (name for most, name in ((1, "1"), (4, "2-4"), (9, "5-9"), (29, "10-29")) if length <= most), "30+"
        )
        for cut in ("all", *CUTS):
            for bit, measure in enumerate(MEASURES):
                own, whole = defaultdict(list), defaultdict(list)
                for turn in turns:
                    value = {"all": "all", "conversation_length": bucket}.get(cut, str(turn.get(cut, "unknown")))
                    group = tuple(str(turn.get(name, "unknown")) for name in GROUP)
                    row = table[(*group, cut, value, measure.kind, measure.name, measure.version, measure.tier)]
                    row["records"] += 1
                    row["scannable"] += turn["body_logged"]
                    row["responses"] += turn["body_logged"]
                    if not turn["eligible"][0] >> bit & 1:
                        continue
                    leaked = turn["fired"][0] >> bit & 1
                    weight = Decimal(round(1e6 / turn["sampling_fraction"])) / 10**6
                    row["turns"] += 1
                    row["leaked_turns"] += leaked
                    row["estimated_turns"] += weight
                    row["estimated_leaked_turns"] += weight * leaked
                    own[(*group, cut, value)].append(leaked)
                    whole[(*first, cut, value)].append(leaked)
                for cell, leaks in own.items():
                    row = table[(*cell, measure.kind, measure.name, measure.version, measure.tier)]
                    m, y = len(leaks), sum(leaks)
                    row["clusters"] += 1
                    row["leaked_clusters"] += y > 0
                    row["sum_leaks_squared"] += y * y
                    row["sum_leaks_turns"] += y * m
                    row["sum_turns_squared"] += m * m
                    row["sum_pairs"] += Fraction(y * (y - 1), m - 1) if m > 1 else 0
                for cell in own:
                    row = table[(*cell, measure.kind, measure.name, measure.version, measure.tier)]
                    until = [own.get((day, *cell[1:]), []) for day in days if day <= cell[0]]
                    now, before = sums_of([*chain(*until)]), sums_of([*chain(*until[:-1])])
                    for name, one, other in zip(ADDED, now, before, strict=True):
                        row[name] += one - other
                for cell, leaks in whole.items():
                    row = table[(*cell, measure.kind, measure.name, measure.version, measure.tier)]
                    row["conversations"] += 1
                    row["leaked_conversations"] += any(leaks)
                    row["guessed_conversations"] += guessed
                    for position, leaked in enumerate(leaks[:5], 1):
                        if begins and not guessed:
                            row[f"at_risk_{position}"] += 1
                            row[f"first_leaks_{position}"] += leaked
                        if leaked:
                            break
    return table


def sums_of(leaks: list[int]) -> tuple[int | Fraction, ...]:
    """What the columns ADDED add up, of one conversation's turns."""
    m, y = len(leaks), sum(leaks)
    return m > 0, y > 0, y * y, y * m, m * m, Fraction(y * (y - 1), m - 1) if m > 1 else Fraction(0)


@pytest.mark.parametrize(("seed", "turns"), [(1, 1), (2, 7), (3, 60), (4, 60), (5, 400), (6, 900)])
def test_counts_equal_those_of_a_plain_loop(seed: int, turns: int) -> None:
    rows = random_rows(seed, turns)
    expected = loop_counts([dict(row) for row in rows])
    found = {tuple(row[key] for key in KEYS): row for row in fold_bucket(turn_table(rows), MEASURES).counts.to_pylist()}
    for key, row in found.items():
        for name in COUNT.names[len(KEYS) :]:
            want = expected[key][name] if key in expected else 0
            assert float(row[name]) == pytest.approx(float(want), abs=1e-9), (key, name)
    missing = [key for key, row in expected.items() if key not in found and row["turns"]]
    assert not missing


@pytest.mark.parametrize(("seed", "turns"), [(2, 7), (4, 60), (6, 900)])
def test_pooled_days_are_the_same_turns_on_one_day(seed: int, turns: int) -> None:
    rows = random_rows(seed, turns)
    pooled = pool_days(fold_bucket(turn_table(rows), MEASURES).counts)
    whole = pool_days(fold_bucket(turn_table([{**row, "day": "2026-11-30"} for row in rows]), MEASURES).counts)
    assert pooled.to_pylist() == whole.to_pylist()

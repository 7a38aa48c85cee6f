"""The misses and false alarms of rules that are on file: what they miss today, and which innocent answers they hit all the same."""

import msgspec

from pipelines.store import files


def excuses(folder: str, rule_id: str) -> list[str]:
    """One sentence per innocent answer on which the rule fires although it should not, from `folder`/clean/excuses.jsonl."""
    file = files.join(folder, "clean", "excuses.jsonl")
    found = _objects(file) if files.exists(file) else []
    return [f"{row['id']}: {row['reason']}" for row in found if row.get("rule") == rule_id]


def misses(folder: str, rule_id: str) -> list[str]:
    """One sentence per open miss of the rule, from the files of `folder`/missed/open."""
    place = files.join(folder, "missed", "open")
    named = [files.join(place, name) for name in files.names(place) if name.endswith(".jsonl")]
    return [f"{row['id']}: {row['why']}" for file in named for row in _objects(file) if row.get("rule") == rule_id]


def _objects(file: str) -> list[dict[str, object]]:
    return [msgspec.json.decode(line) for line in files.read(file).splitlines() if line.strip()]

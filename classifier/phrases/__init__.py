"""The phrase families of all languages, one TOML file each, as the `languages` of a model."""

import tomllib
from pathlib import Path
from typing import Any

STANCES = {
    "user_request": "thinking",
    "problem_mine": "thinking",
    "i_find": "thinking",
    "answer_planning": "thinking",
    "self_correction": "thinking",
    "interjection": "thinking",
    "private_thought": "thinking",
    "self_question": "thinking",
    "exploration": "thinking",
    "verification": "thinking",
    "draft": "thinking",
    "policy": "thinking",
    "outline": "thinking",
    "user_mention": "weighing",
    "answer_restart": "weighing",
    "i_task": "weighing",
    "we_task": "weighing",
    "we_find": "weighing",
    "doubt_word": "weighing",
    "interjection_weak": "weighing",
    "hedge": "weighing",
    "alternative": "weighing",
    "first_person": "weighing",
    "act": "working",
    "act_on_object": "working",
    "sequence": "working",
    "wait_please": "working",
    "found": "working",
    "found_any": "working",
    "exclaim": "working",
    "progress": "working",
    "didactic": "answering",
    "courtesy": "answering",
    "promise": "answering",
    "offer": "answering",
    "second_person": "answering",
    "advice": "answering",
    "narrative": "telling",
    "markup_talk": "telling",
}
"""Family → stance: thinking about task and answer, weighing (weak signs of it), working for the user, answering, telling."""


def load(folder: Path = Path(__file__).parent) -> dict[str, Any]:
    """Language → {markers, groups: name → literals, patterns: (family, (group, gap, group …))}, literals ready to match.

    A family's own literals are the group of the same name with "=" in front.
    """
    return {path.stem: _language(tomllib.loads(path.read_text("utf-8"))) for path in sorted(folder.glob("*.toml"))}


def _language(facts: dict[str, Any]) -> dict[str, Any]:
    edge = " " if facts["edge"] else ""
    groups = {name: _literals(words, edge) for name, words in facts["groups"].items()}
    groups |= {f"={family}": _literals(words, edge) for family, words in facts["literals"].items()}
    patterns = [[family, steps] for family, rows in facts["patterns"].items() for steps in rows]
    patterns += [[family, [f"={family}"]] for family in facts["literals"]]
    return {"markers": facts.get("markers", []), "groups": groups, "patterns": patterns}


def _literals(words: list[str], edge: str) -> list[str]:
    return sorted({f"{edge}{word.replace('_', ' ')}" for word in words})

"""Labelled texts composed from the sentences in `data/labeled/frames`, the same for the same seed.

    python -m classifier.compose data/labeled        # writes the JSONL parts anew

A kind is a function that takes sentences of one language and puts a text together; it knows which part of the text is the
leak. Texts that are too similar to an earlier one (`classifier.duplicates`) are thrown away, so the frames limit how many
texts a language can give. The written parts are checked in and are what training reads; this package is how they came about.
"""

import json
import tomllib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

from classifier.compose import messages, parts, thoughts
from classifier.compose.parts import Facts, Text
from classifier.duplicates import Seen

COUNTS = {"en": 4600, "zh": 640, "ja": 720, "ko": 640, "de": 360, "fr": 360, "es": 360, "pt": 280, "it": 280, "ru": 320}
OTHER_LANGUAGES = 200
SEED = "leakrate 1"
RARE = {"monologue": 0.02, "markup": 0.05, "loading": 0.05, "macro": 0.05, "work-text": 0.05, "beside-call": 0.2}
"""Kinds of clean texts that are as frequent here as answers and rare in traffic, with the share each text stands for."""
TRACES = ("problem-thoughts", "maths-thoughts", "thoughts", "thoughts-answer", "thoughts-end")


def compose(folder: Path, only: Sequence[str] = ()) -> Iterator[dict[str, Any]]:
    """Examples of every language in `folder`/frames (or `only` some), in order; rows as `classifier.examples` reads them."""
    frames = {path.stem: tomllib.loads(path.read_text("utf-8")) for path in sorted((folder / "frames").glob("*.toml"))}
    for path in sorted((folder / "problems").glob("*.toml")):
        frames[path.stem]["problems"] = tomllib.loads(path.read_text("utf-8"))
    for language, facts in frames.items():
        if only and language not in only:
            continue
        rng, seen = Random(f"{SEED} {language}"), Seen()
        wanted, made = COUNTS.get(language, OTHER_LANGUAGES), 0
        for attempt in range(wanted * 8):
            if made == wanted:
                break
            label, name, kind = KINDS[attempt % len(KINDS)]
            try:
                leak, text = kind(rng, facts, frames)
            except LookupError:
                continue
            if text and seen.new(text):
                made += 1
                yield _row(rng, language, number=made, label=label, source=name, leak=leak, text=text)


def _row(rng: Random, language: str, *, number: int, label: str, source: str, leak: str, text: str) -> dict[str, Any]:
    start = text.index(leak)
    tools = "called" if source == "beside-call" else rng.choice(_TOOLS[label])
    return {
        "id": f"{language}-{number:04d}",
        "text": text,
        "labels": [label],
        "tools": tools,
        "span": [start, start + len(leak)] if leak else None,
        "language": language,
        "labeled_by": "construction",
        "source": source,
        "style": "trace" if source in TRACES else "note" if label == "reasoning_leak" else "unknown",
        "share": RARE.get(source, 1.0),
        "split": "test" if rng.random() < 0.2 else "train",
    }


_TOOLS = {
    "preamble": ("unknown", "unknown", "unknown", "offered"),
    "reasoning_leak": ("unknown", "unknown", "offered", "called"),
    "clean": ("unknown", "unknown", "offered", "called"),
}


KINDS: tuple[tuple[str, str, Callable[[Random, Facts, Facts], Text]], ...] = (
    ("reasoning_leak", "thoughts-short", thoughts.thoughts_short),
    ("clean", "answer", messages.clean_answer),
    ("preamble", "announcement", messages.announce),
    ("reasoning_leak", "thoughts", thoughts.thoughts_alone),
    ("clean", "support", messages.written("support", "steps_for_user")),
    ("preamble", "announcement-answer", messages.announce_and_answer),
    ("reasoning_leak", "thoughts-answer", thoughts.thoughts_and_answer),
    ("clean", "answer-long", messages.clean_long),
    ("reasoning_leak", "thoughts-end", thoughts.end_of_thoughts),
    ("clean", "solution", parts.worked_solution),
    ("preamble", "progress", messages.progress),
    ("reasoning_leak", "maths-thoughts", thoughts.maths_thoughts),
    ("clean", "first-person", messages.written("own", "steps_for_user")),
    ("reasoning_leak", "thoughts-inside", thoughts.thoughts_inside),
    ("clean", "monologue", messages.written("monologue")),
    ("preamble", "report", messages.report),
    ("reasoning_leak", "notes", thoughts.notes),
    ("clean", "markup", messages.written("markup", "code")),
    ("reasoning_leak", "outline", thoughts.outline),
    ("clean", "quick", messages.quick_answer),
    ("reasoning_leak", "quick-thoughts", thoughts.quick_thoughts),
    ("clean", "desk", messages.desk),
    ("clean", "loading", messages.loading),
    ("clean", "macro", messages.written("macros")),
    ("clean", "markup", messages.written("markup", "plain")),
    ("clean", "desk", messages.desk),
    ("reasoning_leak", "quick-thoughts", thoughts.quick_thoughts),
    ("clean", "work-text", messages.written("reports", "plain")),
    ("reasoning_leak", "thoughts-foreign", thoughts.foreign_thoughts),
    ("clean", "plain", messages.written("plain", "own")),
    ("clean", "beside-call", messages.beside_call),
    ("clean", "essay", messages.written("essays")),
    ("clean", "essay-answer", messages.written("essays", "own", "plain")),
    ("reasoning_leak", "thoughts-behind", thoughts.thoughts_behind),
    ("preamble", "announcement-answer", messages.announce_and_answer),
    ("clean", "answer", messages.clean_answer),
    ("clean", "solution", parts.worked_solution),
    ("reasoning_leak", "problem-thoughts", thoughts.problem_thoughts),
    ("clean", "problem-solved", messages.problem_solved),
    ("reasoning_leak", "problem-thoughts", thoughts.problem_thoughts),
    ("reasoning_leak", "problem-thoughts", thoughts.problem_thoughts),
    ("clean", "problem-solved", messages.problem_solved),
    ("reasoning_leak", "problem-thoughts", thoughts.problem_thoughts),
    ("reasoning_leak", "maths-thoughts", thoughts.maths_thoughts),
    ("reasoning_leak", "problem-thoughts", thoughts.problem_thoughts),
)
"""(label, source, how it is put together); taken in turn."""


def write(folder: Path) -> int:
    """The number of examples written to `folder`/<language>.jsonl."""
    parts: dict[str, list[str]] = {}
    for row in compose(folder):
        parts.setdefault(row["language"], []).append(json.dumps(row, ensure_ascii=False) + "\n")
    for language, lines in parts.items():
        (folder / f"{language}.jsonl").write_text("".join(lines), "utf-8")
    return sum(map(len, parts.values()))

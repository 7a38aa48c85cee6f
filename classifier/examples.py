"""EXAMPLE: one labelled text, read from JSON lines and validated.

    {"id": "en-0001", "text": "…", "labels": ["preamble"], "tools": "offered", "span": [0, 24], "language": "en",
     "labeled_by": "construction", "source": "announcement", "family": "unknown", "split": "train"}

Labels are preamble, reasoning_leak and clean; the first two may hold together. `span` is the leaked part in code points,
null for clean texts and where nobody marked it. `source` says where the text comes from (a frame, a log, a repository):
reports are sliced by it. `family` is the model family that wrote the text, where known. `style` says which of the two ways
of leaking thoughts it is: `trace` (working on the problem at length) or `note` (a word about user or answer, an outline, a
thought within an answer); unknown counts as both. `share` is how many texts of ordinary traffic this one stands for when
thresholds are set: less than 1 for hard negatives that were collected on purpose.
"""

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal

import msgspec

LABELS = ("preamble", "reasoning_leak", "clean")


class ExampleError(Exception):
    """A file or row of examples that cannot be used; the sentence names file, line and what is allowed, never the text."""


class Example(msgspec.Struct, frozen=True, kw_only=True):
    """One labelled text."""

    text: str
    labels: tuple[Literal["preamble", "reasoning_leak", "clean"], ...]
    id: str = ""
    tools: Literal["offered", "called", "unknown"] = "unknown"
    span: tuple[int, int] | None = None
    language: str = "unknown"
    labeled_by: str = "unknown"
    source: str = "unknown"
    family: str = "unknown"
    style: Literal["trace", "note", "unknown"] = "unknown"
    share: float = 1.0
    split: Literal["train", "test"] = "train"


def read(paths: Iterable[Path]) -> tuple[Example, ...]:
    """The examples of JSONL files, or of all *.jsonl files of folders, in the order of their names."""
    files = [file for path in paths for file in (sorted(path.glob("*.jsonl")) if path.is_dir() else [path])]
    examples = tuple(example for file in files for example in _read_file(file))
    if not examples:
        raise ExampleError("no examples found; give JSONL files or folders that hold *.jsonl")
    return examples


def _read_file(path: Path) -> Iterable[Example]:
    decoder = msgspec.json.Decoder(Example)
    try:
        lines = path.read_bytes().splitlines()
    except OSError:
        raise ExampleError(f"{path}: cannot be read") from None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            example = decoder.decode(line)
        except msgspec.DecodeError as error:
            raise ExampleError(f"{path}, line {number}: {error}") from None
        yield _checked(example, f"{path}, line {number}")


def _checked(example: Example, place: str) -> Example:
    if not example.labels or len(set(example.labels)) != len(example.labels):
        raise ExampleError(f"{place}: labels must name one or several of {', '.join(LABELS)}, each once")
    if "clean" in example.labels and len(example.labels) > 1:
        raise ExampleError(f"{place}: the label clean excludes the others")
    if not 0 < example.share < float("inf"):
        raise ExampleError(f"{place}: share must be a number above 0")
    if example.span and not 0 <= example.span[0] < example.span[1] <= len(example.text):
        raise ExampleError(f"{place}: span must be a non-empty range within the text")
    if example.span and "clean" in example.labels:
        raise ExampleError(f"{place}: span must be null for a clean text")
    return example


def digest(examples: Sequence[Example]) -> str:
    """SHA-256 over the examples in their order; changes when any field of any example does."""
    hashed = hashlib.sha256()
    for example in examples:
        hashed.update(msgspec.json.encode(example) + b"\n")
    return hashed.hexdigest()

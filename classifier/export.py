"""A model folder that any runtime can load and prove itself against.

model.json, weights.bin, golden.jsonl and MODEL_CARD.md; the contract is in `classifier/README.md`. The same model gives the same
bytes.
"""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from classifier.card import card
from classifier.examples import Example
from classifier.runtime import (
    BODY,
    BUCKETS,
    FORMAT,
    GRAMS,
    HEAD,
    HEADS,
    LABELS,
    LONG,
    MULTIPLIERS,
    RAW,
    SALTS,
    SIZES,
    START,
    TAIL,
    UNIT,
    Extractor,
    Model,
)
from classifier.train import MINIMUM_LENGTH, RATES, Trained

GOLDEN = 520
"""Examples in the golden file, beside the odd texts."""
ODD = (
    *(
        "",
        " ",
        "\n\n\n",
        "a",
        "ok",
        "…",
        "?",
        "0",
        "\u0000",
        "\ud800",
        "a\udfffb" * 8,
        "\u202eabc\u202c" * 5,
        "\u200b" * 40,
    ),
    *(
        "e\u0301" * 30,
        "İSTANBUL " * 9,
        "ΣΊΣΥΦΟΣ ΣΑΣ " * 6,
        "ﬁne ﬂow " * 8,
        "😀" * 60,
        "¿¡" * 30,
        "ا" * 80,
        "가" * 80,
        "漢" * 80,
    ),
    *(
        "wait" * 300,
        "Hmm. " * 500,
        "let me check the file " * 120,
        "\t- x\r\n" * 40,
        "```\ncode\n```\n" * 20,
        "a" * 5000,
    ),
    *("1234567890 " * 60, "${{<%[]()*_`>\"'\\/" * 12, "<think>hm</think>", '{"a": [1, 2, {"b": null}]}'),
    "👩‍👩‍👧 Let me check the order. " * 3,
    "Let me check\u00a0the order records.\u2028Done.",
    "WAIT, HMM. I THINK THE USER ASKS FOR MORE.",
    "Okay, the user wants 用户想知道 the capital. ユーザーは聞いている。",
    "The answer is 4." + " x" * 900 + " Wait, the user asked for 5. Let me re-check. I should answer 5.",
    "Ok,so I think\u3000the user asks；wait，no。",
    "\ufeffLet me look that up for you.",
)
"""Texts that break careless ports: empty, controls, lone surrogates, full case mapping, unusual spaces, repetition, length."""


def write(trained: Trained, folder: Path, *, examples: Sequence[Example], name: str, version: str) -> Model:
    """The model, opened from the folder just written. `examples` give the golden texts and the numbers of the card."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "weights.bin").write_bytes(trained.grams.tobytes())
    facts = _facts(trained, name=name, version=version)
    _seal(folder, facts, files=("weights.bin",))
    model = Model(folder)
    (folder / "golden.jsonl").write_text("".join(_golden(model, examples)), "utf-8")
    (folder / "MODEL_CARD.md").write_text(card(model, examples), "utf-8")
    _seal(folder, facts, files=("MODEL_CARD.md", "golden.jsonl", "weights.bin"))
    return Model(folder)


def _facts(trained: Trained, *, name: str, version: str) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "name": name,
        "version": version,
        "labels": LABELS,
        "heads": HEADS,
        "minimum_length": MINIMUM_LENGTH,
        "views": {"raw": RAW, "body": BODY, "head": HEAD, "start": START, "grams": GRAMS, "tail": TAIL, "long": LONG},
        "unit": UNIT,
        "ngrams": {"sizes": SIZES, "buckets": BUCKETS, "multipliers": MULTIPLIERS, "salts": SALTS},
        "rates": RATES,
        "thresholds": trained.thresholds,
        "calibration": trained.calibration,
        "bias": trained.bias,
        "gram_scale": trained.gram_scale,
        "columns": trained.columns,
        "stances": trained.stances,
        "languages": trained.languages,
        "training": trained.training,
    }


def _seal(folder: Path, facts: dict[str, Any], *, files: Sequence[str]) -> None:
    """model.json with the SHA-256 of every other file, and of itself with its own digest written as 64 zeros."""
    sums = {file: hashlib.sha256((folder / file).read_bytes()).hexdigest() for file in files}
    blank = {"checksums": {"model.json": "0" * 64, **sums}, **facts}
    text = json.dumps(blank, ensure_ascii=False, separators=(",", ":")) + "\n"
    own = hashlib.sha256(text.encode()).hexdigest()
    (folder / "model.json").write_text(text.replace("0" * 64, own, 1), "utf-8")


def features_digest(extractor: Extractor, text: str, tools: str) -> str:
    """SHA-256 of the sorted columns, one a line, then of the sorted buckets of each window size, "size:a,b,…" a line."""
    columns, places = extractor.look(text, tools)
    buckets = {size: sorted((place - SALTS[size]) % BUCKETS for place in places[size]) for size in SIZES}
    lines = sorted(columns) + [f"{size}:{','.join(map(str, held))}" for size, held in buckets.items()]
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()


def _golden(model: Model, examples: Sequence[Example]) -> list[str]:
    rng = Random(GOLDEN)
    chosen: list[Example] = []
    languages = sorted({example.language for example in examples})
    for language in languages:
        own = [example for example in examples if example.language == language]
        chosen += rng.sample(own, min(len(own), -(-GOLDEN // len(languages))))
    pairs = [(text, "unknown") for text in ODD] + [(example.text, example.tools) for example in chosen]
    return [_golden_row(model, text, tools) for text, tools in pairs]


def _golden_row(model: Model, text: str, tools: str) -> str:
    prediction = model.predict(text, tools)
    row = {
        "text": text,
        "tools": tools,
        "features": features_digest(model.extractor, text, tools),
        "scores": {label: round(score, 9) for label, score in model.scores(text, tools).items()},
        "label": prediction["label"],
        "raw_label": prediction["raw_label"],
        "tier": prediction["tier"],
    }
    return json.dumps(row, separators=(",", ":")) + "\n"

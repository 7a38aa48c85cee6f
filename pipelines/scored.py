"""Suspected leaks of a batch of answers, as a classifier sees them: findings of tier `classifier`, status preview.

Two rules, one per label of the model. A finding spans what the model looked at, since it does not say where in it the leak is; its
confidence is the calibrated probability. The tier possible is counted by `Scored.tier` and is never a finding.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from classifier import runtime
from classifier.batch import scores
from classifier.runtime import LABELS, RAW, TIERS, Model, ModelError, script_of
from pipelines.errors import ConfigurationError
from pipelines.schema import Finding, Measure, Record

DEFAULT = "leakrate-1.0"
MODELS = Path(runtime.__file__).parent / "models"
RULES = {"preamble": "classifier-preamble", "reasoning_leak": "classifier-reasoning-leak"}
"""Label of the model → id of the rule that reports it; the symptom has the label's name."""
_REPAIRS = {"preamble": "strip", "reasoning_leak": "regenerate"}


class Scored(NamedTuple):
    """One answer: the probability of each label and the tier it reaches (None below all)."""

    probabilities: dict[str, float]
    tiers: dict[str, str | None]
    length: int
    """Code points of the answer that a finding spans."""


@cache
def open_model(name: str, option: str = "--model") -> Model:
    """The released model ("default") or that of a folder, verified; else ConfigurationError that names the option."""
    folder = MODELS / DEFAULT if name == "default" else Path(name)
    try:
        model = Model(folder)
    except ModelError as error:
        raise ConfigurationError(f"{option}: {error}; allowed are default and a model folder") from None
    check_version(model.version, f"{option}: {folder}")
    return model


def check_version(version: object, place: str) -> None:
    """Raise ConfigurationError for the version of a model that is no number of a series: MAJOR or MAJOR.MINOR, as 1.0 or 2.13."""
    major, dot, minor = version.partition(".") if isinstance(version, str) else ("", "", "")
    numbers = (major, minor) if dot else (major,)
    if not all(number.isascii() and number.isdecimal() for number in numbers) or len(major) > 7 or len(minor) > 2:
        raise ConfigurationError(
            f"{place}: the version of a model is MAJOR.MINOR in digits, as 1.0, with at most seven and two of them"
        )


def version_of(model: Model) -> int:
    """The version of the rules under this model: its digits, so that another model starts a new series ("1.0" → 100)."""
    major, _, minor = model.version.partition(".")
    return 100 * int(major) + int(minor or 0)


def measures(model: Model) -> tuple[Measure, ...]:
    """What has a rate beside the rules' measures when a run uses this model, in the order of LABELS."""
    version = f"{model.facts['name']}-{model.version}"
    return tuple(Measure("rule", RULES[label], version, "classifier") for label in LABELS)


def tools_of(record: Record) -> str:
    """How the model's `tools` reads this record: called, offered or unknown."""
    if record.tool_calls:
        return "called"
    return "offered" if record.tools else "unknown"


def score(texts: Sequence[str], tools: Sequence[str], model: Model) -> tuple[Scored, ...]:
    """Every answer scored, in order; the numbers are those of `Model.scores`. `tools`: offered, called or unknown for each."""
    values = scores(model, texts, tools)
    scored = []
    for number, text in enumerate(texts):
        script = script_of(text)
        chances = {label: float(values[number, place]) for place, label in enumerate(LABELS)}
        tiers = {label: model.tier(label, chance, script) for label, chance in chances.items()}
        scored.append(Scored(chances, tiers, min(len(text), RAW)))
    return tuple(scored)


def findings(scored: Scored, model: Model) -> tuple[Finding, ...]:
    """The suspected leaks of one answer, for the tiers certain and likely."""
    return tuple(
        Finding(
            rule_id=RULES[label],
            rule_version=version_of(model),
            tier="classifier",
            status="preview",
            symptom=label,
            channel="content",
            start=0,
            end=scored.length,
            confidence=scored.probabilities[label],
            repair=_REPAIRS[label],
        )
        for label in LABELS
        if scored.tiers[label] in TIERS[:2]
    )

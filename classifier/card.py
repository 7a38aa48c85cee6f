"""MODEL_CARD.md of a model: what it is for, what it was trained on, how well it does on texts held out, where it fails."""

from collections.abc import Sequence

from classifier.evaluate import Report, Share, evaluate
from classifier.examples import Example
from classifier.runtime import LABELS, TIERS, Model


def card(model: Model, examples: Sequence[Example]) -> str:
    """The page; its figures come from the examples whose split is test, or from all when none is."""
    held_out = [example for example in examples if example.split == "test"] or list(examples)
    reports = evaluate(model, held_out)
    training = model.facts["training"]
    languages = ", ".join(sorted({example.language for example in examples}))
    return _TEXT.format(
        name=model.facts["name"],
        version=model.version,
        texts=training["texts"],
        seed=training["seed"],
        digest=training["examples"][:12],
        languages=languages,
        held_out=len(held_out),
        rows="\n".join(
            _row(report) for report in reports if report.slice == "all" or report.slice.startswith("language=")
        ),
        thresholds="\n".join(_threshold_rows(model)),
    )


def _row(report: Report) -> str:
    cells = [
        report.label,
        report.slice,
        report.positives,
        report.negatives,
        _percent(report.recall),
        _percent(report.precision),
    ]
    cells += [_percent(report.false_alarms["likely"]), _percent(report.recall_at.get(0.01, Share(None, None, None, 0)))]
    return "| " + " | ".join(map(str, cells)) + " |"


def _percent(value: Share) -> str:
    if value.value is None or value.low is None or value.high is None:
        return "–"
    return f"{value.value:.1%} ({value.low:.1%}–{value.high:.1%})"


def _threshold_rows(model: Model) -> list[str]:
    return [
        f"| {label} | {script} | " + " | ".join(f"{limits[tier]:.4f}" for tier in TIERS) + " |"
        for label in LABELS
        for script, limits in sorted(model.facts["thresholds"][label].items())
    ]


_TEXT = """# {name} {version}

Says for one answer how likely it holds text that was not meant for the reader: `reasoning_leak` (thoughts about the task, the user
or the answer) or `preamble` (announcing or reporting the model's own work in front of the result).

**Use it** to count suspected leaks where no marker is left, and to decide which answers people should look at.
**Do not use it** to block or rewrite answers by itself, to judge people's texts, or to say how good an answer is.

## Training

{texts} texts written and composed for this project (languages: {languages}), digest `{digest}`, seed {seed}. No text of a real
model, user or public data set was trained on.

## On {held_out} texts held out

Composed like the training texts, so these figures are an upper bound; figures on real outputs stand in the changelog of the models.
Recall, precision and false alarms at the likely threshold; the last column at the threshold that 1 % of these negatives exceed.

| label | slice | positives | negatives | recall | precision | false alarms | recall at 1 % |
|---|---|---|---|---|---|---|---|
{rows}

## Thresholds

A probability from which a tier holds, by the script of the first 64 letters. Likely names 0.1 % false alarms, possible 1 %.

| label | script | certain | likely | possible |
|---|---|---|---|---|
{thresholds}

## Known weaknesses

- A monologue, a thought process or loading messages that the user asked for read like leaks; the model does not see the request.
- Thoughts of a sentence or two at the end of a long answer, and thoughts worded like an explanation, are often missed.
- Tickets and user stories that say what "the user wants" come close to the thresholds.
- Languages outside the list are judged by layout and by foreign phrases only.
"""

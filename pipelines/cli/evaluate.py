"""`leakrate evaluate`: how well a model does on labelled examples, and whether another one does better."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from classifier.evaluate import Report, Share


@click.command(name="evaluate")
@click.argument("model", metavar="MODEL")
@click.option(
    "--examples",
    "paths",
    multiple=True,
    required=True,
    type=click.Path(path_type=Path),
    help="JSONL file or folder of labelled examples; may be given several times.",
)
@click.option("--split", type=click.Choice(["all", "train", "test"]), default="all", show_default=True)
@click.option("--against", help="A second model: is it better than MODEL on these examples?")
@click.option("--json", "as_json", is_flag=True, help="Print the reports as JSON.")
def command(model: str, paths: tuple[Path, ...], split: str, against: str | None, as_json: bool) -> None:
    """Judge MODEL (a folder, or: default) on labelled examples: per label, language, source and model family.

    Recall, precision and false alarms are those at the shipped likely threshold; recall at 0.1 % and 1 % is at the thresholds which
    that share of these examples' negatives exceeds. All with 95 % intervals.
    """
    import json

    from classifier.evaluate import compare, evaluate
    from classifier.examples import ExampleError, read
    from pipelines.errors import ConfigurationError
    from pipelines.scored import open_model

    opened, other = open_model(model, "MODEL"), open_model(against, "--against") if against else None
    try:
        examples = [example for example in read(paths) if split in ("all", example.split)]
    except ExampleError as error:
        raise ConfigurationError(str(error)) from None
    if not examples:
        raise ConfigurationError(f"--split {split}: no example has this split; allowed are all, train and test")
    reports = evaluate(opened, examples)
    verdicts = compare(opened, other, examples) if other else ()
    if as_json:
        rows = {"reports": [report._asdict() for report in reports], "verdicts": [item._asdict() for item in verdicts]}
        click.echo(json.dumps(rows, indent=1))
        return
    for report in reports:
        click.echo(_lines(report))
    for verdict in verdicts:
        word = "better" if verdict.better else "not better, as far as these examples can tell"
        click.echo(
            f"{verdict.label}: {against} is {word} ({verdict.difference:+.4f}, {verdict.low:+.4f} to {verdict.high:+.4f})"
        )


def _lines(report: "Report") -> str:
    head = f"{report.label}  {report.slice}  {report.positives} positive, {report.negatives} negative"
    cells = [f"recall {_share(report.recall)}", f"precision {_share(report.precision)}"]
    cells += [f"false alarms {_share(report.false_alarms['likely'])}"]
    cells += [f"recall at {rate:.1%} {_share(value)}" for rate, value in report.recall_at.items()]
    if report.average_precision is not None:
        cells.append(f"PR-AUC {report.average_precision:.3f}")
    cells.append(f"calibration error {report.calibration_error:.3f}")
    if report.worst:
        cells.append(f"worst errors {', '.join(report.worst)}")
    return "\n  ".join([head, *cells])


def _share(share: "Share") -> str:
    if share.value is None:
        return "–"
    return f"{share.value:.1%} ({share.low:.1%}–{share.high:.1%})"

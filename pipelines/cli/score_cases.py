"""`leakrate score-cases`: precision and recall of the rules on a file of cases, with every miss and false alarm."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from pipelines.score import Count, Summary, Verdict


@click.command(name="score-cases")
@click.argument("file", metavar="FILE")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
def command(file: str, as_json: bool) -> int:
    """Run the rules on the cases in FILE, one JSON object a line: {"id", "lang", "record": a pair without its id, "expected":
    {"symptoms", "also_ok", "leak_text", "repair", "rescue_tool_call", "clean_content", "label", …}}.

    Prints precision and recall per symptom, language and family, spans, repairs, rescues, cleaned contents, every miss and every
    false alarm.

    Cases with the label `debatable` are listed and not counted. The exit code is 1 when a rule raised.
    """
    from pipelines.errors import InputError
    from pipelines.score import judge, read_cases, summarise

    path = Path(file)
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise InputError(f"{file}: {error.strerror or type(error).__name__}") from None
    verdicts = [judge(case) for case in read_cases(lines, file)]
    summary = summarise(verdicts)
    if as_json:
        _print_json(summary, verdicts)
    else:
        _print_text(summary)
    return 1 if summary.failures else 0


def _print_text(summary: Summary) -> None:
    click.echo(f"{summary.cases} cases, {summary.debatable} of them debatable and not counted, {summary.clean} clean")
    _print_counts("symptom", summary.symptoms)
    _print_counts("language", summary.languages)
    _print_counts("family", summary.families)
    click.echo("")
    for name, share in summary.checks.items():
        wrong = f"; not: {' '.join(share.wrong_ids)}" if share.wrong_ids else ""
        click.echo(f"{name}: {share.right} of {share.asked} right{wrong}")
    for title, ids in (("a rule", summary.clean_with_rule), ("only a heuristic", summary.clean_with_heuristic)):
        click.echo(
            f"clean cases on which {title} fires: {len(ids)} of {summary.clean}{': ' + ' '.join(ids) if ids else ''}"
        )
    _print_list("misses", [f"{case} {symptom}{_unless_firm(label)}" for case, symptom, label in summary.misses])
    _print_list(
        "false alarms",
        [f"{case} {symptom} ({tier}){_unless_firm(label)}" for case, symptom, tier, label in summary.false_alarms],
    )
    _print_list("failures", [f"{case} {failure}" for case, failure in summary.failures])


def _print_counts(title: str, counts: dict[str, Count]) -> None:
    shown = {name: count for name, count in sorted(counts.items()) if count.expected or count.wrong}
    width = max([len(title), *(len(name) for name in shown)])
    click.echo(f"\n{title:<{width}}  expected  found  wrong  recall  precision")
    for name, count in shown.items():
        numbers = f"{count.expected:8}  {count.found:5}  {count.wrong:5}"
        click.echo(f"{name:<{width}}  {numbers}  {_share(count.recall):>6}  {_share(count.precision):>9}")


def _print_list(title: str, lines: list[str]) -> None:
    click.echo(f"\n{title}: {len(lines)}")
    for line in lines:
        click.echo(f"  {line}")


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _unless_firm(label: str) -> str:
    return "" if label == "firm" else f" [{label}]"


def _print_json(summary: Summary, verdicts: list[Verdict]) -> None:
    import json
    from dataclasses import asdict

    def counts(given: dict[str, Count]) -> dict[str, object]:
        return {
            name: {**asdict(count), "recall": count.recall, "precision": count.precision}
            for name, count in given.items()
        }

    value = asdict(summary)
    for name in ("symptoms", "languages", "families"):
        value[name] = counts(getattr(summary, name))
    value["verdicts"] = [_verdict(verdict) for verdict in verdicts]
    click.echo(json.dumps(value, ensure_ascii=False, indent=2))


def _verdict(verdict: Verdict) -> dict[str, object]:
    fields = (
        "family",
        "found",
        "missed",
        "false_alarms",
        "overlap",
        "repair_found",
        "repaired",
        "rescued",
        "cleaned",
        "failures",
    )
    return {
        "id": verdict.case.id,
        "label": verdict.case.expected.label,
        **{name: getattr(verdict, name) for name in fields},
    }

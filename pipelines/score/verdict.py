"""How the rules did on one case: misses, false alarms, and whether place, repair, rescue and clean text are right."""

import json
from collections.abc import Iterable
from dataclasses import dataclass

from pipelines import detect
from pipelines.deployments import Deployments, identify
from pipelines.families import UNKNOWN_FAMILY, by_name
from pipelines.formats.format import Place
from pipelines.formats.pair import FORMAT
from pipelines.rules import repair
from pipelines.rules.rule import Turn
from pipelines.schema import UNKNOWN, Finding, Record
from pipelines.score.case import Case

NEAR_ENOUGH = 0.9
"""Intersection over union from which on a span covers the leaked text."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """One case judged. A check is None where the case does not ask for it."""

    case: Case
    family: str
    found: dict[str, str]
    """Symptom → strongest tier that found it in the choice that is meant: rule before heuristic."""
    elsewhere: tuple[str, ...]
    """Symptoms found in the other choices, which are clean."""
    overlap: float | None
    repair_found: str | None
    rescued: bool | None
    cleaned: bool | None
    failures: tuple[str, ...]
    """Rules that raised, as `rule (error)`, or why the exchange could not be read."""

    @property
    def firm(self) -> bool:
        return self.case.expected.label == "firm"

    @property
    def missed(self) -> tuple[str, ...]:
        return tuple(symptom for symptom in self.case.expected.symptoms if symptom not in self.found)

    @property
    def false_alarms(self) -> tuple[str, ...]:
        allowed = {*self.case.expected.symptoms, *self.case.expected.also_ok}
        return (*(symptom for symptom in self.found if symptom not in allowed), *self.elsewhere)

    @property
    def repaired(self) -> bool | None:
        return None if self.repair_found is None else self.repair_found == self.case.expected.repair


def judge(case: Case) -> Verdict:
    """Runs one case through format, families and rules."""
    outcomes = list(FORMAT.parse(case.pair(), Place("cases", 0)))
    turns = {outcome.choice: _turn(outcome) for outcome in outcomes if isinstance(outcome, Record)}
    meant = turns.get(case.expected.choice_index or 0)
    if meant is None:
        return Verdict(case, UNKNOWN, {}, (), None, None, None, None, ("the exchange could not be read",))
    judgements = {choice: detect.judge(turn) for choice, turn in turns.items()}
    findings = _counted(judgements[meant.record.choice].findings)
    others = [
        item
        for choice, judged in judgements.items()
        if choice != meant.record.choice
        for item in _counted(judged.findings)
    ]
    wanted = [finding for finding in findings if finding.symptom in case.expected.symptoms]
    named = [
        *wanted,
        *(
            finding
            for finding in findings
            if finding.symptom in case.expected.also_ok and finding.symptom == "boundary_token"
        ),
    ]
    return Verdict(
        case=case,
        family=meant.family.name,
        found=_tiers(findings),
        elsewhere=tuple(sorted({finding.symptom for finding in others})),
        overlap=_overlap(case, meant, wanted),
        repair_found=_repair(wanted) if wanted else None,
        rescued=_rescued(case, meant, findings if case.expected.hazard == "do_not_rescue" else wanted),
        cleaned=_cleaned(case, meant, named) if wanted else None,
        failures=tuple(f"{rule} ({error})" for judged in judgements.values() for rule, error in judged.failures),
    )


def _turn(record: Record) -> Turn:
    identity = identify(record, Deployments())
    return Turn(record, by_name(identity.family) or UNKNOWN_FAMILY, identity)


def _counted(findings: Iterable[Finding]) -> list[Finding]:
    """Findings that count in a symptom or in its `:suspected`: no preview rules, nothing by configuration."""
    return [item for item in findings if not item.configured and (item.tier != "rule" or item.status == "stable")]


def _tiers(findings: Iterable[Finding]) -> dict[str, str]:
    found: dict[str, str] = {}
    for finding in findings:
        if found.get(finding.symptom) != "rule":
            found[finding.symptom] = finding.tier
    return found


def _repair(findings: Iterable[Finding]) -> str:
    """The repair of a whole turn: a new answer before a rescue before a cut."""
    asked = {finding.repair for finding in findings}
    return next((name for name in ("regenerate", "rescue", "strip") if name in asked), "none")


def _overlap(case: Case, turn: Turn, findings: list[Finding]) -> float | None:
    """Intersection over union of the findings' places and the leaked text, white space left out; None where no text leaked."""
    content, at = turn.content, 0
    leaked: set[int] = set()
    for piece in case.expected.pieces:
        start = content.find(piece, at)
        if start >= 0:
            at = start + len(piece)
            leaked.update(range(start, at))
    places = {index for item in findings if item.channel == "content" for index in range(item.start, item.end)}
    leaked, places = ({index for index in indices if not content[index].isspace()} for indices in (leaked, places))
    return len(leaked & places) / len(leaked | places) if leaked and findings else None


def _rescued(case: Case, turn: Turn, findings: list[Finding]) -> bool | None:
    """Whether the calls and texts that come out are those of the case; with the hazard `do_not_rescue`, whether none comes out."""
    expected = case.expected
    calls = [call for finding in findings if finding.repair == "rescue" for call in repair.rescue(turn, finding)]
    if expected.hazard == "do_not_rescue":
        return not calls
    if expected.calls:
        read = [{"name": call.name, "arguments": json.loads(call.arguments or "{}")} for call in calls]
        return read == list(expected.calls)
    return None


def _cleaned(case: Case, turn: Turn, findings: list[Finding]) -> bool | None:
    if case.expected.clean_content is None:
        return None
    return (repair.clean_content(turn, findings) or "").strip() == case.expected.clean_content.strip()

"""Precision and recall over judged cases: per symptom, language and family, and the shares of right places, repairs and texts."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from pipelines.schema import SYMPTOMS
from pipelines.score.verdict import NEAR_ENOUGH, Verdict


@dataclass(slots=True)
class Count:
    """`found` of `expected` symptoms, and `wrong` ones found beside them."""

    expected: int = 0
    found: int = 0
    wrong: int = 0

    @property
    def recall(self) -> float | None:
        return self.found / self.expected if self.expected else None

    @property
    def precision(self) -> float | None:
        return self.found / (self.found + self.wrong) if self.found + self.wrong else None


@dataclass(slots=True)
class Share:
    """`right` of `asked`, and the ids of the others."""

    asked: int = 0
    right: int = 0
    wrong_ids: list[str] = field(default_factory=list)

    def add(self, case_id: str, right: bool | None) -> None:
        if right is None:
            return
        self.asked += 1
        self.right += right
        if not right:
            self.wrong_ids.append(case_id)


@dataclass(slots=True)
class Summary:
    """What `score-cases` prints. Debatable cases are listed and counted nowhere else."""

    cases: int = 0
    debatable: int = 0
    clean: int = 0
    clean_with_rule: list[str] = field(default_factory=list)
    """Clean cases on which something above tier heuristic fires."""
    clean_with_heuristic: list[str] = field(default_factory=list)
    symptoms: dict[str, Count] = field(default_factory=dict)
    languages: dict[str, Count] = field(default_factory=dict)
    families: dict[str, Count] = field(default_factory=dict)
    checks: dict[str, Share] = field(default_factory=dict)
    misses: list[tuple[str, str, str]] = field(default_factory=list)
    """(case, symptom, label)"""
    false_alarms: list[tuple[str, str, str, str]] = field(default_factory=list)
    """(case, symptom, tier, label)"""
    failures: list[tuple[str, str]] = field(default_factory=list)


def summarise(verdicts: Iterable[Verdict]) -> Summary:
    """All counts over the verdicts."""
    summary = Summary(symptoms={symptom: Count() for symptom in SYMPTOMS})
    summary.checks = {name: Share() for name in CHECKS}
    for verdict in verdicts:
        summary.cases += 1
        _list(summary, verdict)
        if not verdict.firm:
            summary.debatable += 1
            continue
        _count(summary, verdict)
        for name, check in CHECKS.items():
            summary.checks[name].add(verdict.case.id, check(verdict))
    return summary


CHECKS: dict[str, Callable[[Verdict], bool | None]] = {
    "spans": lambda verdict: None if verdict.overlap is None else verdict.overlap >= NEAR_ENOUGH,
    "repairs": lambda verdict: verdict.repaired,
    "rescues": lambda verdict: verdict.rescued,
    "cleaned contents": lambda verdict: verdict.cleaned,
}
"""What is asked of each firm case beside its symptoms."""


def _list(summary: Summary, verdict: Verdict) -> None:
    case, label = verdict.case, verdict.case.expected.label
    summary.misses += [(case.id, symptom, label) for symptom in verdict.missed]
    summary.false_alarms += [
        (case.id, symptom, verdict.found.get(symptom, "rule"), label) for symptom in verdict.false_alarms
    ]
    summary.failures += [(case.id, failure) for failure in verdict.failures]


def _count(summary: Summary, verdict: Verdict) -> None:
    case = verdict.case
    if not case.expected.symptoms:
        summary.clean += 1
        tiers = {verdict.found.get(symptom, "rule") for symptom in verdict.false_alarms}
        if "rule" in tiers:
            summary.clean_with_rule.append(case.id)
        elif tiers:
            summary.clean_with_heuristic.append(case.id)
    rows = (summary.languages.setdefault(case.lang, Count()), summary.families.setdefault(verdict.family, Count()))
    for symptom in case.expected.symptoms:
        for count in (summary.symptoms[symptom], *rows):
            count.expected += 1
            count.found += symptom in verdict.found
    for symptom in verdict.false_alarms:
        for count in (summary.symptoms[symptom], *rows):
            count.wrong += 1

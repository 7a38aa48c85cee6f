"""Judges one turn: findings, the measures that could fire and those that did, what was excluded, and which rules failed."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from typing import cast

from pipelines.candidates import NEEDLES_OF, candidates, grouped
from pipelines.rules import RULES
from pipelines.rules.denominators import ELIGIBLE, UNREADABLE, body_is_logged, format_was_requested
from pipelines.rules.origin import layer_of
from pipelines.rules.rule import Excluded, Rule, Span, Turn
from pipelines.rules.views.well_formed import well_formed_value
from pipelines.schema import CHANNELS, SYMPTOMS, UNKNOWN, Finding, Measure, Record

SUSPECTED = ":suspected"


@dataclass(slots=True)
class Judgement:
    """What the rules say about one turn. `eligible` and `fired` are bit sets over MEASURES; a fired bit is always eligible."""

    findings: list[Finding] = field(default_factory=list)
    eligible: int = 0
    fired: int = 0
    excluded: Counter[str] = field(default_factory=Counter)
    """Candidates that are no leaks, by the view that says so."""
    failures: list[tuple[str, str]] = field(default_factory=list)
    """Rules that raised: id and the name of the error's class."""

    @property
    def bits(self) -> tuple[int, int]:
        return self.eligible, self.fired

    @property
    def says_more(self) -> bool:
        """Whether there is more to say of the turn than its bits."""
        return bool(self.findings or self.excluded or self.failures)


def _tools_offered(turn: Turn) -> bool:
    return turn.record.body_logged and bool(turn.record.tools)


def _format_known(turn: Turn) -> bool:
    record = turn.record
    return record.response_format_state == "present" and record.finish_reason is not None and record.body_logged


def _remediation_logged(turn: Turn) -> bool:
    return turn.record.remediation_visible


def _acted(action: str) -> Callable[[Turn, set[str], bool], bool]:
    return lambda turn, symptoms, configured: any(done.action == action for done in turn.record.remediation)


_Metric = tuple[str, Callable[[Turn], bool], Callable[[Turn, set[str], bool], bool]]
METRICS: tuple[_Metric, ...] = (
    (
        "reasoning_leak_rate",
        body_is_logged,
        lambda _, symptoms, __: bool(symptoms & {"reasoning_leak", "boundary_token"}),
    ),
    (
        "tool_call_unparsed",
        _tools_offered,
        lambda turn, symptoms, _: "raw_tool_call" in symptoms and not turn.record.tool_calls,
    ),
    ("tool_call_arguments_invalid", _tools_offered, lambda _, symptoms, __: "tool_args_invalid" in symptoms),
    ("structured_output_schema", format_was_requested, lambda _, symptoms, __: "structured_invalid" in symptoms),
    ("structured_output_length", _format_known, lambda turn, _, __: turn.record.finish_reason == "length"),
    ("remediation_strip", _remediation_logged, _acted("strip")),
    ("remediation_regenerate", _remediation_logged, _acted("regenerate")),
    ("remediation_rescue", _remediation_logged, _acted("rescue")),
    ("remediation_cap_exceeded", _remediation_logged, _acted("cap_exceeded")),
    ("configured", body_is_logged, lambda _, __, configured: configured),
)
"""The headline metrics: name, denominator, and whether the turn counts, from the turn, its symptoms and a configured finding."""


def _counts(rule: Rule) -> bool:
    """Whether the rule makes the symptom's own rate, and not its suspected one or none."""
    return rule.tier == "rule" and rule.status == "stable"


def _suspects(rule: Rule) -> bool:
    return rule.tier != "rule"


def _version(symptom: str, rules: Callable[[Rule], bool]) -> str:
    """Eight hex digits over those rules of a symptom that make one rate: a changed rule starts a new series of that rate only."""
    versions = ",".join(f"{rule.id}:{rule.version}" for rule in RULES if rule.symptom == symptom and rules(rule))
    return sha256(versions.encode()).hexdigest()[:8]


MEASURES: tuple[Measure, ...] = (
    *(Measure("rule", rule.id, str(rule.version), rule.tier) for rule in RULES),
    *(Measure("symptom", symptom, _version(symptom, _counts), "rule") for symptom in SYMPTOMS),
    *(Measure("symptom", symptom + SUSPECTED, _version(symptom, _suspects), "heuristic") for symptom in SYMPTOMS),
    *(Measure("metric", name, "1", "rule") for name, _, _ in METRICS),
)
"""Everything that has a rate, in the order of the bits."""

NEEDLES_BY_CHANNEL: dict[str, tuple[str, ...]] = {
    channel: tuple(
        sorted(frozenset().union(*(NEEDLES_OF[bit] for bit, rule in enumerate(RULES) if rule.channel == channel)))
    )
    for channel in CHANNELS
}
"""Literals without any of which, in the text of its channel, no rule with needles fires, whatever the family."""

NEEDLES: tuple[str, ...] = tuple(sorted({needle for needles in NEEDLES_BY_CHANNEL.values() for needle in needles}))
"""The same for all texts together."""

OPENINGS: tuple[str, ...] = tuple(sorted({opening for rule in RULES for opening in rule.openings}))
"""Lower-case literals of the heuristics, looked for in the first 400 characters of the lower-cased content."""

_WANTS = tuple(wants for wants, _ in grouped((rule.wants, 0) for rule in RULES if rule.wants))
_LIGHT_RULES = tuple((bit, rule) for bit, rule in enumerate(RULES) if not (rule.needles or rule.openings or rule.wants))
_SYMPTOM_BIT = {symptom: len(RULES) + index for index, symptom in enumerate(SYMPTOMS)}
_SUSPECTED_BIT = {symptom: len(RULES) + len(SYMPTOMS) + index for index, symptom in enumerate(SYMPTOMS)}
_FIRST_METRIC = len(RULES) + 2 * len(SYMPTOMS)


def wants_text(record: Record) -> bool:
    """Whether a light record has to be read in full although no needle and no opening stands in it."""
    return any(wants(record) for wants in _WANTS)


_ELIGIBLE = grouped(
    (
        *((rule.eligible, 1 << bit) for bit, rule in enumerate(RULES)),
        *(
            (could_fire, 1 << _SYMPTOM_BIT[symptom] | 1 << _SUSPECTED_BIT[symptom])
            for symptom, could_fire in ELIGIBLE.items()
        ),
        *((could_fire, 1 << _FIRST_METRIC + index) for index, (_, could_fire, _) in enumerate(METRICS)),
    )
)
_COUNTS = tuple((1 << _FIRST_METRIC + index, counts) for index, (_, _, counts) in enumerate(METRICS))


def eligible(turn: Turn) -> int:
    """Bits of the measures that could fire on this turn, from its states and flags alone."""
    bits = 0
    for could_fire, measures in _ELIGIBLE:
        if could_fire(turn):
            bits |= measures
    return bits


def judge(turn: Turn) -> Judgement:
    """All rules on one turn that was read in full. No rule can end it: one that raises is named in `failures`."""
    bits = eligible(turn)
    try:
        judgement = _judge(turn, _rules_for(turn), bits)
        sound = all(error != "UnicodeEncodeError" for _, error in judgement.failures)
    except UnicodeEncodeError:
        sound = False
    if not sound:  # a lone surrogate, which most texts do not hold
        turn = Turn(cast(Record, well_formed_value(turn.record)), turn.family, turn.identity)
        judgement = _judge(turn, _rules_for(turn), bits)
    return judgement


def _rules_for(turn: Turn) -> Iterator[tuple[int, Rule]]:
    able = candidates(turn)
    while able:
        bit = (able & -able).bit_length() - 1
        yield bit, RULES[bit]
        able &= able - 1


def judge_light(turn: Turn) -> Judgement:
    """The rules that read states and flags only, on a light record in which nothing has to be read."""
    return _judge(turn, _LIGHT_RULES, eligible(turn))


def _judge(turn: Turn, rules: Iterable[tuple[int, Rule]], bits: int) -> Judgement:
    judgement = Judgement(eligible=bits)
    symptoms: set[str] = set()
    configured = False
    unread = turn.record.content_state in UNREADABLE
    for bit, rule in rules:
        if unread and rule.channel == "content":
            continue
        for span in _run(rule, turn, judgement):
            finding = _finding(rule, span)
            finding.layer_hint = layer_of(finding, turn.record)
            judgement.findings.append(finding)
            judgement.fired |= 1 << bit
            if finding.configured:
                configured |= bool(bits & 1 << bit)
            elif rule.tier != "rule":
                judgement.fired |= 1 << _SUSPECTED_BIT[finding.symptom]
            elif rule.status == "stable":
                judgement.fired |= 1 << _SYMPTOM_BIT[finding.symptom]
                if bits & 1 << _SYMPTOM_BIT[finding.symptom]:
                    symptoms.add(finding.symptom)
    for measure, counts in _COUNTS:
        if bits & measure and counts(turn, symptoms, configured):
            judgement.fired |= measure
    judgement.fired &= bits
    return judgement


def _run(rule: Rule, turn: Turn, judgement: Judgement) -> list[Span]:
    spans = []
    try:
        for found in rule.find(turn):
            if isinstance(found, Excluded):
                judgement.excluded[found.reason] += 1
            else:
                spans.append(found)
    except Exception as error:  # noqa: BLE001  a fault in one rule is a counted reject; it must not end a night's run
        judgement.failures.append((rule.id, type(error).__name__))
    return spans


def _finding(rule: Rule, span: Span) -> Finding:
    return Finding(
        rule_id=rule.id,
        rule_version=rule.version,
        tier=rule.tier,
        status=rule.status,
        symptom=span.symptom or rule.symptom,
        channel=span.channel or rule.channel,
        start=span.start,
        end=span.end,
        confidence=span.confidence,
        repair=span.repair or rule.repair,
        configured=span.configured,
        layer_hint=span.layer_hint or (rule.layers[0] if rule.layers else UNKNOWN),
    )

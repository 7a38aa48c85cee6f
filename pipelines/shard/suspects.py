"""The classifier's findings beside the rules': turns wait until some are together, since many texts are scored faster than one."""

from hashlib import sha256
from typing import NamedTuple

import msgspec

from pipelines.detect import MEASURES, SUSPECTED, Judgement
from pipelines.rules.rule import Turn
from pipelines.schema import Measure, Record
from pipelines.shard.profiles import Profile

TOGETHER = 32


class Waiting(NamedTuple):
    """One judged turn that the classifier has not seen yet, with the number of its item."""

    record: Record
    profile: Profile
    judgement: Judgement
    turn: Turn
    item: int


def measures(model: str | None) -> tuple[Measure, ...]:
    """All measures of a run in the order of their bits: those of the rules, then those of the classifier if there is one.

    What a classifier suspects too is another series: its model is part of the version of those measures.
    """
    if model is None:
        return MEASURES
    from pipelines import scored

    own = scored.measures(scored.open_model(model))
    version_of = {symptom + SUSPECTED: own[0].version for symptom in scored.RULES}
    rules = (
        msgspec.structs.replace(measure, version=_joined(measure.version, version_of[measure.name]))
        if measure.name in version_of
        else measure
        for measure in MEASURES
    )
    return (*rules, *own)


def _joined(version: str, model: str) -> str:
    return sha256(f"{version},{model}".encode()).hexdigest()[:8]


def _suspected_bits() -> dict[str, int]:
    """Symptom → the bit of its suspected measure."""
    return {
        measure.name.removesuffix(SUSPECTED): 1 << place
        for place, measure in enumerate(MEASURES)
        if measure.name.endswith(SUSPECTED)
    }


def suspect(waiting: list[Waiting], name: str) -> None:
    """Add what the classifier suspects to the judgements of the turns; a monologue that was asked for is none, and it cannot see that."""
    from pipelines import scored

    model = scored.open_model(name)
    first = len(MEASURES)
    of_rule = {measure.name: 1 << first + place for place, measure in enumerate(scored.measures(model))}
    of_symptom = _suspected_bits()
    readable = [one for one in waiting if one.record.content_state == "text"]
    texts, tools = [one.turn.content for one in readable], [scored.tools_of(one.record) for one in readable]
    for one, result in zip(readable, scored.score(texts, tools, model), strict=True):
        one.judgement.eligible |= sum(of_rule.values())
        found = scored.findings(result, model)
        if found and one.turn.creative:
            one.judgement.excluded["creative"] += len(found)
            continue
        for finding in found:
            one.judgement.findings.append(finding)
            one.judgement.fired |= of_rule[finding.rule_id] | of_symptom[finding.symptom] & one.judgement.eligible

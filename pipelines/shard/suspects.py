"""The classifier's findings beside the rules': turns wait until some are together, since many texts are scored faster than one."""

from typing import NamedTuple

from pipelines.detect import MEASURES, Judgement
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
    """All measures of a run in the order of their bits: those of the rules, then those of the classifier if there is one."""
    if model is None:
        return MEASURES
    from pipelines import scored

    return (*MEASURES, *scored.measures(scored.open_model(model)))


def suspect(waiting: list[Waiting], name: str) -> None:
    """Add what the classifier suspects to the judgements of the turns; a monologue that was asked for is none, and it cannot see that."""
    from pipelines import scored

    model = scored.open_model(name)
    first = len(MEASURES)
    of_rule = {measure.name: 1 << first + place for place, measure in enumerate(scored.measures(model))}
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
            one.judgement.fired |= of_rule[finding.rule_id]

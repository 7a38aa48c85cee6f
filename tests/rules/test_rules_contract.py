"""What every rule has to keep: its documentation, its examples, its needles and its eligibility."""

import pytest

from pipelines.detect import MEASURES, NEEDLES, OPENINGS, judge, wants_text
from pipelines.families import FAMILIES, UNKNOWN_FAMILY
from pipelines.rules import RULES
from pipelines.rules.marks import MARK, THINK_NEEDLES
from pipelines.rules.rule import Rule, Span, opening_of
from pipelines.rules.special_tokens import ENDINGS, OWNED, literals
from pipelines.rules.special_tokens import NEEDLES as TOKEN_NEEDLES
from pipelines.schema import CHANNELS, LAYERS, REPAIRS, STATUSES, SYMPTOMS, TIERS

SECTIONS = ("Catches: ", "Why it matters: ", "Misses: ", "False alarms: ", "Likely layers: ")
EXAMPLES = [(rule, kind, example) for rule in RULES for kind in ("leaks", "clean") for example in getattr(rule, kind)]
SOME_FAMILIES = (UNKNOWN_FAMILY, *FAMILIES[::17])


def named(value: object) -> str:
    return value.id if isinstance(value, Rule) else ""


def test_ids_are_unique_and_in_kebab_case() -> None:
    ids = [rule.id for rule in RULES]
    assert len(set(ids)) == len(ids)
    assert all(rule_id == rule_id.lower() and "_" not in rule_id and " " not in rule_id for rule_id in ids)


@pytest.mark.parametrize("rule", RULES, ids=named)
def test_a_rule_says_what_it_is(rule: Rule) -> None:
    assert rule.symptom in SYMPTOMS
    assert rule.tier in TIERS
    assert rule.status in STATUSES
    assert rule.repair in REPAIRS
    assert rule.channel in CHANNELS
    assert rule.layers and set(rule.layers) <= set(LAYERS)
    assert rule.version >= 1
    assert len(rule.action) > 20 and len(rule.verify) > 20, (
        "the advice of the troubleshooting table belongs to the rule"
    )


@pytest.mark.parametrize("rule", RULES, ids=named)
def test_its_documentation_has_every_section_once(rule: Rule) -> None:
    assert rule.doc.splitlines()[0].rstrip().endswith((".", ":", ",")) or len(rule.doc.splitlines()[0]) > 20
    for section in SECTIONS:
        assert rule.doc.count(f"\n{section}") == 1, section
    written = rule.doc.split("Likely layers: ")[1].strip().rstrip(".")
    assert tuple(part.strip() for part in written.split(",")) == rule.layers


@pytest.mark.parametrize("rule", RULES, ids=named)
def test_it_has_examples_of_both_kinds_each_with_a_reason(rule: Rule) -> None:
    assert rule.leaks and rule.clean
    assert all(len(example.reason) > 2 for example in (*rule.leaks, *rule.clean))


@pytest.mark.parametrize(("rule", "kind", "example"), EXAMPLES, ids=named)
def test_its_leaks_fire_and_its_clean_examples_do_not(rule: Rule, kind: str, example: object) -> None:
    spans = [found for found in rule.find(example.turn) if isinstance(found, Span)]
    if kind == "clean":
        assert not spans, example.reason
        return
    assert spans, example.reason
    if example.span is not None:
        text = example.turn.reasoning if rule.channel == "reasoning" else example.turn.content
        assert example.span in [text[span.start : span.end] for span in spans], example.reason


@pytest.mark.parametrize(("rule", "kind", "example"), EXAMPLES, ids=named)
def test_a_leak_passes_the_prefilter_and_is_eligible(rule: Rule, kind: str, example: object) -> None:
    if kind == "clean":
        return
    turn = example.turn
    texts = (
        turn.record.content or "",
        turn.record.reasoning or "",
        *(call.name or "" for call in turn.record.tool_calls),
    )
    texts += tuple(message.content for message in turn.record.messages or ())
    opening = opening_of(turn.record.content or "")
    passes = any(needle in text for text in texts for needle in NEEDLES) or any(word in opening for word in OPENINGS)
    states_only = not (rule.needles or rule.openings or rule.wants)
    assert passes or wants_text(turn.record) or states_only or turn.record.chunks is not None, (
        "no needle of any rule is in it"
    )
    assert rule.eligible(turn)


def test_needles_are_few_in_number_and_in_ordinary_prose() -> None:
    prose = (
        "The final answer follows from the analysis of variance; think of it as a function of two arguments. Parameters such as "
        '<b>bold</b> tags, {"name": "Ada"}, user names, functions. A thought experiment, to=me, [see](https://example.org), '
        "if a < b and c > d: f(x) = [1, 2]."
    )
    assert [needle for needle in NEEDLES if needle in prose] == []
    assert "" not in NEEDLES and "" not in OPENINGS


def test_every_symptom_and_every_rule_is_a_measure_once() -> None:
    names = [(measure.kind, measure.name) for measure in MEASURES]
    assert len(set(names)) == len(names)
    assert [name for kind, name in names if kind == "rule"] == [rule.id for rule in RULES]
    symptoms = [name for kind, name in names if kind == "symptom"]
    assert symptoms == [*SYMPTOMS, *(f"{symptom}:suspected" for symptom in SYMPTOMS)]


@pytest.mark.parametrize(("rule", "kind", "example"), EXAMPLES, ids=named)
def test_fired_bits_are_eligible_and_nothing_fails(rule: Rule, kind: str, example: object) -> None:
    judgement = judge(example.turn)
    assert judgement.failures == []
    assert judgement.fired & ~judgement.eligible == 0
    for finding in judgement.findings:
        assert 0 <= finding.start <= finding.end
        assert finding.symptom in SYMPTOMS and finding.repair in REPAIRS and finding.channel in CHANNELS
        assert 0 < finding.confidence <= 1


def test_every_special_token_passes_the_prefilter_of_its_rule() -> None:
    assert [
        token for token in (*literals(), *ENDINGS, *OWNED) if not any(needle in token for needle in TOKEN_NEEDLES)
    ] == []


def test_every_reasoning_mark_of_every_family_is_known_and_passes_the_prefilter() -> None:
    marks = {mark for family in FAMILIES for mark in (*family.reasoning_start, *family.reasoning_end)}
    sentences = {mark for mark in marks if mark.startswith("Here") and "steps" not in mark}
    wrappers = {mark for family in FAMILIES for mark in family.answer_wrapper}
    tokens = set(literals())
    unknown = [
        mark for mark in marks - sentences - wrappers if not MARK.search(f"{mark}\n") and mark.strip() not in tokens
    ]
    assert [mark for mark in unknown if "<answer>" not in mark] == []
    assert [
        mark
        for mark in marks - sentences - wrappers
        if not any(needle in f"{mark}\n" for needle in (*THINK_NEEDLES, *TOKEN_NEEDLES))
    ] == []

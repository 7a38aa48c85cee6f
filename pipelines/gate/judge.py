"""The declared measures of a candidate, each judged against the baseline, and one verdict over all of them."""

import datetime
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import pyarrow as pa
import pyarrow.compute as pc

from pipelines.errors import ConfigurationError, DataError
from pipelines.gate.compare import compare, sequential
from pipelines.gate.decide import Decision, Evidence, decide, holm
from pipelines.gate.policy import Policy, check_measures
from pipelines.gate.rows import Row, row_of
from pipelines.gate.sides import MEASURE_KEYS, NOTHING, Side, of_cut, of_measures, pooled, unsplit
from pipelines.gate.slices import watched

EXIT_CODES = {"pass": 0, "fail": 1, "not_enough_data": 4}
_ANY_DAY = "unknown"

Key = tuple[str, ...]
"""Model (or alias, or "all") and the four columns of a measure."""


@dataclass(frozen=True)
class GateResult:
    """The gate's verdict (pass | fail | not_enough_data), its declared rows, and what is only watched, worst first."""

    verdict: str
    rows: tuple[Row, ...]
    watch: tuple[Row, ...]
    notes: tuple[str, ...]

    @property
    def exit_code(self) -> int:
        return EXIT_CODES[self.verdict]


def judge(
    candidate: pa.Table,
    baseline: Sequence[pa.Table],
    policy: Policy,
    *,
    today: datetime.date,
    preview: frozenset[str] = frozenset(),
) -> GateResult:
    """Verdicts on the COUNT rows of all candidate runs together, against those of each accepted run.

    Raises ConfigurationError for a measure or model that neither side has, DataError where the versions of a declared measure
    differ. `preview` are the rules that never gate.
    """
    whole = pa.concat_tables(baseline)
    check_measures(policy, _names(candidate) | _names(whole), preview)
    notes = _check_versions(candidate, whole, policy)
    mine, other = (_compared(table, policy) for table in (candidate, whole))
    sides, others = (pooled(table, _keys(policy)) for table in (mine, other))
    keys = _declared_keys(sides.keys() | others.keys(), policy)
    evidence = _evidence(keys, (sides, others), _looks(mine, other, policy), policy)
    noise = _noise([_compared(table, policy) for table in baseline], policy)
    rows = [_row(key, evidence[key], policy, noise.get(key, math.nan)) for key in keys]
    rows, waived = _waive(rows, policy, today)
    watch = watched(candidate, whole, policy)
    return GateResult(_overall(rows), tuple(rows), watch, (*notes, *waived))


def _overall(rows: Sequence[Row]) -> str:
    verdicts = {row.verdict for row in rows} - {"not_applicable"}
    if "fail" in verdicts:
        return "fail"
    return "pass" if verdicts and "not_enough_data" not in verdicts else "not_enough_data"


def _names(counts: pa.Table) -> frozenset[str]:
    return frozenset(pc.unique(counts["measure"].cast(pa.string())).to_pylist())


def _check_versions(candidate: pa.Table, baseline: pa.Table, policy: Policy) -> tuple[str, ...]:
    """Notes on watched measures whose versions differ; DataError for a declared one."""
    versions: dict[tuple[str, str], set[str]] = {}
    for table in (candidate, baseline):
        for key in pooled(unsplit(table), MEASURE_KEYS):
            versions.setdefault((key[0], key[1]), set()).add(key[2])
    differ = sorted({name for (_, name), found in versions.items() if len(found) > 1})
    declared = ", ".join(name for name in differ if name in policy.measures)
    if declared:
        raise DataError(
            f"candidate and baseline were judged by different versions of the rules of {declared}, so they cannot be "
            "compared: judge the baseline's logs with this version and accept them again"
        )
    return (f"not compared, since their rules' versions differ: {', '.join(differ)}",) if differ else ()


def _compared(counts: pa.Table, policy: Policy) -> pa.Table:
    table = of_measures(counts, policy.measures)
    return of_cut(table, "served_model") if policy.compare_by == "served_model" else unsplit(table)


def _keys(policy: Policy) -> Key:
    column = {"model": ("model",), "served_model": ("cut_value",), "all": ()}[policy.compare_by]
    return (*column, *MEASURE_KEYS)


def _declared_keys(known: set[Key], policy: Policy) -> tuple[Key, ...]:
    """Every compared model with every declared measure."""
    measures = sorted({key[-4:] for key in known})
    if policy.compare_by == "all":
        return tuple(measures)
    models = sorted({key[0] for key in known})
    for model in policy.models:
        if model not in models:
            raise ConfigurationError(f"policy: models: {model!r} is on neither side; they have {', '.join(models)}")
    return tuple((model, *measure) for model in (sorted(policy.models) or models) for measure in measures)


def _evidence(
    keys: Sequence[Key],
    pools: tuple[dict[Key, Side], dict[Key, Side]],
    looks: Sequence[tuple[dict[Key, Side], dict[Key, Side]]],
    policy: Policy,
) -> dict[Key, Evidence]:
    found = {}
    for key in keys:
        sides = pools[0].get(key, NOTHING), pools[1].get(key, NOTHING)
        whole, first = (
            compare(*sides, margin=policy.ratio_margin, alpha=policy.alpha, positions=positions) for positions in (5, 1)
        )
        worse, not_inferior = whole.p_worse, whole.p_not_inferior
        if policy.mode == "sequential":
            pairs = [(mine.get(key, NOTHING), other.get(key, NOTHING)) for mine, other in looks]
            worse, not_inferior = sequential(pairs, margin=policy.ratio_margin)
        found[key] = Evidence(*sides, whole, first, worse, not_inferior)
    tested = [key for key in keys if found[key].candidate.turns or found[key].baseline.turns]
    adjusted = holm([found[key].p_adjusted for key in tested])
    return found | {key: replace(found[key], p_adjusted=value) for key, value in zip(tested, adjusted, strict=True)}


def _looks(
    candidate: pa.Table, baseline: pa.Table, policy: Policy
) -> tuple[tuple[dict[Key, Side], dict[Key, Side]], ...]:
    """Both sides as they had grown by the end of each day of the candidate; rows without a day belong to every look."""
    if policy.mode != "sequential":
        return ()
    days = sorted(set(pc.unique(candidate["day"].cast(pa.string())).to_pylist()) - {_ANY_DAY}) or [_ANY_DAY]
    return tuple(
        tuple(pooled(_until(table, day), _keys(policy)) for table in (candidate, baseline))  # type: ignore[misc]
        for day in days
    )


def _until(counts: pa.Table, day: str) -> pa.Table:
    days = counts["day"].cast(pa.string())
    return counts.filter(pc.or_(pc.less_equal(days, day), pc.equal(days, _ANY_DAY)))


def _noise(runs: Sequence[pa.Table], policy: Policy) -> dict[Key, float]:
    """The largest ratio of one accepted run to the others together, by key; empty for a single run."""
    if len(runs) < 2:
        return {}
    largest: dict[Key, float] = {}
    for index, run in enumerate(runs):
        rest = pooled(pa.concat_tables([*runs[:index], *runs[index + 1 :]]), _keys(policy))
        for key, side in pooled(run, _keys(policy)).items():
            ratio = compare(side, rest.get(key, NOTHING), margin=policy.ratio_margin, alpha=policy.alpha).ratio
            if math.isfinite(ratio):
                largest[key] = max(ratio, largest.get(key, 0.0))
    return largest


def _row(key: Key, evidence: Evidence, policy: Policy, noise: float) -> Row:
    decision: Decision = decide(evidence, policy)
    model = key[0] if policy.compare_by != "all" else "all"
    keys = {"scope": "gate", "dimension": policy.compare_by, "model": model, "against": model}
    keys |= dict(zip(MEASURE_KEYS, key[-4:], strict=True))
    row = row_of(
        keys,
        (evidence.candidate, evidence.baseline),
        evidence.whole,
        bar=policy.ratio_margin,
    )
    return replace(
        row,
        verdict=decision.verdict,
        reason=decision.reason,
        needed_conversations=decision.needed,
        needed_baseline_conversations=decision.needed_baseline,
        first_ratio=evidence.first.ratio,
        first_ratio_high=evidence.first.high,
        p_adjusted=evidence.p_adjusted,
        p_not_inferior=evidence.p_not_inferior,
        noise_ratio=noise,
    )


def _waive(rows: Sequence[Row], policy: Policy, today: datetime.date) -> tuple[list[Row], tuple[str, ...]]:
    """Rows with accepted failures marked, and a note on each waiver that waived nothing."""
    waivers = {waiver.fingerprint: waiver for waiver in policy.waivers}
    found, used = [], set()
    for row in rows:
        waiver = waivers.get(row.fingerprint)
        if waiver is None or row.verdict != "fail":
            found.append(row)
            continue
        used.add(row.fingerprint)
        if today <= waiver.expires:
            reason = f"waived until {waiver.expires}: {waiver.reason}; {row.reason}"
            found.append(replace(row, verdict="waived", reason=reason))
        else:
            found.append(replace(row, reason=f"its waiver expired on {waiver.expires}; {row.reason}"))
    return found, tuple(f"waiver {name} met no failure" for name in sorted(waivers.keys() - used))

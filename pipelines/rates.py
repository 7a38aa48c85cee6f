"""Rates with intervals, or the reason why there is none, from counts."""

from collections.abc import Mapping

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipelines.intervals import Bools, ClusterSums, Floats, RateIntervals, exact_interval, rate_intervals
from pipelines.schema import COUNT, RATE, USAGE

MINIMUM_COVERAGE = 0.2

METRIC_DEFINITIONS: Mapping[str, str] = {
    "reasoning_leak_rate": "responses with a boundary token or leaked reasoning / all responses whose body is logged",
    "tool_call_unparsed": "responses with call-shaped content and empty tool_calls / responses to requests that define tools",
    "tool_call_arguments_invalid": "responses whose call does not fit the tools' schemas / responses to requests that define tools",
    "structured_output_schema": "responses, not cut and not refused, that fail the requested format / responses to requests for a format",
    "structured_output_length": "responses with finish_reason length / responses to requests for a format",
    "remediation_strip": "responses from which the remediation layer stripped text / responses whose log shows that layer",
    "remediation_regenerate": "responses that the remediation layer had generated again / responses whose log shows that layer",
    "remediation_rescue": "responses whose call the remediation layer parsed from text / responses whose log shows that layer",
    "remediation_cap_exceeded": "responses that failed after the last allowed attempt / responses whose log shows that layer",
    "configured": "responses with reasoning or markers in the answer by configuration / all responses whose body is logged",
}
"""Headline metric → its definition in words, numerator / denominator."""

_REASONS = ("nothing_eligible", "low_coverage", "too_few_conversations", "too_few_leaking_conversations", None)

_KEYS = COUNT.names[: COUNT.names.index("records")]
_NUMBERS = (
    "records",
    "scannable",
    "responses",
    "turns",
    "leaked_turns",
    "estimated_leaked_turns",
    "clusters",
    "leaked_clusters",
    "sum_leaks_squared",
    "sum_leaks_turns",
    "sum_turns_squared",
    "sum_pairs",
    "conversations",
    "leaked_conversations",
)
"""Columns of COUNT that rates are made of."""


def rates(
    counts: pa.Table,
    *,
    coverage: pa.Table | None = None,
    minimum_coverage: float = MINIMUM_COVERAGE,
    precision: pa.Table | None = None,
) -> pa.Table:
    """RATE: a row for every COUNT row of a whole GROUP, and of a cut value where a turn could fire.

    Intervals are withheld (`low_coverage`) where the content of less than `minimum_coverage` of a group's records can be judged,
    and everywhere where so few of all items could be read at all (`coverage` is COVERAGE; what cannot be read has no group).
    `precision` (PRECISION) is that of audited rules; it stands beside the rate and corrects nothing.
    """
    table = counts.select([*_KEYS, *_NUMBERS])
    table = table.filter(pc.or_(pc.equal(table["cut"], "all"), pc.greater(table["turns"], 0))).combine_chunks()
    values = {name: _floats(table, name) for name in _NUMBERS}
    covered = _covered(values, coverage, minimum_coverage)
    found = rate_intervals(_cluster_sums(values))
    texts = {"reason": _reasons(values, found, covered), "definition": _definitions(table["measure"])}
    columns = _rate_columns(values, found, covered) | _precision_columns(table, precision)
    arrays = []
    for field in RATE:
        if field.name in texts:
            arrays.append(texts[field.name])
        elif field.name in columns:
            value = columns[field.name]
            arrays.append(pa.array(value, pa.float64(), mask=np.isnan(value)))
        else:
            arrays.append(table[field.name].cast(field.type))
    return pa.Table.from_arrays(arrays, schema=RATE)


def _rate_columns(values: Mapping[str, Floats], found: RateIntervals, covered: Bools) -> dict[str, Floats]:
    """Rates and intervals; NaN where there is none."""
    conversations, leaked = values["conversations"], values["leaked_conversations"]
    low, high = exact_interval(leaked, conversations)
    intervals = {
        "low": found.low,
        "high": found.high,
        "conversation_low": low,
        "conversation_high": high,
        "design_effect": found.design_effect,
    }
    with np.errstate(divide="ignore", invalid="ignore"):
        return {name: np.where(covered, value, np.nan) for name, value in intervals.items()} | {
            "rate": found.rate,
            "response_rate": values["leaked_turns"] / _or_nan(values["responses"]),
            "conversation_rate": leaked / conversations,
            "estimated_occurrences": np.where(values["turns"] > 0, values["estimated_leaked_turns"], np.nan),
        }


def _reasons(values: Mapping[str, Floats], found: RateIntervals, covered: Bools) -> pa.Array:
    """Why there is no interval, or only a bound; the first reason that holds."""
    holds = [values["turns"] == 0, ~covered, found.few_conversations, found.few_leaking]
    return pa.array(_REASONS, pa.string()).take(pa.array(np.select(holds, range(len(holds)), len(holds))))


def _definitions(measures: pa.ChunkedArray) -> pa.ChunkedArray:
    """The definition of each headline metric, null for other measures."""
    return pa.chunked_array([_defined(chunk) for chunk in measures.chunks], pa.string())


def _defined(measures: pa.DictionaryArray) -> pa.Array:
    names = measures.dictionary.to_pylist()
    return pa.array([METRIC_DEFINITIONS.get(name) for name in names], pa.string()).take(measures.indices)


def usage_shares(usage: pa.Table) -> pa.Table:
    """USAGE with the share of turns that reasoned and tokens per turn, each among the turns whose log shows it; null without any."""
    values = {name: _floats(usage, name) for name in USAGE.names if pa.types.is_integer(usage.schema.field(name).type)}
    ratios = {
        "reasoning_share": values["with_reasoning"] / _or_nan(values["reasoning_known"]),
        "reasoning_tokens_per_turn": values["reasoning_tokens"] / _or_nan(values["reasoning_tokens_known"]),
        "output_tokens_per_turn": values["output_tokens"] / _or_nan(values["output_tokens_known"]),
    }
    for name, ratio in ratios.items():
        usage = usage.append_column(name, pa.array(ratio, pa.float64(), mask=np.isnan(ratio)))
    return usage


def _or_nan(denominator: Floats) -> Floats:
    return np.where(denominator > 0, denominator, np.nan)


def _floats(table: pa.Table, name: str) -> Floats:
    return np.asarray(table[name].cast(pa.float64()).to_numpy())


def _cluster_sums(values: Mapping[str, Floats]) -> ClusterSums:
    return ClusterSums(
        turns=values["turns"],
        leaks=values["leaked_turns"],
        clusters=values["clusters"],
        leaked_clusters=values["leaked_clusters"],
        leaks_squared=values["sum_leaks_squared"],
        leaks_turns=values["sum_leaks_turns"],
        turns_squared=values["sum_turns_squared"],
        pairs=values["sum_pairs"],
    )


def _covered(values: Mapping[str, Floats], coverage: pa.Table | None, minimum: float) -> Bools:
    covered: Bools = values["scannable"] >= minimum * values["records"]
    if coverage is None:
        return covered
    accepted, rejected = (pc.sum(coverage[name]).as_py() or 0 for name in ("accepted", "rejected"))
    return covered & bool(accepted >= minimum * (accepted + rejected))


def _precision_columns(table: pa.Table, precision: pa.Table | None) -> dict[str, Floats]:
    """Precision with its exact interval for the rows of audited rules, by id and version; NaN elsewhere."""
    if precision is None or not len(precision):
        unknown = np.full(len(table), np.nan)
        return {"precision": unknown, "precision_low": unknown, "precision_high": unknown}
    audits: dict[tuple[str, str], tuple[int, int]] = {}
    for row in precision.to_pylist():
        audits[(row["measure"], row["measure_version"])] = (row["correct"], row["labels"])
    kinds, names, versions = (table[name].to_pylist() for name in ("measure_kind", "measure", "measure_version"))
    found = [
        audits.get((name, version), (0, 0)) if kind == "rule" else (0, 0)
        for kind, name, version in zip(kinds, names, versions, strict=True)
    ]
    correct, labels = np.array(found, np.float64).reshape(-1, 2).T
    low, high = exact_interval(correct, labels)
    with np.errstate(invalid="ignore"):
        return {"precision": correct / labels, "precision_low": low, "precision_high": high}

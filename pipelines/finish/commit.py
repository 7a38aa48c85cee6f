"""The last step: counts added up, rates, coverage and the manifest, and everything put in its place at once."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

import msgspec
import pyarrow as pa
import pyarrow.compute as pc

from pipelines import store
from pipelines.families import FAMILIES
from pipelines.finish.counts import counts_uri
from pipelines.finish.coverage import coverage_table
from pipelines.finish.parts import read_part_summary
from pipelines.finish.staged import one_chunk
from pipelines.fold import merge_counts, merge_usage, pool_days
from pipelines.job import Ledger, Options, ShardSummary
from pipelines.plan import Plan
from pipelines.precision import read_precision
from pipelines.rules import RULES
from pipelines.schema import UNKNOWN
from pipelines.shard.suspects import measures

DATASETS = ("detections", "turns", "duplicates", "rejects")
FILES = ("counts.parquet", "usage.parquet", "rates.parquet", "rates.csv", "coverage.parquet")
MANIFEST = "manifest.json"


@dataclass(frozen=True)
class Output:
    """What a finished run wrote, as tables and as the manifest says it."""

    folder: str
    coverage: pa.Table
    rates: pa.Table
    pooled: pa.Table
    """RATE with all days together."""
    manifest: Mapping[str, object]


def commit(output: str, options: Options, *, plan: Plan, ledger: Ledger, summaries: Iterable[ShardSummary]) -> Output:
    """Write what is missing and replace whatever the folder held; complete when the manifest is there."""
    from pipelines.rates import rates, usage_shares

    work = options.work
    buckets = range(ledger.conversation_buckets)
    counts = merge_counts([store.read_stream(counts_uri(work, "counts", bucket)) for bucket in buckets])
    usage = merge_usage([store.read_stream(counts_uri(work, "usage", bucket)) for bucket in buckets])
    parts = [read_part_summary(work, group) for group in range(len(ledger.groups))]
    coverage = coverage_table(
        ((decision.uri, decision.format) for decision in plan.decisions),
        [*(summary.coverage for summary in summaries), *(part.coverage for part in parts)],
    )
    precision = audited(options)
    published = rates(counts, coverage=coverage, precision=precision)
    tables = {
        "counts": one_chunk(counts),
        "usage": usage_shares(one_chunk(usage)),
        "rates": published,
        "coverage": coverage,
    }
    final = store.join(work, "final")
    for name, table in tables.items():
        store.write_parquet(store.join(final, f"{name}.parquet"), table)
    store.write_csv(store.join(final, "rates.csv"), published)
    duplicates = sum(
        store.rows_of_parquet(store.join(final, "duplicates", name))
        for name in store.names(store.join(final, "duplicates"))
    )
    rows = {name: sum(part.rows[name] for part in parts) for name in ("detections", "turns", "rejects")}
    rows |= {"duplicates": duplicates, **{name: len(table) for name, table in tables.items()}}
    manifest = _manifest(options, plan=plan, counts=counts, rows=rows, final=final)
    _replace(output, final, manifest)
    store.remove(work)
    pooled = rates(pool_days(counts), coverage=coverage, precision=precision)
    return Output(output, coverage, published, pooled, manifest)


def audited(options: Options) -> pa.Table | None:
    """PRECISION of the rules from the labels file that the options name, None without one. Raises ConfigurationError."""
    if options.labels is None:
        return None
    return read_precision(store.read(options.labels), options.labels, {rule.id: rule.version for rule in RULES})


def _manifest(
    options: Options, *, plan: Plan, counts: pa.Table, rows: Mapping[str, int], final: str
) -> dict[str, object]:
    days = pc.unique(counts["day"].cast(pa.string())).to_pylist()
    return {
        "inputs": {
            "digest": plan.digest,
            "files": len(plan.decisions),
            "bytes": sum(decision.size for decision in plan.decisions),
        },
        "options": {
            "evidence": options.evidence,
            "since": options.since,
            "until": options.until,
            "deployments": options.deployments,
            "mapping": options.mapping,
            "labels": options.labels,
        },
        "model": options.model,
        "days": sorted(day for day in days if day != UNKNOWN),
        "rows": dict(sorted(rows.items())),
        "parts": {name: store.names(store.join(final, name)) for name in DATASETS},
        **made_by(options.model),
    }


def made_by(model: str | None = None) -> dict[str, object]:
    """The code that judges: its version, rules, families, and the measures in the order of their bits."""
    return {
        "leakrate": _version(),
        "rules": {rule.id: rule.version for rule in RULES},
        "families": [family.name for family in FAMILIES],
        "measures": [[measure.kind, measure.name, measure.version, measure.tier] for measure in measures(model)],
    }


def _version() -> str:
    try:
        return version("leakrate")
    except PackageNotFoundError:
        return "not installed"


def _replace(output: str, final: str, manifest: Mapping[str, object]) -> None:
    """From here on the old output is gone; a run killed in here is finished by the next one."""
    store.remove(store.join(output, MANIFEST))
    for name in DATASETS:
        store.remove(store.join(output, name))
        for part in store.names(store.join(final, name)):
            store.move(store.join(final, name, part), store.join(output, name, part))
    for name in FILES:
        store.move(store.join(final, name), store.join(output, name))
    text = msgspec.json.format(msgspec.json.encode(manifest), indent=1)
    store.write(store.join(output, MANIFEST), text + b"\n")

"""The last step: counts added up, rates, coverage and the manifest, and everything put in its place at once."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
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
from pipelines.job import Ledger, Options, PartSummary, ShardSummary
from pipelines.plan import Plan
from pipelines.precision import read_precision
from pipelines.rules import RULES
from pipelines.schema import RATE, UNKNOWN
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
    counts = one_chunk(_merged(work, "counts", ledger.conversation_buckets, merge=merge_counts))
    usage = one_chunk(_merged(work, "usage", ledger.conversation_buckets, merge=merge_usage))
    parts = [read_part_summary(work, group) for group in range(len(ledger.groups))]
    coverage = coverage_table(
        ((decision.uri, decision.format) for decision in plan.decisions),
        [*(summary.coverage for summary in summaries), *(part.coverage for part in parts)],
    )
    rate = partial(rates, coverage=coverage, precision=audited(options))
    published = rate(counts)
    tables = {"counts": counts, "usage": usage_shares(usage), "rates": published, "coverage": coverage}
    final = store.join(work, "final")
    for name, table in tables.items():
        store.write_parquet(store.join(final, f"{name}.parquet"), table)
    store.write_csv(store.join(final, "rates.csv"), published)
    days = pc.unique(published["day"]).to_pylist()
    manifest = _manifest(options, plan=plan, days=days, rows=_rows(final, parts, tables), final=final)
    _replace(output, final, manifest)
    store.remove(work)
    pooled = _under_all(published) if len(days) == 1 else rate(pool_days(counts))
    return Output(output, coverage, published, pooled, manifest)


def _merged(work: str, table: str, buckets: int, *, merge: Callable[[Iterable[pa.Table]], pa.Table]) -> pa.Table:
    tables = [store.read_stream(counts_uri(work, table, bucket)) for bucket in range(buckets)]
    return tables[0] if buckets == 1 else merge(tables)


def _rows(final: str, parts: Iterable[PartSummary], tables: Mapping[str, pa.Table]) -> dict[str, int]:
    """Rows by table."""
    folder = store.join(final, "duplicates")
    rows = Counter({name: len(table) for name, table in tables.items()})
    rows.update(duplicates=sum(store.rows_of_parquet(store.join(folder, name)) for name in store.names(folder)))
    for part in parts:
        rows.update(part.rows)
    return dict(sorted(rows.items()))


def _under_all(rates: pa.Table) -> pa.Table:
    """RATE of one day as that of all days."""
    return rates.set_column(0, RATE.field("day"), pa.array(["all"] * len(rates), pa.string()))


def audited(options: Options) -> pa.Table | None:
    """PRECISION of the rules from the labels file that the options name, None without one. Raises ConfigurationError."""
    if options.labels is None:
        return None
    return read_precision(store.read(options.labels), options.labels, {rule.id: rule.version for rule in RULES})


def _manifest(
    options: Options, *, plan: Plan, days: Iterable[str], rows: Mapping[str, int], final: str
) -> dict[str, object]:
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
        "rows": rows,
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

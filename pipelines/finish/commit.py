"""The last step: counts added up, rates, coverage and the manifest, and everything put in its place at once."""

from collections import Counter
from collections.abc import Iterable, Mapping
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
from pipelines.finish.rated import write_rated
from pipelines.finish.staged import one_chunk
from pipelines.fold import merge_usage
from pipelines.job import Ledger, Options, PartSummary, ShardSummary
from pipelines.outputs import MANIFEST
from pipelines.plan import Plan
from pipelines.precision import read_precision
from pipelines.rules import RULES
from pipelines.schema import LOSSES, UNKNOWN
from pipelines.shard.suspects import measures

DATASETS = ("detections", "turns", "duplicates", "rejects")
FILES = ("counts.parquet", "usage.parquet", "rates.parquet", "rates.csv", "coverage.parquet")


@dataclass(frozen=True)
class Output:
    """What a finished run wrote, as tables and as the manifest says it."""

    folder: str
    coverage: pa.Table
    unsplit: pa.Table
    """RATE of whole groups, by day."""
    pooled: pa.Table
    """RATE with all days together."""
    manifest: Mapping[str, object]

    @property
    def rates(self) -> pa.Table:
        """RATE by day, as it lies in the folder."""
        return store.read_parquet(store.join(self.folder, "rates.parquet"))


def commit(output: str, options: Options, *, plan: Plan, ledger: Ledger, summaries: Iterable[ShardSummary]) -> Output:
    """Write what is missing and replace whatever the folder held; complete when the manifest is there."""
    from pipelines.rates import rates, usage_shares

    work = options.work
    parts = [read_part_summary(work, group) for group in range(len(ledger.groups))]
    coverage = coverage_table(
        ((decision.uri, decision.format) for decision in plan.decisions),
        [*(summary.coverage for summary in summaries), *(part.coverage for part in parts)],
    )
    final, buckets = store.join(work, "final"), ledger.conversation_buckets
    rate = partial(rates, coverage=coverage, precision=audited(options))
    rated = write_rated(work, final, buckets=buckets, rate=rate)
    usage = merge_usage([store.read_stream(counts_uri(work, "usage", bucket)) for bucket in range(buckets)])
    tables = {"usage": usage_shares(one_chunk(usage)), "coverage": coverage}
    for name, table in tables.items():
        store.write_parquet(store.join(final, f"{name}.parquet"), table)
    days = pc.unique(rated.unsplit["day"]).to_pylist()
    rows = _rows(final, parts) | {"counts": rated.counts, "rates": rated.rates}
    rows |= {name: len(table) for name, table in tables.items()}
    manifest = _manifest(options, plan=plan, incomplete=_incomplete(coverage), days=days, rows=rows, final=final)
    _replace(output, final, manifest)
    store.remove(work)
    return Output(output, coverage, rated.unsplit, rated.pooled, manifest)


def _incomplete(coverage: pa.Table) -> int:
    """How many files were not read to their end."""
    rows = zip(coverage["source_uri"].to_pylist(), coverage["detail"].to_pylist(), strict=True)
    return len({uri for uri, detail in rows if any(name in LOSSES for name, _ in detail)})


def _rows(final: str, parts: Iterable[PartSummary]) -> dict[str, int]:
    """Rows of the tables that lie in parts."""
    folder = store.join(final, "duplicates")
    duplicates = sum(store.rows_of_parquet(store.join(folder, name)) for name in store.names(folder))
    rows = Counter({"duplicates": duplicates})
    for part in parts:
        rows.update(part.rows)
    return dict(rows)


def audited(options: Options) -> pa.Table | None:
    """PRECISION of the rules from the labels file that the options name, None without one. Raises ConfigurationError."""
    if options.labels is None:
        return None
    return read_precision(store.read(options.labels), options.labels, {rule.id: rule.version for rule in RULES})


def _manifest(
    options: Options, *, plan: Plan, incomplete: int, days: Iterable[str], rows: Mapping[str, int], final: str
) -> dict[str, object]:
    return {
        "inputs": {
            "digest": plan.digest,
            "files": len(plan.decisions),
            "incomplete": incomplete,
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

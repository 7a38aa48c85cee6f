"""New parts of a store, and what was read of each file, from the shards of a plan."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import msgspec

from pipelines.history.parts import adopt, measures_name
from pipelines.history.state import Part, Source
from pipelines.job import Options, Seen, ShardSummary
from pipelines.leak_rates import Engine, read_shards
from pipelines.plan import Plan
from pipelines.shard.suspects import measures


@dataclass(frozen=True)
class Reading:
    """New parts by number, and the files that were read, by URI."""

    parts: dict[int, Part]
    sources: dict[str, Source]


def read_into_parts(
    folder: str, options: Options, *, plan: Plan, first: int, start: Source, engine: Engine, seen: Seen
) -> Reading:
    """Read the plan's files into parts numbered from `first`. `start`: what all of its files have in common."""
    ledger, summaries = read_shards(options, plan=plan, engine=engine, seen=seen)
    filled = {summary.sid for summary in summaries if summary.turns or summary.rejects}
    name = measures_name(measures(options.model))
    parts: dict[int, Part] = {}
    parts_of: dict[str, list[int]] = {}
    days_of: dict[str, set[str]] = {}
    for number, shard in enumerate((one for one in ledger.shards if one.sid in filled), first):
        adopted = adopt(folder, number, work=options.work, shard=shard, measures=name)
        parts[number] = adopted.part
        for uri, days in adopted.days_of.items():
            parts_of.setdefault(uri, []).append(number)
            days_of.setdefault(uri, set()).update(days)
    coverage = _by_source(summaries)
    sources = {}
    for decision in plan.decisions:
        counts = coverage.get(decision.uri) or {decision.format: Counter()}
        sources[decision.uri] = msgspec.structs.replace(
            start,
            joins=decision.joins,
            lends=decision.lends,
            parts=tuple(parts_of.get(decision.uri, ())),
            days=tuple(sorted(days_of.get(decision.uri, ()))),
            coverage=tuple((name, dict(sorted(count.items()))) for name, count in sorted(counts.items())),
        )
    return Reading(parts, sources)


def _by_source(summaries: Iterable[ShardSummary]) -> dict[str, dict[str, Counter[str]]]:
    found: dict[str, dict[str, Counter[str]]] = {}
    for summary in summaries:
        for uri, name, counts in summary.coverage:
            found.setdefault(uri, {}).setdefault(name, Counter()).update(counts)
    return found

"""The main job on any engine: from inputs to an output folder with turns, findings, counts, rates and coverage.

An engine is where tasks run, here or elsewhere. What a task leaves lies in the store, so an engine moves only small values, and a run
that was killed goes on where it was. The later steps are imported behind the shards, which so begin a quarter of a second earlier.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

from pipelines import deployments, store
from pipelines.errors import ConfigurationError
from pipelines.job import Ledger, Options, Seen, Shard, ShardSummary, Stage, Step
from pipelines.outputs import MANIFEST, STATE, check_window
from pipelines.plan import Plan

if TYPE_CHECKING:
    from pipelines.finish.commit import Output

WORK = "_work"
MARK = "leakrate"
"""The file in a folder of unfinished work that says whose it is."""
UNFINISHED = b"unfinished work of a run; the same command goes on with it\n"
"""What stands in it."""


class Engine(Protocol):
    """Where tasks run. `shards` yields a summary as each shard is done; `steps` returns when all are.

    An engine that knows what its shards have read so far tells `seen`; the summaries it only yields.
    """

    def shards(self, shards: Sequence[Shard], options: Options, seen: Seen) -> Iterable[ShardSummary]: ...

    def steps(self, step: Callable[[Step], object], tasks: Sequence[Step]) -> None: ...


def check_options(options: Options) -> None:
    """Raise ConfigurationError for wrong days or a deployments or labels file that cannot be used, before any work."""
    check_window(options.since, options.until)
    deployments.load(options.deployments, store.read)
    if options.model is not None:
        from pipelines.scored import open_model

        open_model(options.model)
    if options.labels is not None:
        from pipelines.finish.commit import audited

        audited(options)


def claim(output: str, *, fresh: bool) -> str:
    """The folder for unfinished work in an output that is new, empty or ours.

    Raises ConfigurationError for a folder with anything else in it, before anything in it is touched.
    """
    work = store.join(output, WORK)
    names = store.names(output)
    if STATE in names:
        raise ConfigurationError(f"--output {output}: the folder is a store; name a new one, or use --store")
    ours = MANIFEST in names and MARK.encode() in store.read(store.join(output, MANIFEST))
    if names and not ours and not store.exists(store.join(work, MARK)):
        raise ConfigurationError(f"--output {output}: the folder holds what leakrate did not write; name a new one")
    if fresh:
        store.remove(work)
    store.write(store.join(work, MARK), UNFINISHED)
    return work


def leak_rates(output: str, options: Options, *, plan: Plan, engine: Engine, seen: Seen = lambda _: None) -> "Output":
    """Run the plan and put the result in place; `seen` is told of what is read, of each shard that is done, and of later steps."""
    ledger, summaries = read_shards(options, plan=plan, engine=engine, seen=seen)
    from pipelines.finish import commit, find_duplicates, fold_counts, write_part
    from pipelines.finish.chains import write_links

    write_links(options.work, ledger)
    for name, step, count in (
        ("looking for duplicates", find_duplicates, ledger.key_buckets),
        ("writing turns and findings", write_part, len(ledger.groups)),
        ("counting", fold_counts, ledger.conversation_buckets),
    ):
        seen(Stage(name))
        engine.steps(step, [Step(number, options.work) for number in range(count)])
    seen(Stage("rates"))
    return commit(output, options, plan=plan, ledger=ledger, summaries=summaries)


def read_shards(
    options: Options, *, plan: Plan, engine: Engine, seen: Seen = lambda _: None
) -> tuple[Ledger, list[ShardSummary]]:
    """Read all shards of the plan into the work folder, those with partners first; the ledger of what lies there."""
    summaries = []
    for shards in (plan.scatter, plan.shards):
        for summary in engine.shards(shards, options, seen):
            seen(summary)
            summaries.append(summary)
    from pipelines.finish import write_ledger

    ledger = write_ledger(options.work, (*plan.scatter, *plan.shards), summaries, model=options.model)
    return ledger, summaries

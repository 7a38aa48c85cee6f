"""leakrate run: judge gateway logs and write leak rates."""

import logging
import os
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from pipelines.cli.reject_rate import max_reject_rate
from pipelines.cli.writable import check_writable
from pipelines.errors import ConfigurationError

if TYPE_CHECKING:
    from pipelines.finish.commit import Output
    from pipelines.plan import Plan


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@click.option("--output", help="Folder or URL for the result of this run.")
@click.option("--store", help="Folder or URL of a history that grows by the day; instead of --output.")
@click.option("--partition", type=click.Choice(["day"]), default="day", show_default=True, help="How the store is cut.")
@click.option(
    "--lookback",
    type=click.IntRange(min=0),
    help="Days before the newest one of the store that are folded anew in any case.  [default: 2]",
)
@click.option(
    "--format", "log_format", default="auto", show_default=True, help="Format of all inputs; auto: by their shape."
)
@click.option("--mapping", help="Your own field mapping (TOML) for logs that no format knows.")
@click.option("--labels", help="Labelled findings (JSONL or CSV): the audited precision of rules beside their rates.")
@click.option("--deployments", help="Deployment history: engine, version and template behind each model id.")
@click.option("--since", help="First day, YYYY-MM-DD, inclusive.")
@click.option("--until", help="Last day, YYYY-MM-DD, inclusive.")
@click.option("--workers", type=click.IntRange(min=1), help="Processes of this machine.  [default: the cores]")
@click.option("--runner", help="Run on Beam with this runner; Beam's options may follow as --name=value.")
@click.option("--evidence", type=click.Choice(["none", "hash", "excerpt"]), default="hash", show_default=True)
@click.option("--model", help="Classifier beside the rules: default, or a model folder.")
@max_reject_rate
@click.option("--metrics", help="Write the OpenMetrics text there too, as for the textfile collector of node_exporter.")
@click.option("--fresh", is_flag=True, help="Begin anew instead of going on where a killed run was.")
@click.option("--quiet", is_flag=True, help="Print errors only.")
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
def command(inputs: tuple[str, ...], **asked: Any) -> int:
    """Judge the logs INPUT... (files, globs, folders or URLs) and write leak rates.

    Exit codes: 0 done; 2 wrong use or a missing input, before any work; 3 more rejects than --max-reject-rate, or a file that could not
    be read to its end: everything else is written.
    """
    # numpy multiplies no matrices here, and starting threads takes 0.05 s
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    paths = [name for name in inputs if not name.startswith("--")]
    beam_options = [name for name in inputs if name.startswith("--")]
    _check_place(asked)
    check_writable({"--metrics": asked["metrics"]})
    logging.getLogger("leakrate").setLevel(logging.ERROR if asked["quiet"] else logging.WARNING)
    engine = _engine(asked["runner"], beam_options, asked["workers"])
    if asked["store"] is None:
        return _run(paths, asked, engine=engine)
    from pipelines.cli.run_store import run_store

    return run_store(paths, asked, engine=engine)


def _check_place(asked: Mapping[str, Any]) -> None:
    if (asked["output"] is None) == (asked["store"] is None):
        raise ConfigurationError(
            "--output or --store: give one of them, a folder for one run or one that grows by the day"
        )
    for name in ("output", "store"):
        if asked[name] is not None and not asked[name].strip():
            raise ConfigurationError(f"--{name}: is empty; name a folder")
    if asked["output"] is not None and asked["lookback"] is not None:
        raise ConfigurationError("--lookback: only with --store; an output holds one run")


def _run(paths: list[str], asked: Mapping[str, Any], *, engine: Any) -> int:
    """What prints and draws is imported behind the run, which so begins earlier."""
    from pipelines import leak_rates, plan, store
    from pipelines.cli.run_progress import reporter
    from pipelines.job import Options

    options = Options(
        work=store.join(asked["output"], leak_rates.WORK),
        **{name: asked[name] for name in ("deployments", "mapping", "labels", "model", "evidence", "since", "until")},
    )
    leak_rates.check_options(options)
    found = plan.plan(paths, options, format=asked["log_format"])
    with store.exclusive(asked["output"]):
        leak_rates.claim(asked["output"], fresh=asked["fresh"])
        with reporter(found, quiet=asked["quiet"] or asked["as_json"]) as seen:
            output = leak_rates.leak_rates(asked["output"], options, plan=found, engine=engine, seen=seen)
    return _present(output, found, asked)


def _present(output: "Output", found: "Plan", asked: Mapping[str, Any]) -> int:
    from pipelines.cli import run_summary
    from pipelines.cli.report_of_outputs import write_report_of

    write_report_of(output)
    _write_metrics(output, asked["metrics"])
    summary = run_summary.summarise(output, found)
    if asked["as_json"]:
        run_summary.print_json(summary)
    elif not asked["quiet"]:
        run_summary.print_text(summary)
    return run_summary.exit_code(summary, asked["max_reject_rate"])


def _write_metrics(output: "Output", file: str | None) -> None:
    from pipelines.cli.metrics_of_outputs import write_metrics
    from pipelines.history.state import last_day

    now = time.time()
    days = {day for day in output.unsplit["day"].to_pylist() if day <= last_day(now)}
    write_metrics(output.folder, file, output.pooled, output.coverage, days=days, finished=now)


def _engine(runner: str | None, beam_options: list[str], workers: int | None) -> Any:
    if runner is not None:
        from pipelines.beam.refused import check_runner

        check_runner(runner)
        logging.disable(logging.WARNING)  # Beam tells while it is imported which packages for other clouds it misses
        from pipelines.beam.leak_rates import BeamEngine
        from pipelines.beam.options import check_options

        logging.disable(logging.NOTSET)
        check_options(beam_options, [name for option in command.params for name in option.opts])
        return BeamEngine(runner, tuple(beam_options))
    if beam_options:
        raise ConfigurationError(f"{beam_options[0]}: no such option; `leakrate run --help` lists them")
    from pipelines.local import Local

    return Local(workers or os.cpu_count() or 1)

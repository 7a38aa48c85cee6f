"""`leakrate gate`: whether a candidate leaks more than the baseline, and whether there is enough data to say so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from pipelines.cli.reject_rate import max_reject_rate

if TYPE_CHECKING:
    from pipelines.gate import GateResult, Policy

_WRITTEN = ("junit", "markdown", "json_file", "parquet")


@click.command(name="gate")
@click.argument("candidates", nargs=-1, required=True, metavar="CANDIDATE...")
@click.option(
    "--baseline", required=True, metavar="B", help="A file of `leakrate baseline accept`, or one output folder."
)
@click.option("--policy", "policy_file", metavar="FILE", help="TOML; without it the default policy, which is printed.")
@click.option("--junit", metavar="FILE", help="Write JUnit XML.")
@click.option("--markdown", metavar="FILE", help="Write Markdown, as for a pull request.")
@click.option("--json", "json_file", metavar="FILE", help="Write everything as JSON.")
@click.option("--parquet", metavar="FILE", help="Write the VERDICT table.")
@click.option("--since", metavar="DAY", help="First day of the candidate, YYYY-MM-DD, inclusive.")
@click.option("--until", metavar="DAY", help="Last day of the candidate, inclusive.")
@max_reject_rate
@click.option("--quiet", is_flag=True, help="Print nothing but errors.")
def command(candidates: tuple[str, ...], baseline: str, policy_file: str | None, quiet: bool, **options: Any) -> int:
    """Compare the runs in the output folders or stores CANDIDATE... with a baseline: pass, fail or not enough data.

    Compared are first leaks of conversations by position, per model. Exit codes: 0 pass; 1 fail; 2 wrong use or something does not
    exist; 3 a run or baseline is unfinished or cannot be compared; 4 not enough data, with how many conversations are still needed.
    """
    import datetime

    import pyarrow as pa

    from pipelines import gate
    from pipelines.baseline import check_versions, load_runs, read_baseline, window
    from pipelines.cli.writable import check_writable
    from pipelines.rules import RULES

    check_writable({f"--{name.removesuffix('_file')}": options[name] for name in _WRITTEN})
    policy = _policy(policy_file)
    taken = window(options["since"], options["until"], options["max_reject_rate"])
    runs = load_runs(candidates, taken)
    accepted = read_baseline(baseline, maximum_reject_rate=taken.maximum_reject_rate)
    check_versions(accepted)
    result = gate.judge(
        pa.concat_tables([run.counts for run in runs]),
        [run.counts for run in accepted],
        policy,
        today=datetime.datetime.now(datetime.UTC).date(),
        preview=frozenset(rule.id for rule in RULES if rule.status == "preview"),
    )
    _write(result, policy, options)
    if not quiet:
        from pipelines.gate.present import as_text

        click.echo(as_text(result, policy))
    return result.exit_code


def _policy(file: str | None) -> Policy:
    from pipelines import store
    from pipelines.errors import ConfigurationError
    from pipelines.gate import Policy, read_policy

    if file is None:
        return Policy()
    try:
        text = store.read(file).decode()
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"{file} is not UTF-8 text") from error
    return read_policy(text, file)


def _write(result: GateResult, policy: Policy, options: dict[str, object]) -> None:
    from pipelines import store
    from pipelines.gate import present, verdict_table

    if options["junit"]:
        store.write(str(options["junit"]), present.as_junit(result).encode())
    if options["markdown"]:
        store.write(str(options["markdown"]), present.as_markdown(result, policy).encode())
    if options["json_file"]:
        store.write(str(options["json_file"]), present.as_json(result, policy).encode())
    if options["parquet"]:
        store.write_parquet(str(options["parquet"]), verdict_table([*result.rows, *result.watch]))

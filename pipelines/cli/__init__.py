"""The `leakrate` command: one module per subcommand, imported only when it is called."""

import gc
import sys
from importlib import import_module

import click

from pipelines.errors import DataError, LeakrateError

COMMANDS = {
    "run": "judge gateway logs and write leak rates",
    "rules": "what each rule catches, misses and advises",
    "formats": "log formats, and what is understood of a file",
    "families": "what a model id resolves to",
    "catalogue": "write the generated parts of the documentation",
    "score-cases": "precision and recall on a file of cases",
    "baseline": "accept runs as the baseline of the gate",
    "gate": "compare a candidate with a baseline: pass, fail or not enough data",
    "report": "write the report of one or several outputs",
    "status": "which days of a store are complete",
    "train": "train a classifier on labelled examples",
    "evaluate": "judge a classifier on labelled examples",
}
"""Subcommand → one line of help. Module: `pipelines.cli.<name with underscores>`, attribute `command`."""

OBJECTS_BEFORE_COLLECTING = 100_000
"""Imports make many objects and no garbage: with Python's 700, looking for it takes a tenth of a second before the first shard."""


class _Lazy(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"pipelines.cli.{cmd_name.replace('-', '_')}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120})
@click.version_option(package_name="leakrate", prog_name="leakrate")
def group() -> None:
    """Leak rates of reasoning, boundary tokens and tool calls, measured from LLM gateway logs."""


def main() -> None:
    """Run the command line; a LeakrateError becomes its sentence on stderr and its exit code."""
    gc.set_threshold(OBJECTS_BEFORE_COLLECTING)
    try:
        sys.exit(group(standalone_mode=False) or 0)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except click.Abort:
        click.echo("stopped; a rerun of the same command goes on where this one was", err=True)
        sys.exit(130)
    except LeakrateError as error:
        click.echo(f"leakrate: {error}", err=True)
        sys.exit(error.exit_code)
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        click.echo(f"leakrate: {place}{error.strerror or type(error).__name__}; the result is not complete", err=True)
        sys.exit(DataError.exit_code)

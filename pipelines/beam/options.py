"""Which options may follow --runner: those that Beam knows; a misspelt one is refused before any work."""

# mypy: disable-error-code="no-untyped-call"
import argparse
import difflib
from collections.abc import Sequence
from typing import Any, NoReturn

from apache_beam.options.pipeline_options import PipelineOptions

from pipelines.errors import ConfigurationError
from pipelines.visible import visible


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise ConfigurationError(
            f"--runner: Beam refuses its options: {visible(message, 200)}; write them as --name=value"
        )


def check_options(arguments: Sequence[str], own: Sequence[str] = ()) -> None:
    """Raise ConfigurationError for an argument that no options class of Beam declares; `own`: options that may have been meant."""
    parser: Any = _Parser(allow_abbrev=False, add_help=False)
    for declares in PipelineOptions.__subclasses__():
        declares._add_argparse_args(parser)  # what Beam does itself to read them
    _, unknown = parser.parse_known_args(list(arguments))
    if not unknown:
        return
    name = unknown[0].split("=", 1)[0]
    near = difflib.get_close_matches(name, (*own, *parser._option_string_actions), n=1)
    meant = f"; did you mean {near[0]}" if near else ""
    raise ConfigurationError(f"{visible(name, 60)}: neither an option of `leakrate run` nor of Beam{meant}")

"""The option --max-reject-rate, as every command that has it reads it."""

import math

import click


def _known(context: click.Context, parameter: click.Parameter, value: float) -> float:
    if math.isnan(value):
        raise click.BadParameter("nan is no number from 0 to 1, and would allow anything", context, parameter)
    return value


max_reject_rate = click.option(
    "--max-reject-rate",
    type=click.FloatRange(0, 1),
    default=0.05,
    show_default=True,
    callback=_known,
    help="Share of items that may be rejected.",
)

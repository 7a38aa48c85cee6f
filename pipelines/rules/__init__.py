"""RULES: what counts as a leak, one value per rule; the order is the order of their bits in the TURN table."""

from pipelines.rules.rule import Rule

RULES: tuple[Rule, ...] = ()

"""What the report says about a rule: the sections of its docstring, what to do and how to check it."""

from collections.abc import Mapping

from pipelines.rules import RULES
from pipelines.rules.describe import sections, summary
from pipelines.rules.rule import Rule


def advice() -> Mapping[str, Mapping[str, str]]:
    """Rule id → title, why, misses, false_alarms, layers, action, verify."""
    return {rule.id: _advice(rule) for rule in RULES}


def _advice(rule: Rule) -> Mapping[str, str]:
    said = sections(rule)
    return {
        "title": summary(rule),
        "why": said.get("Why it matters", ""),
        "misses": said.get("Misses", ""),
        "false_alarms": said.get("False alarms", ""),
        "layers": ", ".join(layer.replace("_", " ") for layer in rule.layers),
        "action": rule.action,
        "verify": rule.verify,
    }

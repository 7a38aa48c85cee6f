"""What the report says about a rule: the sections of its docstring, what to do and how to check it."""

from collections.abc import Mapping

from pipelines.rules import RULES
from pipelines.rules.rule import Rule

SECTIONS = {"Why it matters": "why", "Misses": "misses", "False alarms": "false_alarms"}


def advice() -> Mapping[str, Mapping[str, str]]:
    """Rule id → title, why, misses, false_alarms, layers, action, verify."""
    return {rule.id: _advice(rule) for rule in RULES}


def _advice(rule: Rule) -> Mapping[str, str]:
    sections = dict.fromkeys(SECTIONS.values(), "")
    title, current = "", None
    for line in rule.doc.strip().splitlines():
        heading, colon, rest = line.partition(":")
        if colon and heading[:1].isupper() and heading in ("Catches", "Likely layers", *SECTIONS):
            current = SECTIONS.get(heading)
            line = rest
        elif current is None and not title:
            title = line.strip()
        if current is not None and line.strip():
            sections[current] = f"{sections[current]} {line.strip()}".strip()
    layers = ", ".join(layer.replace("_", " ") for layer in rule.layers)
    return {"title": title, "layers": layers, "action": rule.action, "verify": rule.verify, **sections}

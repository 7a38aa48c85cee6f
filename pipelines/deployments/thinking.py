"""Whether one turn was asked to think: on, off or unknown."""

from collections.abc import Mapping

from pipelines.families import Family
from pipelines.schema import Identity, Record

SWITCHES = ("enable_thinking", "thinking", "thinking_mode", "reasoning")
"""Template variables that switch thinking, in the order in which they are asked."""

_ON = frozenset({"true", "on", "enabled", "enable", "yes", "thinking"})
_OFF = frozenset({"false", "off", "disabled", "disable", "no", "chat", "none", "no_think"})


def thinking_mode(record: Record, identity: Identity, family: Family | None) -> str:
    """on | off | unknown: the request's template variables, else its effort, else the server's default, else the family's.

    An effort is on unless it is `none` (or Hunyuan's `no_think`), as vLLM maps it.
    """
    asked = from_variables(record.chat_template_kwargs or {}) or from_effort(record.reasoning_effort)
    if asked is not None:
        return asked
    if identity.server_thinking is not None:
        return "on" if identity.server_thinking else "off"
    return _family_default(family, identity.engine)


def from_variables(variables: Mapping[str, object]) -> str | None:
    """What template variables ask for; None when none of them speaks of thinking. `adaptive` leaves it to the model: unknown."""
    for name in SWITCHES:
        value = variables.get(name)
        if isinstance(value, Mapping):
            value = value.get("type")
        if isinstance(value, bool):
            return "on" if value else "off"
        if isinstance(value, str):
            word = value.strip().lower()
            return "on" if word in _ON else "off" if word in _OFF else "unknown"
    effort = variables.get("reasoning_effort")
    return from_effort(effort) if isinstance(effort, str) else None


def from_effort(effort: str | None) -> str | None:
    """What a reasoning effort asks for; None when there is none."""
    word = (effort or "").strip().lower()
    if not word or word in ("auto", "default", "adaptive"):
        return None
    return "off" if word in _OFF else "on"


def _family_default(family: Family | None, engine: str) -> str:
    if family is None:
        return "unknown"
    default = family.thinking_default
    if engine == "sglang" and family.thinking_default_sglang is not None:
        default = family.thinking_default_sglang
    return {"on": "on", "always": "on", "off": "off", "none": "off"}.get(default, "unknown")

"""The actions of a remediation layer that a gateway logged: guardrail information, or a team's own metadata."""

from pipelines.formats.values import Mapping, decoded, mapping, sequence, text, whole
from pipelines.schema import Remediation

ACTIONS = {
    "strip": "strip",
    "stripped": "strip",
    "regenerate": "regenerate",
    "regenerated": "regenerate",
    "retry_with_feedback": "regenerate",
    "rescue": "rescue",
    "rescued": "rescue",
    "cap_exceeded": "cap_exceeded",
}


def read_remediation(*sources: object) -> tuple[tuple[Remediation, ...], bool]:
    """The actions in the sources, and whether any source says that a remediation layer is logged at all.

    A source is one entry or a list of entries, objects or JSON text; an entry names its `action` (or `remediation_action`) and
    perhaps `extra_tokens`, itself or inside LiteLLM's `guardrail_response`.
    """
    found: list[Remediation] = []
    visible = False
    for source in map(decoded, sources):
        for entry in sequence(source) or ([source] if source else []):
            given = mapping(decoded(entry)) or {"action": entry}
            responses = decoded(given.get("guardrail_response"))
            for holder in (given, *(sequence(responses) or [responses])):
                action = _action(mapping(holder))
                found.extend([action] if action else [])
            visible |= bool(given)
    return tuple(found), visible


def _action(given: Mapping) -> Remediation | None:
    name = ACTIONS.get((text(given.get("action")) or text(given.get("remediation_action")) or "").lower())
    return Remediation(name, max(0, whole(given.get("extra_tokens")) or 0)) if name else None

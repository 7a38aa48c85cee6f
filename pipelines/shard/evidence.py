"""Evidence of a finding: nothing, a hash of the text it covers, or a short excerpt of it, as the run was asked."""

from hashlib import blake2b

from pipelines.rules.rule import Turn
from pipelines.schema import Finding

LONGEST_EXCERPT = 200


def evidence(finding: Finding, turn: Turn, kind: str) -> str | None:
    """None where the run keeps no evidence, or where the finding's channel is no single text."""
    texts = {"content": turn.content, "reasoning": turn.reasoning}
    if kind == "none" or finding.channel not in texts:
        return None
    covered = texts[finding.channel][finding.start : finding.end]
    if kind == "excerpt":
        return covered if len(covered) <= LONGEST_EXCERPT else covered[: LONGEST_EXCERPT - 1] + "…"
    return blake2b(covered.encode("utf-8", "replace"), digest_size=8).hexdigest()

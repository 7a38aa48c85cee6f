"""The layer that a finding points to once the engine's own text is known: the engine produced it, or something behind the engine did.

Engine logs print the text before the parsers, so a marker in it is normal and proves nothing by itself; but text that reached the
answer and stands in no engine text was put there later, by a parser that rewrites or by the gateway.
"""

from pipelines.schema import Finding, Record

ENGINE_LAYERS = ("model", "chat_template", "engine_parser")
SHORTEST = 3
"""Fewer characters stand in any text."""


def layer_of(finding: Finding, record: Record) -> str:
    """The finding's layer: an engine layer where the engine's text has the same words, `gateway` where it has not."""
    if record.raw_text is None or (finding.configured and finding.layer_hint == "gateway"):
        return finding.layer_hint
    text = {"content": record.content, "reasoning": record.reasoning}.get(finding.channel)
    if text is None:
        return finding.layer_hint
    found = text[finding.start : finding.end].strip()
    if len(found) < SHORTEST:
        return finding.layer_hint
    if found in record.raw_text:
        return finding.layer_hint if finding.layer_hint in ENGINE_LAYERS else "engine_parser"
    return "gateway"

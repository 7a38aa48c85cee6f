"""The answer after its repair: the content without what leaked, and the calls that were meant."""

import json
from collections.abc import Iterable
from typing import cast

import re2

from pipelines.rules.arguments import fault_of, fit
from pipelines.rules.call_syntax import Envelope
from pipelines.rules.deltas import streamed_content
from pipelines.rules.rule import Span, Turn, once
from pipelines.rules.views.intervals import merge
from pipelines.rules.views.well_formed import well_formed_value
from pipelines.schema import Finding, ToolCall

_CLAIMS = re2.compile(
    r"<tool_response>|<function_results>|tool[▁_ ]outputs?[▁_ ]begin|\[TOOL_RESULTS\]|<TOOL_RESPONSE>|<\|observation\|>|<\|tool_response"
    r"|(?m)^\s*(?:Observation|Tool result|Result|Output)\s*:"
)
"""Results that the model wrote itself behind a call: executing the call would contradict them."""
_REPORTS = re2.compile(
    r"(?i)\b(?:i have|i've|done\b|has been|have been|successfully|according to|the results? (?:is|are|show)"
    r"|as you can see|ich habe|erledigt|wurde|"
    r"j'ai|c'est fait|he (?:enviado|creado|encontrado)|listo|foi |feito|ho \w+to|fatto)\b|已(?:经|成功)?|完成了|しました"
    r"|했습니다|완료|готово|выполнен|تم |हो गया"
)
_NUMBER = re2.compile(r"\d+(?:[.,:]\d+)*")


def clean_content(turn: Turn, findings: Iterable[Finding]) -> str | None:
    """The content without the places of its findings, trimmed; None when one of them needs another answer."""
    places = []
    for finding in findings:
        moved = moved_answer(turn, finding)
        if moved is not None:
            return moved.strip()
        if finding.repair == "regenerate":
            return None
        if finding.channel == "content" and finding.repair in ("strip", "rescue"):
            places.append((finding.start, finding.end))
    parts, last = [], 0
    for start, end in merge(places):
        parts.append(turn.content[last:start])
        last = end
    parts.append(turn.content[last:])
    return _joined(parts).strip()


def moved_answer(turn: Turn, finding: Finding) -> str | None:
    """The answer that a finding saves from where it does not belong: the reasoning field, or the stream that the message lost text of."""
    if finding.repair != "rescue":
        return None
    if finding.symptom in ("misrouted_answer", "structured_invalid") and finding.channel == "reasoning":
        return turn.reasoning[finding.start : finding.end]
    if finding.symptom == "stream_loss" and finding.channel == "stream":
        return streamed_content(turn.record)
    return None


def _joined(parts: list[str]) -> str:
    """The pieces between what was cut out; line breaks on both sides of a cut become one blank line at most."""
    text = parts[0]
    for part in parts[1:]:
        if text.endswith("\n") and part.startswith("\n"):
            breaks = "\n\n" if text.endswith("\n\n") or part.startswith("\n\n") else "\n"
            text = text.rstrip("\n") + breaks + part.lstrip("\n")
        else:
            text += part
    return text


def rescue(turn: Turn, span: Span | Finding) -> list[ToolCall]:
    """The calls that a finding's place stands for, exactly as they were meant; empty when that is not certain or not allowed.

    In the channels content and reasoning the span is a place of the text; in tool_calls it is a range of the list of calls.
    """
    if turn.record.tool_choice == "none":
        return []
    if span.channel == "tool_calls":
        calls_there = cast(tuple[ToolCall, ...], well_formed_value(turn.record.tool_calls[span.start : span.end]))
        faults = [fault_of(call, turn.record) for call in calls_there]
        meant = [fault.meant for fault in faults if fault]
        return [call for call in meant if call] if all(meant) else []
    envelopes = turn.reasoning_envelopes if span.channel == "reasoning" else turn.envelopes
    inside = [item for item in envelopes if item.start < span.end and span.start < item.end]
    calls = [call for item in inside for call in executable(turn, item)]
    return calls if inside and all(executable(turn, item) for item in inside) else []


def executable(turn: Turn, envelope: Envelope) -> list[ToolCall]:
    """The calls of an envelope with arguments that the schemas of the request accept; empty when one of them is not certain."""
    tools = {tool.name: tool for tool in turn.record.tools or ()}
    forced = turn.record.tool_choice if turn.record.tool_choice not in (None, "auto", "required", "any") else None
    if not envelope.closed and turn.record.finish_reason in ("length", None):
        return []
    calls = []
    for call in envelope.calls:
        tool = tools.get(call.name)
        values = fit(call, tool) if tool else None
        if values is None or (forced and forced in tools and call.name != forced):
            return []
        calls.append(ToolCall(call.name, json.dumps(values, ensure_ascii=False)))
    return calls


def claims_results(turn: Turn, envelope: Envelope) -> bool:
    """Whether the text behind a call holds results that no tool has given: a result block, a report of success, new numbers."""
    text, places = _outside_of_calls(turn)
    text = text[places.get(envelope.end, len(text)) :][:4000]
    if not text.strip():
        return False
    if _CLAIMS.search(text) or _REPORTS.search(text):
        return True
    known = turn.request_text + turn.content[: envelope.end]
    return any(match.group() not in known for match in _NUMBER.finditer(text))


@once
def _outside_of_calls(turn: Turn) -> tuple[str, dict[int, int]]:
    """The content without the calls written in it, and where in that the end of each of them is: what another call holds is no result."""
    parts, places, length, last = [], {}, 0, 0
    for envelope in turn.envelopes:
        parts.append(turn.content[last : envelope.start])
        length += len(parts[-1])
        last = envelope.end
        places[last] = length
    parts.append(turn.content[last:])
    return "".join(parts), places

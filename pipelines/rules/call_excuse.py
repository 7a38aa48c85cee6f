"""The name of the view that says that a call written in the content is no leak, or None."""

import json

from pipelines.rules.call_syntax import Envelope
from pipelines.rules.rule import Turn
from pipelines.rules.views.echo import squeeze
from pipelines.rules.views.examples_asked import asks_for_example
from pipelines.rules.views.mention import is_mention
from pipelines.rules.views.repeat import asks_to_repeat


def excuse_of_call(turn: Turn, envelope: Envelope) -> str | None:
    """code | quote | echo | mention | requested_format. A fence inside the envelope belongs to it; only one around it excuses."""
    start, end = envelope.start, envelope.end
    if _is_inside_code(turn, start, end):
        return "code"
    if turn.content.startswith("```", start) and turn.content[end:].strip():
        return "code"
    if turn.quotes.cover(start, end):
        return "quote"
    if is_echo_of_call(turn, envelope):
        return "echo"
    if (turn.content[end:].strip() or turn.content[:start].rstrip().endswith((":", "："))) and asks_for_example(
        turn.last_user
    ):
        return "requested_format"
    if not envelope.calls and is_mention(turn.content, start, min(end, start + len(_tag(turn.content, start)))):
        return "mention"
    if not envelope.marked and (_is_requested_json(turn) or "Action Input" in turn.asked):
        return "requested_format"
    return None


def _is_inside_code(turn: Turn, start: int, end: int) -> bool:
    """Whether code begins before the envelope and holds its beginning. A fence within another call is part of that one."""
    around = [first for first, last in turn.code if first < start < last]
    return any(not any(call.start < first < call.end for call in turn.envelopes) for first in around)


def is_echo_of_call(turn: Turn, envelope: Envelope) -> bool:
    """Whether the model was given the same text, or the same JSON of name and arguments, or is asked to repeat what it wrote itself."""
    texts = [squeeze(turn.content[envelope.start : envelope.end])]
    texts = [
        text for text in texts if len(text) > 24 and envelope.syntax != "arguments"
    ]  # a call sent back holds these
    texts += [
        squeeze(json.dumps({"name": call.name, key: call.arguments}, ensure_ascii=False))
        for call in envelope.calls
        for key in ("arguments", "parameters")
    ]
    if any(text in turn.given_squeezed for text in texts):
        return True
    return any(text in turn.answers_squeezed for text in texts) and asks_to_repeat(turn.last_user)


def _is_requested_json(turn: Turn) -> bool:
    """Whether the request asked for JSON in the content (a response format), so that name and arguments are the answer."""
    return turn.record.response_format_state == "present" and turn.record.tool_choice != "required"


def _tag(text: str, start: int) -> str:
    return text[start : start + 60].partition(">")[0] + ">"

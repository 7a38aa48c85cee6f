"""What `turn_off_message_logging` leaves of an answer, and the field that it forgets.

Source: `litellm_core_utils/redact_messages.py` of 1.108.7, read 2026-11-30: content, `reasoning_content`, call arguments and the texts of
Responses items become a marker, `provider_specific_fields.reasoning` stays as it was. A single callback's switch puts a response of its
own in the place of the real one: `integrations/custom_logger.py`, read 2026-12-01.
"""

from pipelines.formats._dialects import Answer, Request
from pipelines.formats.values import Mapping, filled, mapping, sequence
from pipelines.schema import Record

MARKER = "redacted-by-litellm"
LEFTOVER = "message.provider_specific_fields.reasoning"


def is_redacted_response(response: object) -> bool:
    """Whether the whole response is the marker: as a string, or as the only text of an object of no known shape."""
    return response == MARKER or (
        isinstance(response, dict) and response.get("text") == MARKER and "choices" not in response
    )


def read_redacted(answer: Answer) -> None:
    """Marker texts become states: an answer with any of them is redacted."""
    if not (
        is_marker(answer.content)
        or is_marker(answer.reasoning)
        or any(is_marker(call.arguments) for call in answer.tool_calls)
    ):
        return
    answer.content, answer.content_state, answer.parts = None, "redacted", ()
    if answer.reasoning is not None:
        answer.reasoning, answer.reasoning_fields, answer.reasoning_state = None, {}, "redacted"
    if answer.tool_calls:
        answer.tool_calls, answer.tool_calls_state = (), "redacted"
    answer.refusal = answer.logprobs_text = None


def is_stand_in(response: Mapping) -> bool:
    """Whether a redacted response was put in the place of the real one, as `turn_off_message_logging` of a single callback does: one
    choice, whatever was there, of no model."""
    return "choices" in response and response.get("model") is None and response.get("usage") is None


def note_stand_in(record: Record) -> None:
    """What the stand-in shows beside its text is not the answer's."""
    record.response_id = record.finish_reason = None
    record.reasoning_state = record.tool_calls_state = "redacted"


def hide_history(request: Request) -> None:
    """A history that is only the marker is not known; taken for a message, it would make one conversation of all redacted calls."""
    if request.messages and all(is_marker(message.content) for message in request.messages):
        request.messages, request.position, request.last_role = None, 0, None


def leftover(response: Mapping, choice: int) -> str | None:
    """The name of the field of a redacted choice that still holds its reasoning in clear text."""
    choices = [mapping(item) for item in sequence(response.get("choices"))]
    given = choices[choice] if choice < len(choices) else {}
    fields = mapping(mapping(given.get("message")).get("provider_specific_fields"))
    kept = filled(fields.get("reasoning"))
    return LEFTOVER if kept and not is_marker(kept) else None


def is_marker(text: str | None) -> bool:
    """Whether a text is nothing but the marker, once or (joined parts) several times."""
    return bool(text) and not (text or "").replace(MARKER, "")

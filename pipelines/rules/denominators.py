"""Who is in the denominator: for each symptom, whether a turn could show it, from states and flags alone."""

from collections.abc import Callable

from pipelines.rules.rule import Turn
from pipelines.schema import UNKNOWN

_CUT = frozenset({"stream_cut", "client_disconnected", "finish_reason_lost"})
UNREADABLE = frozenset({"shuffled", "truncated"})
"""States of a content that the log holds, but not as it was: what stands in it proves nothing."""


def content_is_text(turn: Turn) -> bool:
    return turn.record.content_state == "text"


def marks_are_the_engines(turn: Turn) -> bool:
    """Content is text, and it is known that the gateway did not write thoughts into it itself."""
    return content_is_text(turn) and "think_inserted_possible" not in turn.record.gateway_rewrites


def whole_request_missing(turn: Turn) -> bool:
    record = turn.record
    return record.tools is None and record.messages is None and record.instructions is None


def calls_may_stand_in_content(turn: Turn) -> bool:
    """Content is text, and tools were offered and not switched off, or nothing of the request is in the log."""
    record = turn.record
    return content_is_text(turn) and (
        (bool(record.tools) and record.tool_choice != "none") or whole_request_missing(turn)
    )


def reasoning_is_visible(turn: Turn) -> bool:
    return turn.record.reasoning_state == "present"


def call_is_there(turn: Turn) -> bool:
    return turn.record.tool_calls_state == "present" or bool(turn.record.tool_calls)


def turn_is_final(turn: Turn) -> bool:
    """Content is text and no structured call follows it."""
    return content_is_text(turn) and not call_is_there(turn)


def finish_and_reasoning_are_known(turn: Turn) -> bool:
    return finish_is_known(turn) and turn.record.reasoning_state in ("present", "empty")


def finish_is_known(turn: Turn) -> bool:
    return turn.record.finish_reason is not None and turn.record.body_logged


def format_was_requested(turn: Turn) -> bool:
    """A format was requested and the answer was neither truncated by length, nor cut off on its way or in the log, nor refused."""
    record = turn.record
    requested = record.response_format_state == "present" and record.body_logged and not record.gateway_rewrites & _CUT
    if not requested or record.content_state in UNREADABLE:
        return False
    return record.finish_reason not in ("length", "content_filter") and not record.refusal


def stream_is_logged(turn: Turn) -> bool:
    return turn.record.chunks is not None or content_is_text(turn)


def body_is_logged(turn: Turn) -> bool:
    return turn.record.body_logged


def phases_are_known(turn: Turn) -> bool:
    return (turn.record.phases or turn.record.flattened_from is not None) and turn.record.body_logged


def history_is_known(turn: Turn) -> bool:
    return turn.record.messages is not None and turn.family.history_reasoning != UNKNOWN


ELIGIBLE: dict[str, Callable[[Turn], bool]] = {
    "reasoning_leak": marks_are_the_engines,
    "boundary_token": marks_are_the_engines,
    "raw_tool_call": calls_may_stand_in_content,
    "tool_call_in_reasoning": reasoning_is_visible,
    "tool_args_invalid": call_is_there,
    "preamble": turn_is_final,
    "misrouted_answer": finish_and_reasoning_are_known,
    "structured_invalid": format_was_requested,
    "truncated_reasoning": finish_is_known,
    "stream_loss": stream_is_logged,
    "field_contract": body_is_logged,
    "commentary_leak": phases_are_known,
    "history_contamination": history_is_known,
}
"""Symptom → who counts: a turn in which the log shows all that the symptom needs; what it does not show is never taken for none."""

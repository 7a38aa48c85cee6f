"""What was understood of a few turns, field by field, and what their log does not show with what cannot be judged for it."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from pipelines.schema import UNKNOWN, Record

SHOWN_CHARACTERS = 60


class Line(NamedTuple):
    """One field: in how many turns it is known, and what it is in each of the first ones."""

    field: str
    known: int
    values: tuple[str, ...]
    missing: str
    """What follows where no turn has it; "" where nothing does."""


_IDENTITY = (
    ("source_id", "rows are named by file and position"),
    ("call_id", "a call that is logged twice counts twice"),
    ("trace_id", "attempts of one request are not linked"),
    ("conversation", "every turn is a conversation of its own"),
    ("time", "the day is unknown, and --since and --until leave the rows out"),
)
_WHERE = (
    ("gateway", "the format's name stands in its place"),
    ("model_deployed", "the model is known by the requested name only; a deployment file can name it"),
    ("model_requested", ""),
    ("model_id", "a deployment file can match by api_base, model or gateway only"),
    ("api_base", ""),
    ("engine", "no rate by engine, unless a deployment file names it"),
    ("engine_version", "no rate by engine version, unless a deployment file names it"),
    ("template_version", "no rate by chat template, unless a deployment file names it"),
)
_REQUEST = (
    ("stream", "streams and plain responses are counted together"),
    ("messages", "history_contamination is not judged, positions come from time"),
    ("tools", "raw_tool_call and tool_args_invalid are judged for rows without any request only"),
    ("stop", "no rate by stop sequences"),
    ("response_format", "structured_invalid is not judged"),
)
_ANSWER = (
    ("finish_reason", "truncated_reasoning and misrouted_answer are not judged"),
    ("content", "nothing that stands in the answer is judged"),
    ("reasoning", "tool_call_in_reasoning and misrouted_answer are not judged"),
    ("tool_calls", "tool_args_invalid is not judged"),
    ("chunks", "stream_loss is judged by the text alone"),
    ("raw_text", ""),
    ("usage", ""),
    ("remediation", "no remediation rates"),
)
FIELDS = (*_IDENTITY, *_WHERE, *_REQUEST, *_ANSWER)


def understood(records: Sequence[Record], *, rows: int = 3, show_text: bool = False) -> list[Line]:
    """A line for each field. Texts are told by state and length; with `show_text` also by their first characters, escaped."""
    lines = []
    for field, missing in FIELDS:
        found = [_value(record, field, show_text=show_text) for record in records]
        known = sum(is_known for is_known, _ in found)
        lines.append(Line(field, known, tuple(text for _, text in found[:rows]), missing))
    return lines


def _value(record: Record, field: str, *, show_text: bool) -> tuple[bool, str]:
    if field == "raw_text":
        text = record.raw_text
        return text is not None, "unknown" if text is None else f"{len(text)} characters" + (
            f": {_short(text)}" if show_text else ""
        )
    if field in ("content", "reasoning"):
        state = record.content_state if field == "content" else record.reasoning_state
        text = getattr(record, field)
        shown = f"{state}, {len(text)} characters" + (f": {_short(text)}" if show_text else "") if text else state
        return state not in ("absent", "dropped_by_format", "redacted", "encrypted", "external_ref"), shown
    if field == "tool_calls":
        names = ", ".join(_short(call.name or "?") for call in record.tool_calls)
        return record.tool_calls_state not in ("dropped_by_format", "redacted"), names or record.tool_calls_state
    if field == "response_format":
        kind = (
            str(record.response_format["type"]) if record.response_format and "type" in record.response_format else ""
        )
        return record.response_format_state != "unknown", kind or record.response_format_state
    if field == "conversation":
        known = record.conversation is not None
        return known, f"by {record.conversation_source}" if known else "unknown"
    if field == "remediation":
        return record.remediation_visible, ", ".join(one.action for one in record.remediation) or "none"
    return _plain(getattr(record, field))


def _plain(value: object) -> tuple[bool, str]:
    if value is None or value == UNKNOWN:
        return False, "unknown"
    if isinstance(value, float):
        return True, datetime.fromtimestamp(value, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    if isinstance(value, tuple):
        return True, f"{len(value)}" if value else "none"
    if isinstance(value, str | bool):
        return True, _short(str(value))
    counts = [
        f"{name} {number}"
        for name in ("input", "output", "reasoning")
        if (number := getattr(value, name, None)) is not None
    ]
    return bool(counts), ", ".join(counts) or "unknown"


def _short(text: str) -> str:
    """The beginning of a text with everything but printable characters escaped, so that no log can steer a terminal."""
    cut = text[:SHOWN_CHARACTERS]
    safe = "".join(character if character.isprintable() else repr(character)[1:-1] for character in cut)
    return safe + ("…" if len(text) > SHOWN_CHARACTERS else "")

"""The values by which a turn's GROUP can be split, and its day: short strings, "unknown" where the log does not say."""

import unicodedata
from bisect import bisect_right
from collections import Counter
from datetime import date

from pipelines.schema import UNKNOWN, Identity, Record

SCRIPT_CHARACTERS = 64
_DAY = 86400
_FIRST_DAY = date(1970, 1, 1).toordinal()
_LAST_DAY = date.max.toordinal() - _FIRST_DAY
_CONTEXT_BORDERS = (1_000, 4_000, 16_000, 64_000, 256_000)
_CONTEXT = ("<1k", "1k-4k", "4k-16k", "16k-64k", "64k-256k", "256k+")


def day_number(time: float | None) -> int:
    """Days since 1970 UTC; -1 where the time is unknown or no date."""
    if time is None or not 0 <= time < (_LAST_DAY + 1) * _DAY:
        return -1
    return int(time // _DAY)


def day(number: int) -> str:
    return UNKNOWN if number < 0 else date.fromordinal(_FIRST_DAY + number).isoformat()


def context_length(tokens: int | None) -> str:
    """Bucket of the prompt's length in tokens."""
    if tokens is None:
        return UNKNOWN
    return _CONTEXT[bisect_right(_CONTEXT_BORDERS, tokens)]


def script(text: str) -> str:
    """Writing system of most letters in the first 64 characters, as Unicode names it (latin, cjk, hangul, …); "none" without letters."""
    text = text[:SCRIPT_CHARACTERS]
    if text.isascii():
        return "latin" if any(sign.isalpha() for sign in text) else "none"
    count = Counter(
        unicodedata.name(sign, UNKNOWN).split(" ", 1)[0].split("-", 1)[0].lower() for sign in text if sign.isalpha()
    )
    return min(count, key=lambda name: (-count[name], name)) if count else "none"


def _switch(value: bool | None) -> str:
    return UNKNOWN if value is None else "yes" if value else "no"


def cut_values(record: Record, identity: Identity, *, thinking: str, script: str, context: str) -> dict[str, str]:
    """The value of every cut that is known with the turn (all of CUTS but conversation_length)."""
    stream = _switch(record.stream)
    stop = _switch(None if record.stop is None else bool(record.stop))
    requested = record.response_format_state
    structured = "none" if requested == "none" else UNKNOWN
    if requested == "present":
        structured = str((record.response_format or {}).get("type") or "other")
    parsers = (identity.reasoning_parser, identity.tool_call_parser)
    fields = sorted(record.reasoning_fields)
    return {
        "stream": stream,
        "stop_set": stop,
        "stream_stop": UNKNOWN if UNKNOWN in (stream, stop) else f"stream={stream} stop={stop}",
        "structured_output": structured,
        "tools_requested": _switch(None if record.tools is None else bool(record.tools)),
        "after_tool_result": _switch(None if record.last_role is None else record.last_role == "tool"),
        "thinking_mode": thinking,
        "reasoning_effort": record.reasoning_effort or UNKNOWN,
        "reasoning_parser": parsers[0],
        "tool_call_parser": parsers[1],
        "parsers": UNKNOWN if UNKNOWN in parsers else " + ".join(parsers),
        "speculative_decoding": identity.speculative_decoding,
        "async_scheduling": identity.async_scheduling,
        "frontend": identity.frontend,
        "endpoint": record.api,
        "context_length": context,
        "observation_point": identity.observation_point,
        "served_model": identity.served_model,
        "reasoning_field": " + ".join(fields) if fields else "none" if record.reasoning_state == "empty" else UNKNOWN,
        "script": script,
    }

"""Whether the light and the full reading of a payload line say the same."""

import msgspec

from pipelines.formats.format import OPENING, Place, opening
from pipelines.formats.litellm.payload import FORMAT
from pipelines.schema import Record

TEXTS = {
    "light",
    "history_reasoning",
    "content",
    "reasoning",
    "messages",
    "tool_calls",
    "parts",
    "refusal",
    "logprobs_text",
    "chunks",
}
"""What a light record leaves out."""


def disagreements(line: bytes) -> list[str]:
    """Names of what both readings have and do not agree on; [] also where the line has to be read in full."""
    assert FORMAT.light is not None
    place = Place("log.jsonl", 5)
    read = FORMAT.light(place.uri)
    read(line, 0)  # the second time it knows the line's end
    light = read(line, place.position)
    if light is None:
        return []
    full = list(FORMAT.parse(msgspec.json.decode(line), place))
    if len(full) != 1 or not isinstance(full[0], Record):
        return [f"{len(full)} outcomes, {type(full[0]).__name__}"]
    record, other = full[0], light.record
    differ = [name for name in Record.__struct_fields__ if name not in TEXTS and not same(name, record, other)]
    if not other.light or other.content is not None or other.reasoning is not None or other.tool_calls:
        differ.append("texts")
    if (record.messages is None) != (other.messages is None):
        differ.append("messages")
    if not covers(opening(light.content), record.content or ""):
        differ.append("opening")
    return differ


def same(name: str, record: Record, other: Record) -> bool:
    if name == "reasoning_fields":
        return set(record.reasoning_fields) == set(other.reasoning_fields)
    return bool(getattr(record, name) == getattr(other, name))


def covers(opening: bytes, content: str) -> bool:
    """Whether the raw opening decodes to the first characters of the content."""
    start = opening.rstrip(b'"') if len(opening) < 2 * OPENING else opening
    for cut in range(14):
        try:
            decoded = msgspec.json.decode(b'"' + start[: len(start) - cut] + b'"', type=str)
        except (msgspec.DecodeError, UnicodeDecodeError):
            continue
        whole = content[:OPENING].startswith(decoded) and len(content) <= len(decoded) + 14
        return decoded.startswith(content[:OPENING]) or whole
    return not content

"""What is wrong with an answer to a request for JSON, a pattern or a choice: text around the JSON, no JSON, or JSON off the schema."""

import json
from dataclasses import dataclass

import re2

from pipelines.rules.requested_format import JSON_KINDS, fits, follows, parsed, refuse, schema_of
from pipelines.rules.rule import Turn
from pipelines.schema import Record

_TRIES = 48
_LONGEST = 1 << 20
_FENCE = re2.compile(r"^\s*(?:`{3,}|~{3,})[\w+-]*\s*|\s*(?:`{3,}|~{3,})\s*$")
_START = re2.compile(r"[\[{]")
REFUSED = "refused"
REASONING_EXTRACTION = "refused_reasoning_extraction"


@dataclass(frozen=True, slots=True)
class Piece:
    """Text beside the JSON: `content[start:end]`, trimmed. `kind`: fence | prose | thoughts."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True, slots=True)
class Fault:
    """`kind`: around (pieces to strip) | unparsable | schema | pattern | missing | in_reasoning. `place`: where reading stopped."""

    kind: str
    pieces: tuple[Piece, ...] = ()
    place: int = 0


def is_judged(record: Record) -> bool:
    """Whether the answer had to follow a format that can be checked, was not cut, not refused and is no call."""
    asked = record.response_format_state == "present" and record.response_format is not None and record.body_logged
    done = record.finish_reason not in ("length", "content_filter") and not record.refusal and not record.tool_calls
    return asked and done and record.content_state in ("text", "null", "empty")


def fault_of(turn: Turn) -> Fault | None:
    """The fault of the answer, None where the format was delivered or cannot be checked."""
    wanted = turn.record.response_format or {}
    kind = wanted.get("type")
    start, end = final_item(turn.record, len(turn.content))
    text = turn.content[start:end]
    if not text.strip():
        return _without_content(turn, kind)
    if kind in ("regex", "choice"):
        return Fault("pattern") if follows(turn.record, text) is False else None
    if kind not in JSON_KINDS or len(text) > _LONGEST:
        return None
    return _json_fault(turn, text, start)


def final_item(record: Record, length: int) -> tuple[int, int]:
    """Where the final answer stands: in a Responses object the last item that is no commentary, else the whole content."""
    final = [part for part in record.parts if part.phase != "commentary"]
    if not record.phases or not final:
        return 0, length
    last = [part for part in final if part.item == final[-1].item]
    return last[0].start, last[-1].end


def refusal_of(record: Record) -> str | None:
    """Why no format can be expected: `refused`, or a refusal to give reasoning away that the schema asked for (Claude)."""
    if record.response_format_state != "present" or not (record.refusal or record.finish_reason == "content_filter"):
        return None
    asks = schema_names(record) & {"reasoning", "thinking"}
    return (
        REASONING_EXTRACTION
        if record.stop_detail == "reasoning_extraction" or (asks and record.api == "messages")
        else REFUSED
    )


def schema_names(record: Record) -> set[str]:
    """Names of the properties on the top level of the requested schema."""
    properties = schema_of(record).get("properties")
    return {name.lower() for name in properties} if isinstance(properties, dict) else set()


def _without_content(turn: Turn, kind: object) -> Fault | None:
    if kind in JSON_KINDS and turn.reasoning:
        value = parsed(turn.reasoning)
        if isinstance(value, dict) and fits(turn.record, value):
            return Fault("in_reasoning")
    return Fault("missing") if turn.record.finish_reason is not None else None


def _json_fault(turn: Turn, text: str, offset: int) -> Fault | None:
    value = parsed(text)
    if value is not None:
        return None if fits(turn.record, value) else Fault("schema", place=offset)
    found = _embedded(turn.record, text)
    if found is None:
        return Fault("unparsable", _fences(text, offset), offset + _stops_at(text))
    start, end = found
    if not fits(turn.record, parsed(text[start:end])):
        return Fault("schema", place=offset + start)
    pieces = (_piece(turn, offset, offset + start), _piece(turn, offset + end, offset + len(text)))
    return Fault("around", tuple(piece for piece in pieces if piece))


def _embedded(record: Record, text: str) -> tuple[int, int] | None:
    """Where the requested JSON stands within other text: the first object or array that fits, else the longest one."""
    decoder = json.JSONDecoder(parse_constant=refuse)
    longest: tuple[int, int] | None = None
    place = 0
    for _ in range(_TRIES):
        match = _START.search(text, place)
        if match is None:
            break
        start = match.start()
        try:
            value, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            place = start + 1
            continue
        if value and fits(record, value):
            return start, end
        if isinstance(value, dict) and value and (longest is None or end - start > longest[1] - longest[0]):
            longest = (start, end)
        place = end
    return longest


def _piece(turn: Turn, start: int, end: int) -> Piece | None:
    first, last = _trimmed(turn.content, start, end)
    if first >= last:
        return None
    text = turn.content[first:last]
    marked = any(block.start < last and first < block.end for block in turn.blocks)
    bare = _FENCE.sub("", text).strip(" \t\n`~")
    return Piece(first, last, "thoughts" if marked else "prose" if bare and bare.lower() != "json" else "fence")


def _fences(text: str, offset: int) -> tuple[Piece, ...]:
    """The fence lines at the start and the end of an answer whose JSON cannot be read."""
    pieces = []
    for match in _FENCE.finditer(text):
        first, last = _trimmed(text, match.start(), match.end())
        if first < last:
            pieces.append(Piece(offset + first, offset + last, "fence"))
    return tuple(pieces)


def _stops_at(text: str) -> int:
    """Where reading the JSON stops; 0 where there is nothing like JSON."""
    match = _START.search(text)
    if match is None:
        return 0
    try:
        json.JSONDecoder().raw_decode(text, match.start())
    except json.JSONDecodeError as error:
        return int(error.pos)
    except (ValueError, RecursionError):
        return int(match.start())
    return int(match.start())


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), end - len(piece) + len(piece.rstrip())

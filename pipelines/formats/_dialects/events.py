"""Server-sent events out of text: the decoded `data` of each event, whatever the line ends, comments and names."""

import msgspec

DONE = "[DONE]"
_LIMIT = 1 << 20
"""Events of one text that are read at most."""


def is_event_text(body: str) -> bool:
    """Whether a string looks like a stream of server-sent events."""
    opening = body.lstrip("\ufeff \r\n\t")[:64]
    return opening.startswith(("data:", "event:", "id:", "retry:", ": ", ":\n"))


def read_events(body: str) -> list[object]:
    """The data of all events as objects; `[DONE]` and data that is not JSON are left out. An `event:` name fills a missing `type`."""
    found: list[object] = []
    name, data = "", []
    for line in [*body.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n"), ""]:
        if line.startswith("data:"):
            data.append(line[5:].removeprefix(" "))
        elif line.startswith("event:"):
            name = line[6:].strip()
        elif not line:
            found.extend(decode_data(name, data))
            name, data = "", []
        if len(found) >= _LIMIT:
            break
    return found


def decode_data(name: str, lines: list[str]) -> list[object]:
    """The objects of one event's data lines; where the joined lines are no JSON, of each line that is one (a log without blank lines)."""
    whole = _decode("\n".join(lines), name) if lines else None
    if whole is not None or len(lines) < 2:
        return [] if whole is None else [whole]
    return [one for line in lines if (one := _decode(line, name)) is not None]


def _decode(data: str, name: str) -> object | None:
    if not data.lstrip().startswith("{"):
        return None
    try:
        event: object = msgspec.json.decode(data)
    except (msgspec.MsgspecError, UnicodeEncodeError, RecursionError):
        return None
    if name and isinstance(event, dict):
        event.setdefault("type", name)
    return event

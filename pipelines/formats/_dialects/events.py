"""Server-sent events out of text: the decoded `data` of each event, whatever the line ends, comments and names."""

import msgspec

from pipelines.formats.values import decoded

DONE = "[DONE]"
_BLANK = "\ufeff \r\n\t"
_LIMIT = 1 << 20
"""Events of one text that are read at most."""


def is_event_text(body: str) -> bool:
    """Whether a string looks like a stream of server-sent events: its first line behind comments is a field of one, or there are only
    comments."""
    opening = body.lstrip(_BLANK)
    if opening.startswith(":"):
        lines = (line.strip(_BLANK) for line in opening.replace("\r", "\n").split("\n"))
        opening = next((line for line in lines if line and not line.startswith(":")), "data:")
    return opening.startswith(("data:", "event:", "id:", "retry:"))


def events_of(logged: object) -> list[object]:
    """The events of a logged stream: of a string of server-sent events or of JSON, or of a list of objects and such strings."""
    opened = decoded(logged)
    if isinstance(opened, str):
        return [DONE] if opened.strip() == DONE else read_events(opened)
    given = opened if isinstance(opened, list) else [opened]
    return [event for item in given for event in (events_of(item) if isinstance(item, str) else [item])]


def read_events(body: str) -> list[object]:
    """The data of all events as objects, `[DONE]` as this text; other data that is not JSON is left out. An `event:` name fills a
    missing `type`."""
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
        return DONE if data.strip() == DONE else None
    try:
        event: object = msgspec.json.decode(data)
    except (msgspec.MsgspecError, UnicodeEncodeError, RecursionError):
        return None
    if name and isinstance(event, dict):
        event.setdefault("type", name)
    return event

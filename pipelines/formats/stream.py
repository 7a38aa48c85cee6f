"""Stream: the events of one answer out of a file of server-sent events, and how a file is cut into them."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import msgspec

from pipelines.formats._dialects.events import DONE
from pipelines.formats.course import Course, Stage, opens
from pipelines.formats.values import Mapping, filled, mapping, text

LONGEST_LINE = 16 << 20
MOST_BYTES = 32 << 20
"""Of one stream."""
MOST_OPEN = 64
"""Streams that are open at the same time; the one that waited longest is given out as it is."""


@dataclass
class Stream:
    """The events of one stream, decoded, in order."""

    events: list[object] = field(default_factory=list)
    """Objects; at the end the text `[DONE]` where it came."""
    course: Course = field(default_factory=Course)
    malformed: int = 0
    """Events whose data was no JSON."""
    too_large: bool = False
    size: int = 0

    @property
    def finished(self) -> bool:
        """Its last event came (finish reason of every choice, `[DONE]`, completed, stopped or an error)."""
        return self.course.finished


class Streams:
    """Cuts bytes into streams: fed with chunks, it gives out each stream when it has ended; `close` gives out the rest."""

    def __init__(self) -> None:
        self._pending = b""
        self._skipping = False
        self._name = ""
        self._data: list[bytes] = []
        self._open: dict[str, Stream] = {}
        self._latest = ""
        self._anonymous = 0

    def feed(self, chunk: bytes) -> Iterator[Stream]:
        """The streams that ended in this chunk."""
        text = self._pending + bytes(chunk)
        held = text.endswith(b"\r")
        body = text[:-1] if held else text
        *lines, rest = body.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        self._pending = rest + (b"\r" if held else b"")
        for line in lines:
            if self._skipping:
                self._skipping = False
                continue
            yield from self._line(line)
        if len(self._pending) > LONGEST_LINE:
            self._pending, self._skipping = b"", True
            yield from self._take(None, b"", LONGEST_LINE)

    def close(self) -> Iterator[Stream]:
        """The streams that were still open at the end of the file."""
        if self._pending and not self._skipping:
            yield from self._line(self._pending.rstrip(b"\r"))
        yield from self._line(b"")
        yield from self._open.values()
        self._open = {}

    def _line(self, line: bytes) -> Iterator[Stream]:
        if line.startswith(b"\xef\xbb\xbf"):
            line = line[3:]
        if line.startswith(b"data:"):
            self._data.append(line[5:].removeprefix(b" "))
        elif line.startswith(b"event:"):
            self._name = line[6:].strip().decode("utf-8", "replace")
        elif not line:
            name, data = self._name, self._data
            self._name, self._data = "", []
            yield from self._dispatch(name, data)

    def _dispatch(self, name: str, data: list[bytes]) -> Iterator[Stream]:
        """One event; data lines that make no JSON together but each alone are a log that lost its blank lines."""
        whole = b"\n".join(data)
        event = _decode(whole, name)
        if event is not None or len(data) < 2:
            if data:
                yield from self._take(event, whole, len(whole))
            return
        for line in data:
            yield from self._take(_decode(line, name), line, len(line))

    def _take(self, event: Mapping | None, data: bytes, size: int) -> Iterator[Stream]:
        if event is None and data.strip() == DONE.encode():
            if self._latest in self._open:
                yield self._done(self._open.pop(self._latest))
            return
        yield from self._start(event)
        stream = self._open[self._latest]
        stream.size += size
        stream.too_large |= stream.size > MOST_BYTES
        if stream.too_large:
            stream.events.clear()
            return
        stream.course.note(event)
        if event is None:
            stream.malformed += 1
        else:
            stream.events.append(event)

    def _start(self, event: Mapping | None) -> Iterator[Stream]:
        """Makes the event's stream the latest one, and a new one where it belongs to none that is open."""
        key = _key(event)
        known, latest = self._open.get(key or self._latest), self._open.get(self._latest)
        if known is not None and not known.course.is_left_by(event, named=key is not None):
            self._latest = key or self._latest
            return
        if known is None and latest is not None and self._goes_on(latest, event):
            if key is not None and latest.course.stage == Stage.BEFORE:
                self._open[key] = self._open.pop(self._latest)
                self._latest = key
            return
        self._anonymous += 1
        self._latest = key or f"anonymous {self._anonymous}"
        if self._latest in self._open:
            yield self._open.pop(self._latest)
        for name in self._waited_long():
            yield self._open.pop(name)
        self._open[self._latest] = Stream()

    def _goes_on(self, latest: Stream, event: Mapping | None) -> bool:
        """Whether an event with an id that was not seen yet belongs to the latest stream all the same."""
        return not latest.finished and (latest.course.stage == Stage.BEFORE or not opens(event))

    def _waited_long(self) -> list[str]:
        """Ended streams but for the last few (usage and `[DONE]` may still come), and the oldest beyond the bound."""
        ended = [name for name, stream in self._open.items() if stream.finished]
        return ended[: max(0, len(ended) - 4)] or list(self._open)[: max(0, len(self._open) - MOST_OPEN + 1)]

    def _done(self, stream: Stream) -> Stream:
        stream.course.over = True
        stream.events.append(DONE)
        return stream


def _decode(data: bytes, name: str) -> Mapping | None:
    try:
        event = msgspec.json.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    if not isinstance(event, dict):
        return None
    if name:
        event.setdefault("type", name)
    return event


def _key(event: Mapping | None) -> str | None:
    """What names the event's stream: the chunk's id, the id of the response or message that begins; None for all others."""
    if event is None:
        return None
    kind = text(event.get("type")) or ""
    if kind == "message_start":
        return filled(mapping(event.get("message")).get("id")) or "message"
    if isinstance(event.get("response"), dict):
        return filled(mapping(event["response"]).get("id"))
    return filled(event.get("id")) if isinstance(event.get("choices"), list) else None

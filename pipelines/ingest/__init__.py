"""Outcomes of the items of a shard: records, read from the keys only where nothing in the text can matter, and counted failures.

The fast path reads a line by the format's `light`, and in full only when a needle may stand in its history, its content or its
reasoning, or when its opening or its flags call for it.
Every other line, and every item of another framing, is decoded whole. Nothing is opened here.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from typing import IO, Protocol

from pipelines.formats import recognise, why_unknown
from pipelines.formats.format import Format, Item, Light, Outcome, Partner, Place, ReadLight, Rejected, opening
from pipelines.ingest.decode import BOM, decode, decoded_line
from pipelines.ingest.lines import LONGEST_LINE, Block, blocks
from pipelines.ingest.strings import Strings
from pipelines.schema import Record

KILLED = Rejected("killed_worker", "the process that read it died")
GIVEN_UP = Rejected("piece_given_up", "the processes that read it died")
"""In place of all items of a file, or of a part of one."""
TOGETHER = 64
"""Loud lines that are read in full one after the other."""
Loud = tuple[Light, bytes, int]
"""What was read light, its line and its number."""


class Sink(Protocol):
    """Where outcomes go. Positions are those of the file, as far as this shard can count them."""

    def admit(self, light: Light) -> object | None:
        """A token when the record's flags call for nothing more, None when its text has to be read."""

    def silent(self, light: Light, token: object) -> None: ...

    def outcomes(self, position: int, outcomes: Iterable[Outcome]) -> None: ...

    def blank(self, position: int) -> None: ...


@dataclass(frozen=True)
class Search:
    """What is looked for in the raw strings of light records: literals of the rules by the text in which they have to stand."""

    content: Strings
    reasoning: Strings
    history: Strings
    openings: Strings

    def matters(self, lights: Sequence[Light]) -> Set[int]:
        """The places of the light records that have to be read in full for what their strings hold."""
        return (
            self.content([light.content for light in lights])
            | self.reasoning([light.reasoning for light in lights])
            | self.history([light.history for light in lights])
            | self.openings([opening(light.content) for light in lights])
        )


def read_lines(
    file: IO[bytes], span: tuple[int, int | None], *, reader: "Reader", search: Search | None, sink: Sink
) -> Iterator[int]:
    """Send every item of a byte range's lines to the sink; after each block, how many there were.

    Without a `search` every line is read in full. Lines that were read light and matter wait until some are together, which halves
    what each of them costs.
    """
    number, waiting = 0, list[Loud]()
    own = None if search is None or reader.format is None else reader.format.light
    read_light = None if own is None else own(reader.uri)
    try:
        for block in blocks(file, *span):
            if block.too_long:
                sink.outcomes(number, [Rejected("line_too_long", f"more than {LONGEST_LINE} bytes")])
                number += 1
            elif read_light is not None and search is not None:
                number, loud = _light_block(
                    block, number, reader=reader, read_light=read_light, search=search, sink=sink
                )
                waiting += loud
                if len(waiting) >= TOGETHER or sum(len(line) for _, line, _ in waiting) > LONGEST_LINE:
                    reader.fill(waiting, sink)
                    waiting = []
            else:
                number = _whole_block(block, number, reader=reader, sink=sink)
            yield number
    finally:
        reader.fill(waiting, sink)


def decoded_lines(file: IO[bytes], span: tuple[int, int | None]) -> Iterator[Item | Rejected | None]:
    """Every item of a byte range's lines, decoded; None for a blank line."""
    for block in blocks(file, *span):
        if block.too_long:
            yield Rejected("line_too_long", f"more than {LONGEST_LINE} bytes")
        for at, end in _lines(block):
            line = bytes(block.buffer[at:end])
            if is_blank(line):
                yield None
            else:
                yield from decoded_line(line, decode(line))


def is_blank(line: bytes) -> bool:
    return len(line) < 1 << 16 and not line.removeprefix(BOM).strip(b" \t\r\n\x00")


def read_items(items: Iterable[Item | Rejected], *, reader: "Reader", sink: Sink) -> Iterator[int]:
    """Send decoded items to the sink, in order; after each, how many there were."""
    for number, item in enumerate(items):
        reader.item(item, number, sink)
        yield number + 1


@dataclass(frozen=True)
class Reader:
    """How the items of one file are read. `format` None: nothing recognised the file, so each item is asked by itself."""

    uri: str
    format: Format | None
    watch: Callable[[int], bool]
    """Told the number of each item before it is read in full; True: the item is known to kill, so it is not read."""
    forced: bool = False
    """The user named the format: what another format knows is rejected."""

    def whole(self, raw: memoryview, number: int, sink: Sink) -> int:
        """Decode one line and send what each of its items yields; the number of the next item."""
        if self.watch(number):
            sink.outcomes(number, [KILLED])
            return number + 1
        if is_blank(bytes(raw)):
            sink.blank(number)
            return number + 1
        for place, item in enumerate(decoded_line(raw, decode(raw)), number):
            if place > number and self.watch(place):
                sink.outcomes(place, [KILLED])
            else:
                self._send(item, place, sink)
        return place + 1

    def fill(self, waiting: Iterable["Loud"], sink: Sink) -> None:
        """Send what lines yield that were read light; only their texts are decoded where that is enough."""
        for light, line, number in waiting:
            if self.watch(number):
                sink.outcomes(number, [KILLED])
                continue
            record = _filled(light, line)
            if record is None:
                self._send(decode(line), number, sink)
            else:
                sink.outcomes(number, [record])

    def item(self, item: Item | Rejected, number: int, sink: Sink) -> None:
        """Send what one decoded item, or each item of a line that holds several, yields; None stands for a blank line."""
        if self.watch(number):
            sink.outcomes(number, [KILLED])
        elif item is None:
            sink.blank(number)
        else:
            self._send(item, number, sink)

    def _send(self, item: Item | Rejected, number: int, sink: Sink) -> None:
        if isinstance(item, Rejected):
            sink.outcomes(number, [item])
        elif self.format is not None and self.format.explode is not None:
            for inner in self.format.explode(item):
                sink.outcomes(number, self.outcomes(inner, Place(self.uri, number)))
        else:
            sink.outcomes(number, self.outcomes(item, Place(self.uri, number)))

    def outcomes(self, item: Item, place: Place) -> list[Outcome]:
        """What the format makes of an item; one that another format knows is given to that one, or rejected where this one is forced."""
        own = self.format
        if own is not None and (own.explode is not None or own.recognise(item)):
            return _parsed(own, item, place)
        other = recognise([item], "json") if isinstance(item, dict) else None
        if other is not None and own is not None and self.forced:
            return [Rejected("unknown_format", f"it has the shape of {other.name}; --format {own.name} was asked for")]
        if other is not None:
            return _parsed(other, item, place)
        return [Rejected("unknown_format", why_unknown(item))] if own is None else _parsed(own, item, place)


def _parsed(log_format: Format, item: Item, place: Place) -> list[Outcome]:
    if log_format.join_key is not None:
        item = (Partner(item, place),)
    return parsed(log_format, item, place)


def parsed(log_format: Format, item: Item, place: Place) -> list[Outcome]:
    """What a format yields for an item, or for partners; a fault in the format is a reject, it must not end a night's run."""
    try:
        return list(log_format.parse(item, place))
    except Exception as error:  # noqa: BLE001  a fault of ours in one adapter, on data that nobody foresaw
        return [Rejected("format_failed", type(error).__name__)]


def _filled(light: Light, line: bytes) -> Record | None:
    try:
        return light.fill(light, line)
    except Exception:  # noqa: BLE001  a fault of ours, on data that nobody foresaw: decoding all of it says more
        return None


def _lines(block: Block) -> Iterator[tuple[int, int]]:
    find, at = block.buffer.find, 0
    while at < block.size:
        end = find(b"\n", at, block.size) + 1 or block.size
        yield at, end
        at = end


def _whole_block(block: Block, number: int, *, reader: Reader, sink: Sink) -> int:
    with memoryview(block.buffer) as view:
        for at, end in _lines(block):
            number = reader.whole(view[at:end], number, sink)
    return number


def _light_block(
    block: Block, number: int, *, reader: Reader, read_light: ReadLight, search: Search, sink: Sink
) -> tuple[int, list[Loud]]:
    """Read each line by its keys, or in full where that is not enough; how many items there are by now, and those whose texts matter."""
    admit, lines, loud = sink.admit, [], []
    with memoryview(block.buffer) as view:
        for at, end in _lines(block):
            light = read_light(bytes(view[at:end]), number)
            if light is None:
                number = reader.whole(view[at:end], number, sink)
            else:
                lines.append((at, end, number, light, admit(light)))
                number += 1
        admitted = [place for place, line in enumerate(lines) if line[4] is not None]
        found = search.matters([line[3] for line in lines if line[4] is not None])
        matters = {admitted[place] for place in found}
        for place, (at, end, own, light, token) in enumerate(lines):
            if token is None or place in matters:
                loud.append((light, bytes(view[at:end]), own))
            else:
                sink.silent(light, token)
    return number, loud

"""Reads one piece: opens its file through the store and hands the bytes to the reader of its framing."""

from collections.abc import Callable, Iterable, Iterator
from typing import IO

from pipelines import store
from pipelines.formats import FORMATS
from pipelines.formats.format import Format, Item, Outcome, Place, Rejected
from pipelines.formats.sse import streams
from pipelines.ingest import KILLED, Reader, Search, decoded_lines, parsed, read_items, read_lines
from pipelines.ingest.rows import chunks, csv_rows, parquet_rows, row_count, text_lines
from pipelines.ingest.values import values
from pipelines.job import Options, Piece, Shard
from pipelines.join import Scatter, groups, shares
from pipelines.lend import Lending, lend_all
from pipelines.shard.sink import ShardSink

Passed = tuple[int, int]
"""Places of a piece, and about how many of its bytes, that were read so far."""
_ITEMS_BETWEEN = 64
Watch = Callable[[int], bool]
"""Told the place of each item before it is read in full; True: the item is known to kill, so it is not read."""


def format_of(name: str, options: Options) -> Format | None:
    """The format of that name, or the user's own mapping; None for "unknown"."""
    if options.mapping is not None:
        from pipelines.formats import mapping

        own: Format = mapping.load(store.read(options.mapping).decode("utf-8", "replace"), options.mapping)
        if own.name == name:
            return own
    return next((known for known in FORMATS if known.name == name), None)


def read_piece(
    piece: Piece, options: Options, *, search: Search | None, sink: ShardSink, watch: Watch
) -> Iterator[Passed]:
    """Send every item of the piece to the sink; now and then, what was passed."""
    reader = Reader(piece.uri, format_of(piece.format, options), watch, piece.forced)
    if piece.framing == "empty":
        return
    if reader.format is None and piece.framing in ("text", "sse", "csv"):
        sink.outcomes(0, [Rejected("unknown_format", "no format knows this file")])
        return
    with store.opened(piece.uri, piece.codec) as file:
        if piece.framing == "lines":
            span = (piece.start, piece.end if piece.codec == "none" else None)
            for places in read_lines(file, span, reader=reader, search=search, sink=sink):
                yield places, _bytes_read(piece, file)
        else:
            yield from _measured(read_items(_items(piece, file), reader=reader, sink=sink), piece, file)


def _measured(places: Iterable[int], piece: Piece, file: IO[bytes]) -> Iterator[Passed]:
    """The places with the bytes behind them, which are looked up now and then."""
    rows = row_count(file, piece.start, piece.end) if piece.framing == "parquet" else 0
    size = 0
    for passed in places:
        if passed % _ITEMS_BETWEEN == 0:
            size = piece.size * passed // rows if rows else _bytes_read(piece, file)
        yield passed, size


def _bytes_read(piece: Piece, file: IO[bytes]) -> int:
    return max(0, min(file.tell() - piece.start, piece.size))


def _items(piece: Piece, file: IO[bytes]) -> Iterator[Item | Rejected]:
    if piece.framing == "parquet":
        return parquet_rows(file, piece.start, piece.end)
    if piece.framing == "csv":
        return csv_rows(file)
    if piece.framing == "text":
        return text_lines(file)
    if piece.framing == "sse":
        return streams(chunks(file))
    return values(file)


def decoded_items(piece: Piece, file: IO[bytes]) -> Iterator[Item | Rejected | None]:
    """Every item of a whole file, decoded; None for a blank line."""
    return decoded_lines(file, (0, None)) if piece.framing == "lines" else _items(piece, file)


def scatter_piece(
    piece: Piece, options: Options, *, scatter: Scatter, sink: ShardSink, watch: Watch
) -> Iterator[Passed]:
    """Put every item of the piece where its partners will be; blank and unreadable ones are counted here."""
    log_format = format_of(piece.format, options)
    assert log_format is not None

    def scattered(file: IO[bytes]) -> Iterator[int]:
        for number, item in enumerate(decoded_items(piece, file)):
            if watch(number):
                sink.outcomes(number, [KILLED])
            elif item is None:
                sink.blank(number)
            elif isinstance(item, Rejected):
                sink.outcomes(number, [item])
            else:
                for inner in log_format.explode(item) if log_format.explode is not None else (item,):
                    scatter.add(log_format, inner, Place(piece.uri, number))
            yield number + 1

    with store.opened(piece.uri, piece.codec) as file:
        yield from _measured(scattered(file), piece, file)


def lend_piece(piece: Piece, options: Options, *, lending: Lending, sink: ShardSink, watch: Watch) -> Iterator[Passed]:
    """Keep what every item of the piece knows of other files' turns; the items themselves are counted here."""
    log_format = format_of(piece.format, options)
    assert log_format is not None and log_format.lend is not None
    lend = log_format.lend
    reader = Reader(piece.uri, log_format, watch, piece.forced)

    def lent(file: IO[bytes]) -> Iterator[int]:
        for number, item in enumerate(decoded_items(piece, file)):
            if item is not None and not isinstance(item, Rejected):
                lend_all(lend(item, Place(piece.uri, number)), lending)
            reader.item(item, number, sink)
            yield number + 1

    with store.opened(piece.uri, piece.codec) as file:
        yield from _measured(lent(file), piece, file)


def read_bucket(shard: Shard, options: Options, *, sink: ShardSink, watch: Watch) -> Iterator[Passed]:
    """Send the calls of one bucket to the sink, each partner counted as an item of its own file."""
    lines = (line for piece in shard.pieces for line in store.read(piece.uri).split(b"\n"))
    for number, (name, partners) in enumerate(groups(lines)):
        log_format = format_of(name, options)
        assert log_format is not None
        if watch(number):
            shared: list[tuple[Place, list[Outcome]]] = [(partner.place, [KILLED]) for partner in partners]
        else:
            shared = shares(partners, parsed(log_format, partners, partners[0].place))
        for place, outcomes in shared:
            sink.place_outcomes(place, outcomes, name)
        yield number + 1, 0

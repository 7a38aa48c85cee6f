"""process_shard: from one piece of input to its TURN, DETECTION and REJECT parts and the numbers that add up.

Pure in its piece: equal shards and options give equal bytes on every engine, and a piece that is done is not done again.
"""

from collections.abc import Iterator
from functools import cache

import msgspec
import pyarrow as pa

from pipelines import detect, store
from pipelines.deployments import Deployments, load
from pipelines.errors import InputError
from pipelines.formats.format import Rejected
from pipelines.ingest import GIVEN_UP, Search
from pipelines.ingest.openings import openings_search
from pipelines.ingest.strings import strings_search
from pipelines.job import Journal, Options, Piece, Shard, ShardSummary
from pipelines.join import Scatter
from pipelines.lend import Lending, lent
from pipelines.shard.columns import STAGED_DETECTION, STAGED_REJECT, STAGED_TURN
from pipelines.shard.reading import Passed, Watch, lend_piece, read_bucket, read_piece, scatter_piece
from pipelines.shard.sink import ShardSink
from pipelines.store.compression import DAMAGE

WHOLE_PIECE = -1
"""In the place of an item: the whole piece."""
ROWS_PER_BATCH = 1 << 15
_summaries = msgspec.json.Decoder(ShardSummary)


def summary_uri(work: str, sid: str) -> str:
    """Where the summary of a finished shard lies; written last, so its presence means that the parts are there."""
    return store.join(work, "shards", f"{sid}.json")


def part_uri(work: str, table: str, sid: str) -> str:
    """Where a shard's unfinished rows of `turns`, `detections` or `rejects` lie."""
    return store.join(work, table, f"{sid}.arrow")


def finished(work: str, sid: str) -> ShardSummary | None:
    """The summary of a shard that is done, None for one that is not."""
    uri = summary_uri(work, sid)
    return _summaries.decode(store.read(uri)) if store.exists(uri) else None


def process_shard(shard: Shard, options: Options, journal: Journal | None = None) -> ShardSummary:
    """Read, judge and write one shard. Raises ConfigurationError only; whatever is wrong with the data is a counted reject.

    `journal` is told of each item before it is read in full, and of the bytes behind it.
    """
    done = finished(options.work, shard.sid)
    if done is not None:
        return done
    sink = ShardSink(options, _deployments(options.deployments))
    sink.lent = lent(shard.lent) if shard.lent and not shard.lends else None
    scatter, lending = Scatter(shard.scatter), Lending()
    batches: list[pa.RecordBatch] = []
    positions = before = 0
    for number, piece in enumerate(shard.pieces[:1] if shard.pieces[0].framing == "joined" else shard.pieces):
        sink.piece, positions = piece, 0
        watch = _watch(number, shard.poison, journal)
        if watch(WHOLE_PIECE):
            sink.outcomes(0, [GIVEN_UP])
            continue
        try:
            for passed, size in _read(shard, piece, options, sink=sink, waiting=(scatter, lending), watch=watch):
                positions = passed
                if journal is not None:
                    journal.passed(before + size, sink.rows)
                if len(sink.turns) >= ROWS_PER_BATCH:
                    batches.append(sink.turns.take(sink.profiles.all))
        except InputError:
            sink.outcomes(positions, [Rejected("unreadable_file", "it is gone, or may not be read")])
            positions += 1
        except DAMAGE as error:
            sink.outcomes(positions, [Rejected("damaged_file", type(error).__name__)])
            positions += 1
        sink.flush()
        before += piece.size
    batches.append(sink.turns.take(sink.profiles.all))
    scatter.write(options.work, shard.sid)
    if shard.lends:
        lending.write(shard.lent, shard.sid)
    return _write(shard, options, sink=sink, batches=batches, positions=positions)


def _read(
    shard: Shard, piece: Piece, options: Options, *, sink: ShardSink, waiting: tuple[Scatter, Lending], watch: Watch
) -> Iterator[Passed]:
    scatter, lending = waiting
    if shard.lends:
        return lend_piece(piece, options, lending=lending, sink=sink, watch=watch)
    if shard.scatter:
        return scatter_piece(piece, options, scatter=scatter, sink=sink, watch=watch)
    if piece.framing == "joined":
        return read_bucket(shard, options, sink=sink, watch=watch)
    return read_piece(piece, options, search=_search() if options.model is None else None, sink=sink, watch=watch)


def _write(
    shard: Shard, options: Options, *, sink: ShardSink, batches: list[pa.RecordBatch], positions: int
) -> ShardSummary:
    summary = ShardSummary(
        sid=shard.sid,
        number=shard.number,
        positions=positions,
        items=sink.items,
        turns=sink.rows,
        chained=sink.chained,
        detections=len(sink.detections),
        rejects=len(sink.rejects),
        size=shard.size,
        coverage=tuple((*source, dict(count)) for source, count in sorted(sink.coverage.items())),
    )
    store.write_stream(part_uri(options.work, "turns", shard.sid), STAGED_TURN, batches)
    store.write_stream(part_uri(options.work, "detections", shard.sid), STAGED_DETECTION, [sink.detections.take()])
    store.write_stream(part_uri(options.work, "rejects", shard.sid), STAGED_REJECT, [sink.rejects.take()])
    store.write(summary_uri(options.work, shard.sid), msgspec.json.encode(summary))
    return summary


def _watch(number: int, poison: tuple[tuple[int, int], ...], journal: Journal | None) -> Watch:
    if journal is None and not poison:
        return lambda place: False

    def watch(place: int) -> bool:
        if journal is not None:
            journal(number, place)
        return (number, place) in poison

    return watch


@cache
def _search() -> Search:
    needles = detect.NEEDLES_BY_CHANNEL
    return Search(
        content=strings_search(needles["content"]),
        reasoning=strings_search(needles["reasoning"]),
        history=strings_search(needles["messages"]),
        openings=openings_search(detect.OPENINGS),
    )


@cache
def _deployments(path: str | None) -> Deployments:
    return load(path, store.read)

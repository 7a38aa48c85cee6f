"""Findings in the text that they stand in, read again from the source log; for people who look at leaks, never published.

Detections hold places and hashes only, so the log has to be where it was when the run read it.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pipelines import plan, store
from pipelines.formats.format import Format, Item, Partner, Place, Rejected
from pipelines.ingest import Reader, parsed
from pipelines.job import Options, Piece
from pipelines.schema import Record
from pipelines.shard.reading import decoded_items, format_of


@dataclass(frozen=True)
class Context:
    """One finding with `before` and `after` of the text around it, and the whole record it was found in.

    For channels other than content and reasoning, `leak` is empty and the record has to be looked at.
    """

    finding: Mapping[str, Any]
    before: str
    leak: str
    after: str
    record: Record


def context(
    findings: Iterable[Mapping[str, Any]], *, around: int = 160, mapping: str | None = None
) -> Iterator[Context]:
    """The findings (rows of DETECTION) whose source can still be read, each with `around` characters on both sides.

    A source that is gone or changed yields nothing for its findings. `mapping`: the user's own mapping file of the run.
    """
    by_source: dict[str, list[Mapping[str, Any]]] = {}
    for finding in findings:
        by_source.setdefault(finding["source_uri"], []).append(finding)
    for uri, rows in by_source.items():
        records = _records(uri, {row["source_pos"] for row in rows}, mapping)
        for row in rows:
            record = records.get((row["source_pos"], row["choice"]))
            if record is not None:
                yield _context(row, record, around)


def _context(row: Mapping[str, Any], record: Record, around: int) -> Context:
    text = {"content": record.content, "reasoning": record.reasoning}.get(row["channel"]) or ""
    start, end = min(row["start"], len(text)), min(row["end"], len(text))
    return Context(row, text[max(0, start - around) : start], text[start:end], text[end : end + around], record)


def _records(uri: str, positions: set[int], mapping: str | None) -> dict[tuple[int, int], Record]:
    options = Options(work="", mapping=mapping)
    if not store.exists(uri):
        return {}
    records: dict[tuple[int, int], Record] = {}
    for decision in plan.plan([uri], options).decisions:
        piece = Piece(decision.uri, decision.framing, decision.format, decision.codec)
        found = format_of(decision.format, options)
        with store.opened(piece.uri, piece.codec) as file:
            items = enumerate(decoded_items(piece, file))
            outcomes = (
                _joined(found, items, uri)
                if found is not None and found.join_key
                else _alone(found, items, uri, positions)
            )
            for outcome in outcomes:
                if isinstance(outcome, Record) and outcome.source_pos in positions:
                    records.setdefault((outcome.source_pos, outcome.choice), outcome)
    return records


_Items = Iterable[tuple[int, Item | Rejected | None]]


def _alone(found: Format | None, items: _Items, uri: str, positions: set[int]) -> Iterator[object]:
    reader = Reader(uri, found, lambda _: False)
    last = max(positions)
    for number, item in items:
        if number > last:
            return
        if number in positions and item is not None and not isinstance(item, Rejected):
            for inner in found.explode(item) if found is not None and found.explode is not None else (item,):
                yield from reader.outcomes(inner, Place(uri, number))


def _joined(found: Format, items: _Items, uri: str) -> Iterator[object]:
    assert found.join_key is not None
    calls: dict[str, list[Partner]] = {}
    for number, item in items:
        if item is not None and not isinstance(item, Rejected):
            for inner in found.explode(item) if found.explode is not None else (item,):
                key = found.join_key(inner)
                calls.setdefault(f"{number}" if key is None else f"={key}", []).append(
                    Partner(inner, Place(uri, number))
                )
    for partners in calls.values():
        yield from parsed(found, tuple(partners), partners[0].place)

"""What the formats read of the files in data/samples: the decoded items of a file, and the outcomes of each."""

import gzip
from collections.abc import Iterable
from json import JSONDecodeError, JSONDecoder
from pathlib import Path

import pyarrow.parquet as pq
import zstandard

from pipelines.formats import by_name, recognise
from pipelines.formats.format import Format, Item, Outcome, Partner, Place
from pipelines.formats.sse import looks_like_events, streams

SAMPLES = Path(__file__).parents[1] / "data" / "samples"


def content(path: Path) -> bytes:
    """The bytes of a file, decompressed."""
    raw = path.read_bytes()
    if raw[:2] == b"\x1f\x8b":
        return gzip.decompress(raw)
    if raw[:4] == b"\x28\xb5\x2f\xfd":
        with zstandard.ZstdDecompressor().stream_reader(raw) as reader:
            return reader.read()
    return raw


def items(path: Path) -> tuple[list[Item], str]:
    """The items of a file, and its framing (json, text or sse)."""
    raw = content(path)
    if raw[:4] == b"PAR1":
        return pq.read_table(path).to_pylist(), "json"
    if looks_like_events(raw):
        return list(streams([raw])), "sse"
    try:
        return list(values(raw.decode())), "json"
    except JSONDecodeError:
        return raw.decode().splitlines(), "text"


def values(text: str) -> Iterable[Item]:
    """The JSON values in a text, the elements of an array one by one."""
    decoder, at = JSONDecoder(), 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        value, at = decoder.raw_decode(text, at)
        yield from value if isinstance(value, list) else [value]


def format_of(path: Path) -> Format | None:
    found, framing = items(path)
    return recognise(found[:8], framing)


def outcomes(path: Path, name: str | None = None) -> list[list[Outcome]]:
    """The outcomes of each item of a file, its partners (if its format has any) all in it."""
    found, framing = items(path)
    reads = by_name(name) if name else recognise(found[:8], framing)
    assert reads is not None
    places = [Place(path.name, position) for position in range(len(found))]
    if reads.join_key is not None:
        return [list(reads.parse((Partner(item, place),), place)) for item, place in zip(found, places, strict=True)]
    return [list(reads.parse(item, place)) for item, place in zip(found, places, strict=True)]

"""Every log format that leakrate reads, as the tuple FORMATS, and how the format of a file is recognised."""

from collections.abc import Iterable, Iterator

from pipelines.errors import ConfigurationError
from pipelines.formats import kong, langfuse, openai_batch, otlp, pair, sglang, sse, vllm
from pipelines.formats.format import Format, Item
from pipelines.formats.litellm import payload, spendlogs
from pipelines.formats.mapping import shipped

__all__ = ["FORMATS", "by_name", "named", "recognise"]

FORMATS: tuple[Format, ...]
"""In the order in which a file is tried; put together, when it is asked for, from what follows: the line of a format stands there."""

_FIRST: tuple[Format, ...] = (
    payload.FORMAT,
    spendlogs.FORMAT,
    pair.FORMAT,
    openai_batch.FORMAT,
    sse.FORMAT,
    otlp.FORMAT,
    langfuse.FORMAT,
    kong.FORMAT,
)
_LAST: tuple[Format, ...] = (sglang.FORMAT, vllm.FORMAT)
"""Before them come the shipped mappings, whose files take 0.02 s to read: that waits until no format of _FIRST will do."""


def __getattr__(name: str) -> tuple[Format, ...]:
    if name == "FORMATS":
        return tuple(_in_order())
    raise AttributeError(name)


def _in_order() -> Iterator[Format]:
    yield from _FIRST
    yield from shipped()
    yield from _LAST


def named(name: str) -> Format | None:
    """The format of that name, None where there is none."""
    return next((candidate for candidate in _in_order() if candidate.name == name), None)


def by_name(name: str) -> Format:
    """The format of that name; a ConfigurationError names the allowed ones."""
    found = named(name)
    if found is None:
        allowed = ", ".join(candidate.name for candidate in _in_order())
        raise ConfigurationError(f"--format {name}: no such format; allowed are auto, {allowed}")
    return found


def recognise(items: Iterable[Item], framing: str = "json") -> Format | None:
    """The format that most of a file's first items have the shape of; None where none has. `framing`: json, text or sse."""
    sample = list(items)
    best, most = None, 0
    for candidate in _in_order():
        votes = sum(candidate.recognise(item) for item in sample) if candidate.framing == framing else 0
        if votes > most:
            best, most = candidate, votes
        if most == len(sample):
            break
    return best

"""Every log format that leakrate reads, as the tuple FORMATS, and how the format of a file is recognised."""

from collections.abc import Iterable

from pipelines.errors import ConfigurationError
from pipelines.formats import kong, langfuse, openai_batch, otlp, pair, sglang, sse, vllm
from pipelines.formats.format import Format, Item
from pipelines.formats.litellm import payload, spendlogs
from pipelines.formats.mapping import SHIPPED

__all__ = ["FORMATS", "by_name", "recognise", "why_unknown"]

FORMATS: tuple[Format, ...] = (
    payload.FORMAT,
    spendlogs.FORMAT,
    pair.FORMAT,
    openai_batch.FORMAT,
    sse.FORMAT,
    otlp.FORMAT,
    langfuse.FORMAT,
    kong.FORMAT,
    *SHIPPED,
    sglang.FORMAT,
    vllm.FORMAT,
)
"""In the order in which a file is tried."""


def by_name(name: str) -> Format:
    """The format of that name; a ConfigurationError names the allowed ones."""
    for candidate in FORMATS:
        if candidate.name == name:
            return candidate
    allowed = ", ".join(candidate.name for candidate in FORMATS)
    raise ConfigurationError(f"--format {name}: no such format; allowed are auto, {allowed}")


def recognise(items: Iterable[Item], framing: str = "json") -> Format | None:
    """The format that most of a file's first items have the shape of; None where none has. `framing`: json, text or sse."""
    sample = list(items)
    candidates = [candidate for candidate in FORMATS if candidate.framing == framing]
    votes = [sum(candidate.recognise(item) for item in sample) for candidate in candidates]
    return candidates[votes.index(max(votes))] if any(votes) else None


def why_unknown(item: Item) -> str:
    """Why no format knows an item, without any text of it."""
    return pair.near_miss(item) or "no format knows this shape"

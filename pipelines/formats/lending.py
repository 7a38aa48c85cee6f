"""Rows that are no turns but complete the turns of other logs: engine logs lend the raw text, access logs the fields they know."""

from collections.abc import Iterable, Iterator

from pipelines.formats.format import Outcome, Skipped
from pipelines.schema import Record

LENT_FIELDS = (
    *("raw_text", "time", "provider", "api_base", "model_id", "model_requested", "model_deployed"),
    *("engine", "engine_version", "template_version", "finish_reason", "stop_detail"),
)
"""What a row may lend; a turn takes what it does not know itself."""
_PREFIXES = ("chatcmpl-", "cmpl-", "resp_")


def unlent(outcomes: Iterable[Outcome], reason: str) -> Iterator[Outcome]:
    """The outcomes of rows that are lent, as the run counts them: skipped for this reason where they hold something."""
    for outcome in outcomes:
        yield Skipped(reason) if isinstance(outcome, Record) else outcome


def names(record: Record) -> tuple[str, ...]:
    """The ids by which rows of different logs may know one call, the engine's own id first.

    vLLM puts an API prefix before the X-Request-Id that a gateway sends, so an id counts with and without it.
    """
    ids = (record.response_id, record.source_id, record.call_id, record.trace_id)
    found: dict[str, None] = {}
    for one in ids:
        for name in (one, *((one.removeprefix(prefix) for prefix in _PREFIXES) if one else ())):
            if name:
                found.setdefault(name)
    return tuple(found)


def complete(record: Record, lent: Record) -> Record:
    """The turn with what another log knows of it, in the fields that its own log leaves open."""
    for name in LENT_FIELDS:
        value = getattr(lent, name)
        if value is not None and getattr(record, name) is None:
            setattr(record, name, value)
    for name in ("input", "output", "reasoning"):
        if getattr(record.usage, name) is None:
            setattr(record.usage, name, getattr(lent.usage, name))
    return record

"""What a record adds to COVERAGE: the names of the counters that it raises by one."""

from pipelines.families import UNKNOWN_FAMILY, Family
from pipelines.schema import Identity, Record


def counters(record: Record, identity: Identity, family: Family) -> tuple[str, ...]:
    """Columns of COVERAGE and dotted names of its `detail`; the same for all records of a profile."""
    flags = {
        "scannable": record.content_state == "text" and record.body_logged,
        "redacted": record.content_state == "redacted" or not record.body_logged,
        "truncated": record.content_state == "truncated",
        "merged": record.choices_merged,
        "reasoning_visible": record.body_logged and record.reasoning_state in ("present", "empty"),
        "reasoning_dropped": record.reasoning_state == "dropped_by_format",
        "tool_calls_visible": record.body_logged and record.tool_calls_state in ("present", "empty"),
        "tools_known": record.tools is not None,
        "messages_known": record.messages is not None,
        "raw_text": record.raw_text is not None,
        "chunks": record.chunks is not None,
        "family_unknown": family is UNKNOWN_FAMILY,
        "time_unknown": record.time is None,
        "sampled": record.sampling_fraction < 1,
    }
    return (
        "records",
        *(name for name, raised in flags.items() if raised),
        f"conversation.{record.conversation_source}",
        *(f"rewritten.{how}" for how in sorted(record.gateway_rewrites)),
        *(f"contradiction.{column}" for column in identity.contradictions),
        *(("ignored_metadata",) if record.ignored_metadata else ()),
        *(("redacted_leftover",) if record.redacted_leftover is not None else ()),
    )

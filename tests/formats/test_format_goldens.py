"""Expected records, written by reading the samples, against what the formats read: every field of every record."""

import json
from pathlib import Path
from typing import Any

import pytest

from pipelines.formats.format import Skipped
from pipelines.schema import Record
from tests.sample_files import SAMPLES, outcomes

GOLDENS = sorted((Path(__file__).parents[1] / "golden" / "formats").glob("*.json"))
DEFAULTS = Record(source_id="", source_uri="", source_pos=0)
NOT_COMPARED = {"source_uri", "source_pos", "messages", "conversation", "light"}
"""Places are checked apart; messages by position and last role; a guessed conversation is a hash, checked by its source."""


def shown(record: Record) -> dict[str, Any]:
    """The record as the goldens write it."""
    fields = {name: getattr(record, name) for name in Record.__struct_fields__ if name not in NOT_COMPARED}
    usage = record.usage
    return fields | {
        "usage": [usage.input, usage.output, usage.reasoning, usage.estimated],
        "tools": None if record.tools is None else [tool.name for tool in record.tools],
        "tool_calls": [{"name": call.name, "arguments": call.arguments, "id": call.id} for call in record.tool_calls],
        "parts": [[part.start, part.end, part.phase, part.item] for part in record.parts],
        "stop": None if record.stop is None else list(record.stop),
        "chunks": None if record.chunks is None else len(record.chunks),
        "gateway_rewrites": sorted(record.gateway_rewrites),
        "ignored_metadata": list(record.ignored_metadata),
        "remediation": [[action.action, action.extra_tokens] for action in record.remediation],
    }


def declared_conversation(record: Record) -> dict[str, str | None]:
    named = record.conversation_source in ("declared", "session", "trace", "response_chain")
    return {"conversation": record.conversation} if named else {}


@pytest.mark.parametrize("golden", GOLDENS, ids=lambda path: path.stem)
def test_every_field_of_every_record_is_as_read_by_a_person(golden: Path) -> None:
    wanted = json.loads(golden.read_text())
    got = outcomes(SAMPLES / wanted["sample"])
    assert len(got) == len(wanted["items"])
    for item, found in zip(wanted["items"], got, strict=True):
        if "skipped" in item:
            assert found == [Skipped(item["skipped"])], item["position"]
            continue
        records = [outcome for outcome in found if isinstance(outcome, Record)]
        assert len(records) == len(found) == len(item["records"]), item["position"]
        for expected, record in zip(item["records"], records, strict=True):
            full = shown(DEFAULTS) | wanted["always"] | expected
            assert record.source_pos == item["position"]
            assert shown(record) | declared_conversation(record) == full, item["position"]

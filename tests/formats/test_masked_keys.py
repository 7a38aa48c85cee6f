"""Rows of LiteLLM's table whose key is masked: nobody's conversation, as without a key."""

from typing import Any

import pytest

from pipelines.formats import by_name
from pipelines.formats.format import Place
from pipelines.schema import Record
from tests.sample_files import SAMPLES, items

MASK = "REDACTED_BY_LITELM"


@pytest.mark.parametrize("shown", [{}, {"startTime": None, "endTime": None}], ids=["with a time", "without a time"])
@pytest.mark.parametrize("end_user", ["", "u-7"])
def test_a_masked_key_is_nobodys_key(shown: dict[str, Any], end_user: str) -> None:
    """Rows of strangers whose keys are masked are no conversation: they are read as rows without a key are."""
    row = items(SAMPLES / "spendlogs" / "rows.jsonl")[0][0]
    row |= {"proxy_server_request": "{}", "session_id": None, "end_user": end_user, "response": "{}", **shown}
    conversations = []
    for key in (MASK, None, "", "key-1"):
        (found,) = by_name("litellm_spendlogs").parse(row | {"api_key": key}, Place("log", 0))
        assert isinstance(found, Record)
        conversations.append((found.conversation, found.conversation_source))
    masked, none, empty, own = conversations
    assert masked == none == empty != own
    if shown and not end_user:
        assert masked == (None, "none")

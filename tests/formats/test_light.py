"""The light reading of LiteLLM payloads: what it agrees on, what it leaves to the full reading, what its opening covers."""

import json
from pathlib import Path

import pytest

from pipelines.formats.format import OPENING, Light, opening
from pipelines.formats.litellm.light import light_reader
from tests.formats_agree import disagreements
from tests.sample_files import SAMPLES, content, items

FILES = ("payloads.jsonl", "payloads_gzip.jsonl.gz", "payloads_zstd.jsonl.zst", "hand_made.jsonl", "untrimmed.jsonl")
FILES += ("redacted.jsonl", "disconnect.jsonl", "version_1_80_5.jsonl", "tables.jsonl")
PLAIN = items(SAMPLES / "litellm" / "hand_made.jsonl")[0][7]
"""A plain row: position 7, answered from the cache."""


UUID = "01234567-89ab-4def-8123-456789abcdef"


def read_light(row: bytes) -> Light | None:
    return light_reader("log")(row, 5)


def line(**changes: object) -> bytes:
    return json.dumps(PLAIN | changes).encode()


def answered(text: object, **message: object) -> bytes:
    row = json.loads(line())
    row["response"]["choices"][0]["message"] |= {"content": text, **message}
    return json.dumps(row).encode()


@pytest.mark.parametrize("name", FILES)
def test_both_readings_of_every_sample_row_agree(name: str) -> None:
    for number, row in enumerate(content(SAMPLES / "litellm" / name).splitlines()):
        assert disagreements(row) == [], number


def test_most_sample_rows_are_read_light() -> None:
    rows = content(SAMPLES / "litellm" / "payloads.jsonl").splitlines()
    read = [number for number, row in enumerate(rows) if read_light(row)]
    full = [number for number in range(len(rows)) if number not in read]
    # streams that open with a pair (5, 7, 9), several choices (27, 28), Responses (34-36), a text completion (39), failures (40, 41)
    assert full == [5, 7, 9, 27, 28, 34, 35, 36, 39, 40, 41]


@pytest.mark.parametrize(
    "row",
    [
        line(status="failure"),
        line(litellm_call_id=None),
        line(error_str="Client disconnected the request"),
        line(call_type="aresponses"),
        line(messages="a prompt"),
        line(messages=[{"role": "user", "content": "redacted-by-litellm"}]),
        line(messages=[{"role": "user", "content": [{"type": "tool_result", "content": "x"}]}]),
        line(model_parameters={"n": 2}),
        line(model_parameters=None),
        line(startTime="soon"),
        line(response={"choices": []}),
        line(guardrail_information=[{"guardrail_name": "x"}]),
        line(metadata={"requester_metadata": {"remediation": {"action": "strip"}}}),
        answered([{"type": "text", "text": "Yes."}]),
        answered("redacted-by-litellm"),
        answered("Yes.", reasoning="Look."),
        answered("Yes.", refusal="No."),
        answered(None, tool_calls=[{"function": {"name": "x", "arguments": "redacted-by-litellm"}}]),
        answered(None, tool_calls={"function": {}}),
        b"{",
        b"\xff",
        b"[" * 5000,
        b"",
    ],
    ids=lambda row: row[-60:].decode(errors="replace"),
)
def test_an_uncommon_row_is_left_to_the_full_reading(row: bytes) -> None:
    assert read_light(row) is None


@pytest.mark.parametrize(
    "text", ["Yes.", "", "é" * 900, "🫖" * 900, "\n" * 900, '"' * 900, "a" * 5000, "<\u2028>" * 300]
)
@pytest.mark.parametrize("ascii_only", [True, False])
def test_the_opening_covers_the_first_characters_whatever_the_escapes(text: str, ascii_only: bool) -> None:
    row = json.loads(line())
    row["response"]["choices"][0]["message"]["content"] = text
    found = read_light(json.dumps(row, ensure_ascii=ascii_only).encode())
    assert found is not None
    wanted = json.dumps(text[:OPENING], ensure_ascii=ascii_only)[1:-1].encode()
    assert opening(found.content).startswith(wanted)


MOVED = [
    # (reasoning, content, the engine's own fields of the choice, flag)
    ("Look.", "Yes.", {}, "think_stripped_possible"),
    ("\nLook.\n", "\n\nYes.", {}, "think_stripped"),
    ("Look.\n", "Yes.", {}, "think_stripped"),
    ("ends in a backslash and n: \\n", "Yes.", {"stop_reason": None}, None),
    ("Look.", "\n\nYes.", {"stop_reason": None}, "think_stripped_possible"),
    ("Look.", "Yes.", {"stop_reason": None, "token_ids": None}, None),
    ("\nLook.\n", "\n\nYes.", {"matched_stop": 7}, None),
]


@pytest.mark.parametrize(("reasoning", "text", "own", "flag"), MOVED)
def test_a_moved_pair_is_flagged_as_far_as_the_row_shows_it(
    reasoning: str, text: str, own: dict[str, object], flag: str | None
) -> None:
    row = json.loads(answered(text, reasoning_content=reasoning, provider_specific_fields=None))
    row["response"]["choices"][0]["provider_specific_fields"] = own
    raw = json.dumps(row).encode()
    found = read_light(raw)
    assert found is not None and disagreements(raw) == []
    assert {name for name in found.record.gateway_rewrites if name.startswith("think")} == ({flag} if flag else set())


@pytest.mark.parametrize(
    ("metadata", "source"),
    [
        ({}, "first_message"),
        ({"requester_metadata": {"trace_id": UUID, "desk": None, "remediation": None}}, "trace"),
        ({"requester_custom_headers": {"x-trace": UUID}}, "trace"),
        ({"requester_metadata": {"session_id": UUID}}, "session"),
        ({"requester_metadata": {"session_id": UUID, "litellm_session_id_generated": True}}, "first_message"),
    ],
)
def test_an_id_that_the_client_sent_is_found_without_decoding_what_it_sent(
    metadata: dict[str, object], source: str
) -> None:
    found = read_light(line(trace_id=UUID, metadata=metadata))
    assert found is not None and found.conversation_source == source
    assert (found.conversation == UUID) is (source != "first_message")
    assert disagreements(line(trace_id=UUID, metadata=metadata)) == []


def test_rows_of_one_deployment_do_not_share_what_differs() -> None:
    first = read_light(answered("Yes.", provider_specific_fields={"reasoning": "x"}, reasoning_content="x"))
    second = read_light(line(id="other", end_user="desk-9", trace_id="mine"))
    assert first is not None and second is not None
    assert (first.record.reasoning_state, second.record.reasoning_state) == ("present", "empty")
    assert (first.record.caller, second.record.caller) == ("hash-quay|", "hash-quay|desk-9")
    assert (second.record.conversation, second.record.conversation_source) == ("mine", "trace")
    assert first.record.source_id != second.record.source_id


def test_samples_lie_where_they_are_expected() -> None:
    assert all(Path(SAMPLES / "litellm" / name).is_file() for name in FILES)

"""What every format promises, over all of FORMATS and all sample files."""

import inspect
from importlib import import_module
from pathlib import Path

import pytest

from pipelines.errors import ConfigurationError
from pipelines.formats import FORMATS, by_name, recognise
from pipelines.formats.format import Format, Place, Rejected, Skipped
from pipelines.schema import Record
from tests.sample_files import SAMPLES, format_of, items, outcomes

SHOWS = {"content", "reasoning", "tool_calls", "tools", "messages", "chunks", "raw_text", "finish_reason", "time"}
FRAMINGS = {"json", "text", "sse"}

RECOGNISED = {
    "litellm/array.json": "litellm",
    "litellm/disconnect.jsonl": "litellm",
    "litellm/gw/2026-11-30/time-12-55-04-878493_chatcmpl-d2d89ca62d8440e2a0c2d1e2cab4751b.json": "litellm",
    "litellm/hand_made.jsonl": "litellm",
    "litellm/payloads.jsonl": "litellm",
    "litellm/payloads_gzip.jsonl.gz": "litellm",
    "litellm/payloads_zstd.jsonl.zst": "litellm",
    "litellm/redacted.jsonl": "litellm",
    "litellm/tables.jsonl": "litellm",
    "litellm/untrimmed.jsonl": "litellm",
    "litellm/version_1_80_5.jsonl": "litellm",
    "spendlogs/rows.jsonl": "litellm_spendlogs",
    "spendlogs/rows.parquet": "litellm_spendlogs",
    "batch/input.jsonl": "openai_batch",
    "batch/output.jsonl": "openai_batch",
    "pair/pairs.jsonl": "pair",
    "sse/chat_litellm_cut_stream.txt": "sse",
    "sse/messages_vllm033_think_leak.txt": "sse",
    "sse/responses_litellm.txt": "sse",
    "sse/several.txt": "sse",
    "otlp/genai_spans.jsonl": "otlp",
    "otlp/genai_logs.jsonl": "otlp",
    "otlp/litellm_v2.jsonl": "otlp",
    "langfuse/observations_v2.jsonl": "langfuse",
    "kong/ai_log.jsonl": "kong",
    "mapped/databricks.parquet": "databricks_inference_table",
    "mapped/bedrock.json.gz": "bedrock_invocation",
    "mapped/helicone.jsonl": "helicone",
    "mapped/portkey.jsonl": "portkey",
    "mapped/envoy_access_log.jsonl": "envoy_access_log",
    "engines/sglang.jsonl": "sglang",
    "engines/vllm.log": "vllm",
}
OWN_FILES = sorted(
    path for folder in ("litellm", "spendlogs", "batch", "pair", "sse") for path in (SAMPLES / folder).rglob("*.*")
)
WRONG_ITEMS = (
    None,
    True,
    0,
    1.5,
    "",
    "text",
    [],
    {},
    {"id": None},
    [[]],
    {"custom_id": 1},
    {"response": "x"},
    {"choices": 3},
)


@pytest.mark.parametrize(("name", "expected"), RECOGNISED.items())
def test_a_sample_is_recognised_by_its_shape(name: str, expected: str) -> None:
    found = format_of(SAMPLES / name)
    assert found is not None and found.name == expected


@pytest.mark.parametrize("path", OWN_FILES, ids=lambda path: path.name)
def test_each_item_alone_is_recognised_as_its_file_is(path: Path) -> None:
    found, framing = items(path)
    whole = recognise(found, framing)
    readable = [item for item in found if recognise([item], framing) is not None]
    assert whole is not None
    assert all(recognise([item], framing) is whole for item in readable)
    assert len(readable) >= len(found) - 1


@pytest.mark.parametrize("reads", FORMATS, ids=lambda reads: reads.name)
def test_a_format_says_what_it_is(reads: Format) -> None:
    assert reads.title and reads.sources
    assert set(reads.shows) <= SHOWS and len(set(reads.shows)) == len(reads.shows)
    assert reads.framing in FRAMINGS
    assert by_name(reads.name) is reads
    assert inspect.getdoc(import_module(reads.parse.__module__))


def test_every_sample_file_has_its_format_named_here_or_is_of_the_same_folder() -> None:
    named = {Path(name).parts[0] for name in RECOGNISED}
    assert {path.relative_to(SAMPLES).parts[0] for path in SAMPLES.rglob("*.*") if path.parent != SAMPLES} == named


def test_names_are_unique_and_an_unknown_one_is_refused_with_the_allowed_ones() -> None:
    assert len({reads.name for reads in FORMATS}) == len(FORMATS)
    with pytest.raises(ConfigurationError, match="litellm, litellm_spendlogs, pair"):
        by_name("litelm")


@pytest.mark.parametrize("reads", FORMATS, ids=lambda reads: reads.name)
@pytest.mark.parametrize("item", WRONG_ITEMS, ids=repr)
def test_an_item_of_another_shape_is_an_outcome_and_not_an_exception(reads: Format, item: object) -> None:
    reads.recognise(item)
    found = list(reads.parse(item, Place("log.jsonl", 7)))
    assert found
    assert all(isinstance(outcome, Record | Skipped | Rejected) for outcome in found)


@pytest.mark.parametrize("path", OWN_FILES, ids=lambda path: path.name)
def test_records_agree_with_their_own_states(path: Path) -> None:
    for position, found in enumerate(outcomes(path)):
        assert found
        records = [outcome for outcome in found if isinstance(outcome, Record)]
        assert len({record.choice for record in records}) == len(records)
        for record in records:
            assert (record.source_uri, record.source_pos) == (path.name, position)
            assert record.source_id
            check_states(record)


def check_states(record: Record) -> None:
    if record.content_state in ("text", "truncated", "shuffled"):
        assert record.content
    else:
        assert not record.content
    assert (record.reasoning_state == "present") == bool(record.reasoning)
    assert (record.tool_calls_state == "present") == bool(record.tool_calls)
    assert record.body_logged or record.content_state in ("redacted", "absent")
    assert (record.response_format is not None) == (record.response_format_state == "present")
    assert all(record.content and part.end <= len(record.content) for part in record.parts)
    assert (record.messages is None) == (
        record.position == 0 and record.last_role is None
    ) or record.previous_response_id
    assert record.time is None or 1.7e9 < record.time < 1.9e9


def test_a_rejected_item_never_repeats_the_text_of_the_log() -> None:
    hostile = "the secret of the harbour"
    for reads in FORMATS:
        for item in ({"id": hostile}, {"custom_id": hostile, "x": hostile}, hostile, [hostile]):
            for outcome in reads.parse(item, Place("log.jsonl", 0)):
                if isinstance(outcome, Rejected):
                    assert hostile not in outcome.message and hostile not in outcome.code


def test_the_same_calls_in_a_file_of_payloads_and_in_one_object_a_file_have_the_same_call_ids() -> None:
    def ids(path: Path) -> set[str | None]:
        return {record.call_id for found in outcomes(path) for record in found if isinstance(record, Record)}

    folder = SAMPLES / "litellm"
    single = {call for path in (folder / "gw").rglob("*.json") for call in ids(path)}
    assert len(single) == 3
    assert single <= ids(folder / "payloads.jsonl") | ids(folder / "payloads_zstd.jsonl.zst")

"""Batch outputs and their inputs: joined on `custom_id`, in any order, within their folder, never with a wrong request."""

from typing import Any

from pipelines.formats import by_name
from pipelines.formats.format import Outcome, Partner, Place, Skipped
from pipelines.schema import Record
from tests.sample_files import SAMPLES, items

BATCH = by_name("openai_batch")


def output(custom_id: str = "n-1", content: str = "Yes.", **fields: Any) -> dict[str, Any]:
    body = {"id": "c-1", "object": "chat.completion", "created": 1796040000, "model": "m", "choices": [choice(content)]}
    return {
        "id": "vllm-1",
        "custom_id": custom_id,
        "response": {"status_code": 200, "body": body},
        "error": None,
        **fields,
    }


def choice(content: str) -> dict[str, Any]:
    return {"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": "stop"}


def sent(question: str, custom_id: str = "n-1") -> dict[str, Any]:
    body = {"model": "alias", "messages": [{"role": "user", "content": question}]}
    return {"custom_id": custom_id, "method": "POST", "url": "/v1/chat/completions", "body": body}


def read(*partners: tuple[dict[str, Any], str]) -> list[Outcome]:
    joined = tuple(Partner(item, Place(uri, number)) for number, (item, uri) in enumerate(partners))
    return list(BATCH.parse(joined, joined[0].place))


def asked(outcomes: list[Outcome]) -> list[str | None]:
    records = [outcome for outcome in outcomes if isinstance(outcome, Record)]
    return [record.messages[0].content if record.messages else None for record in records]


def test_the_sample_is_joined_and_every_line_counts_once() -> None:
    partners: dict[str, list[Partner]] = {}
    for name in ("input.jsonl", "output.jsonl"):
        for position, item in enumerate(items(SAMPLES / "batch" / name)[0]):
            assert BATCH.join_key is not None
            key = BATCH.join_key(item)
            assert key is not None
            partners.setdefault(key, []).append(Partner(item, Place(name, position)))
    found = {key: list(BATCH.parse(tuple(group), group[0].place)) for key, group in partners.items()}
    assert sum(len(outcomes) for outcomes in found.values()) == 10
    records = {key: outcome for key, outcomes in found.items() for outcome in outcomes if isinstance(outcome, Record)}
    assert {key: record.content for key, record in records.items()} == {
        "n-1": "Yes, slip 14 is free.",
        "n-2": "<think>\n\n</think>\n\nDock C has it.",
        "n-3": '<tool_call>\n{"name": "book_slip", "arguments": {"slip": "22"}}\n</tool_call>',
        "n-4": None,
    }
    first, second, third, fourth = (records[f"n-{number}"] for number in range(1, 5))
    assert (first.source_uri, first.source_pos, first.source_id, first.call_id) == (
        "output.jsonl",
        1,
        "n-1",
        "vllm-n-1",
    )
    assert (first.reasoning, first.engine_version, first.model_requested) == (
        "Slip 14 is open.",
        "0.33.0",
        "tide-reasoner",
    )
    assert second.chat_template_kwargs == {"enable_thinking": False}
    assert third.tools is not None and [tool.name for tool in third.tools] == ["book_slip"]
    assert (fourth.content_state, fourth.finish_reason, fourth.response_format_state) == ("null", "length", "present")
    assert found["n-5"] == [Skipped("request_joined"), Skipped("failed")]


def test_an_output_without_its_input_is_judged_with_its_request_unknown() -> None:
    (record,) = read((output(), "out.jsonl"))
    assert isinstance(record, Record)
    assert (record.content, record.messages, record.tools, record.response_format_state) == (
        "Yes.",
        None,
        None,
        "unknown",
    )


def test_an_input_without_output_is_no_turn() -> None:
    assert read((sent("A"), "in.jsonl")) == [Skipped("request_without_response")]


def test_of_inputs_with_the_same_id_the_one_in_the_same_folder_is_taken() -> None:
    found = read((sent("monday"), "mon/in.jsonl"), (sent("tuesday"), "tue/in.jsonl"), (output(), "tue/out.jsonl"))
    assert asked(found) == ["tuesday"]


def test_inputs_that_differ_in_one_folder_leave_the_request_unknown() -> None:
    assert asked(read((sent("A"), "in-1.jsonl"), (sent("B"), "in-2.jsonl"), (output(), "out.jsonl"))) == [None]
    assert asked(read((sent("A"), "in-1.jsonl"), (sent("A"), "in-2.jsonl"), (output(), "out.jsonl"))) == ["A"]


def test_errors_are_no_turns() -> None:
    failed = output(error={"message": "no"}, response={"status_code": 400, "body": None})
    refused = output(response={"status_code": 500, "body": {"error": {"message": "no"}}})
    assert read((failed, "out.jsonl")) == [Skipped("failed")]
    assert read((refused, "out.jsonl")) == [Skipped("failed")]


def test_other_batch_results_are_no_calls() -> None:
    assert read((output(response={"status_code": 200, "body": {"object": "list", "data": []}}), "out.jsonl")) == [
        Skipped("not_a_call")
    ]

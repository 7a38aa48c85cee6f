"""Mapping files: what they can say, and that a wrong one is refused with file, key and the allowed values."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.errors import ConfigurationError
from pipelines.formats.format import Outcome, Partner, Place, Rejected, Skipped
from pipelines.formats.mapping import SHIPPED, load
from pipelines.formats.mapping.paths import compiled, replaced, values
from pipelines.schema import Record, Remediation

WRONG = Path(__file__).parent.parent / "golden" / "wrong_mappings"
REFUSED = {
    "bad_path": "key 'fields.response': 'response..body' is not a path: see position 8",
    "drops_is_text": "key 'drops' needs tables: [[drops]]",
    "empty_list_of_paths": "key 'fields.response' is empty; allowed: a path, a table, or a list of those",
    "fields_is_text": "key 'fields' is of type str; allowed: a table",
    "join_only_is_text": "key 'join_only' is 'yes'; allowed: true, false",
    "join_only_without_id": "table 'fields' of a join_only source needs one of: response_id, call_id, trace_id",
    "join_without_on": "key 'join.file' is unknown; allowed: on",
    "keep_is_no_list": "key 'keep.status' needs a list of the values to keep",
    "look_around_in_regex": "key 'fields.model_deployed.regex' is no regular expression of RE2",
    "name_missing": "key 'name' is missing",
    "name_with_blanks": "key 'name' is 'My Source'; allowed: lower-case letters, digits and _",
    "no_origin": "key 'fields.response' needs exactly one of: path, paths, from, const, uri",
    "no_response": "table 'fields' needs one of: response, content",
    "not_toml": "not valid TOML",
    "path_is_number": "key 'fields.response' is of type int; allowed: a path, a table, or a list of those",
    "path_with_open_bracket": "key 'fields.response': 'choices[0' is not a path: see position 7",
    "recognise_missing": "key 'recognise' is missing: give a list of paths",
    "remediation_without_actions": "key 'remediation.actions' is missing",
    "translate_is_text": "key 'fields.stream.translate' is of type str; allowed: a table",
    "two_origins": "key 'fields.response' needs exactly one of: path, paths, from, const, uri",
    "unknown_action": "key 'remediation.words.removed' is 'delete'; allowed: strip, regenerate, rescue, cap_exceeded, none",
    "unknown_decoder": "key 'fields.response.decode' is 'yaml'; allowed: none, json, json_if_string, python_literal,",
    "unknown_dialect": "key 'fields.response.dialect' is 'chatml'; allowed: auto, openai_chat,",
    "unknown_dim": "key 'dims.team' is unknown; allowed: engine, engine_version, model,",
    "unknown_drop": "key 'drops[0].fields' is 'thoughts'; allowed: reasoning, tool_calls, finish_reason, tools, messages",
    "unknown_field": "key 'fields.contents' is unknown; allowed: source_id, call_id,",
    "unknown_key": "key 'reader' is unknown; allowed: name, title, gateway, recognise,",
    "unknown_state": "key 'states.lost' is unknown; allowed: external_ref, encrypted, redacted, truncated",
    "unknown_unit": "key 'fields.time.unit' is 'minutes'; allowed: auto, s, ms, us, ns",
    "wrong_assembler": "key 'assembled_by' is 'me'; allowed: engine, gateway, client",
    "wrong_decode_table": "key 'decode.metadata' is 'yaml'; allowed: none, json, json_if_string,",
}
HEAD = 'name = "mine"\nrecognise = ["id"]\n'


@pytest.mark.parametrize("path", sorted(WRONG.glob("*.toml")), ids=lambda path: path.stem)
def test_wrong_mapping_is_refused_in_one_sentence(path: Path) -> None:
    with pytest.raises(ConfigurationError) as caught:
        load(path.read_text(), path.name)
    sentence = str(caught.value)
    assert sentence.startswith(f"{path.name}: {REFUSED[path.stem]}")
    assert "\n" not in sentence


def test_every_refusal_has_its_file() -> None:
    assert {path.stem for path in WRONG.glob("*.toml")} == REFUSED.keys()


def read(mapping: str, *rows: object, uri: str = "memory://rows") -> list[Outcome]:
    found = load(HEAD + mapping, "mine.toml")
    if found.join_key is not None:
        return list(found.parse(tuple(Partner(row, Place(uri, n)) for n, row in enumerate(rows)), Place(uri, 0)))
    return [outcome for n, row in enumerate(rows) for outcome in found.parse(row, Place(uri, n))]


def one(mapping: str, *rows: object, uri: str = "memory://rows") -> Record:
    records = [outcome for outcome in read(mapping, *rows, uri=uri) if isinstance(outcome, Record)]
    assert len(records) == 1
    return records[0]


ANSWER = {
    "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "Seven geese."}}]
}
PLAIN = '[fields]\nresponse = "answer"\n'


@pytest.mark.parametrize(
    ("decode", "value"),
    [
        ("none", ANSWER),
        ("json", '{"choices": [{"index": 0, "finish_reason": "stop", "message": {"content": "Seven geese."}}]}'),
        ("json_if_string", ANSWER),
        ("python_literal", "{'choices': [{'index': 0, 'finish_reason': 'stop', 'message': {'content': 'Seven geese.', 'x': None}}]}"),
        ("base64", "eyJjaG9pY2VzIjogW3siZmluaXNoX3JlYXNvbiI6ICJzdG9wIiwgIm1lc3NhZ2UiOiB7ImNvbnRlbnQiOiAiU2V2ZW4gZ2Vlc2UuIn19XX0="),
        (
            "sse",
            'data: {"choices": [{"index": 0, "delta": {"content": "Seven "}}]}\n\n'
            'data: {"choices": [{"index": 0, "delta": {"content": "geese."}, "finish_reason": "stop"}]}\n\ndata: [DONE]\n\n',
        ),
        (
            "otlp_any",
            {"arrayValue": {"values": [{"kvlistValue": {"values": [
                {"key": "role", "value": {"stringValue": "assistant"}},
                {"key": "content", "value": {"stringValue": "Seven geese."}},
                {"key": "finish_reason", "value": {"stringValue": "stop"}},
            ]}}]}},
        ),
    ],
)  # fmt: skip
def test_every_decoder_leads_to_the_same_answer(decode: str, value: object) -> None:
    record = one(f'[fields]\nresponse = {{ path = "answer", decode = "{decode}" }}\n', {"id": "a", "answer": value})
    assert (record.content, record.content_state, record.finish_reason) == ("Seven geese.", "text", "stop")


@pytest.mark.parametrize(
    ("field", "value", "seconds"),
    [
        ('time = { path = "t", unit = "s" }', 1796040000, 1796040000.0),
        ('time = { path = "t", unit = "ms" }', 1796040000500, 1796040000.5),
        ('time = { path = "t", unit = "us" }', "1796040000000000", 1796040000.0),
        ('time = { path = "t", unit = "ns" }', "1796040000000000000", 1796040000.0),
        ('time = "t"', 1796040000500, 1796040000.5),
        ('time = "t"', "2026-11-30T10:40:00+01:00", 1796031600.0),
        ('time = "t"', "2026-11-30 09:40:00.250000", 1796031600.25),
        ('time = ["missing", "t"]', 1796040000, 1796040000.0),
        ('time = "t"', "soon", None),
        ('time = { path = "t", unit = "ms" }', {"not": "a time"}, None),
    ],
)
def test_times(field: str, value: object, seconds: float | None) -> None:
    assert one(PLAIN + field, {"id": "a", "answer": ANSWER, "t": value}).time == seconds


def test_regex_constant_translation_and_place() -> None:
    mapping = (
        PLAIN
        + """
source_id = { uri = '/([^/]+)\\.json$' }
time = { uri = '/(\\d{4}/\\d\\d/\\d\\d)/' }
model_deployed = { from = "model", regex = '([^/]+)$' }
provider = { const = "own" }
stream = { path = "mode", translate = { live = true, batch = false } }
tool_choice = { path = "forced", then = "required" }
separate_reasoning = { path = "model", then = false, when = { mode = ["live"] } }
caller = { const = "batch job", when = { mode = ["batch"] } }
[dims]
engine_version = { path = "answer.system_fingerprint", regex = '^vllm-([0-9.]+)' }
template_version = ["missing", { const = "ct-1" }]
"""
    )
    row = {
        "id": "x",
        "mode": "live",
        "model": "eu/geese-7b",
        "forced": {},
        "answer": {**ANSWER, "system_fingerprint": "vllm-0.33.0-tp1"},
    }
    record = one(mapping, row, uri="s3://bucket/2026/11/30/call-9.json")
    assert (record.source_id, record.time) == ("call-9", 1795996800.0)
    assert (record.model_deployed, record.provider, record.stream) == ("geese-7b", "own", True)
    assert (record.tool_choice, record.engine_version, record.template_version) == ("required", "0.33.0", "ct-1")
    assert (record.separate_reasoning, record.caller) == (False, None)


def test_keep_error_and_rows_that_are_no_objects() -> None:
    mapping = 'error = "problem"\n[keep]\nstatus = { values = [200], reason = "failed" }\nkind = ["chat"]\n' + PLAIN
    rows = [
        {"id": "a", "status": 200, "kind": "chat", "answer": ANSWER},
        {"id": "b", "status": 500, "kind": "chat", "answer": ANSWER},
        {"id": "c", "status": "200", "kind": "embedding", "answer": ANSWER},
        {"id": "d", "problem": "no engine", "answer": ANSWER},
        ["not", "a", "row"],
    ]
    outcomes = read(mapping, *rows)
    assert isinstance(outcomes[0], Record)
    assert outcomes[1:4] == [Skipped("failed"), Skipped("filtered"), Skipped("failed")]
    assert isinstance(outcomes[4], Rejected)


def test_answer_put_together_from_its_fields() -> None:
    mapping = """
[fields]
source_id = "id"
content = "text"
reasoning = "thoughts"
tool_calls = "calls"
finish_reason = "end"
messages = "history"
stop = "stops[]"
"""
    call = {"id": "c1", "type": "function", "function": {"name": "count", "arguments": "{}"}}
    row = {
        "id": "a",
        "text": "Seven.",
        "thoughts": "Count.",
        "calls": [call],
        "end": "stop",
        "history": [{"role": "user", "content": "?"}],
    }
    record = one(mapping, {**row, "stops": ["##", "END"]})
    assert (record.content, record.reasoning, record.finish_reason) == ("Seven.", "Count.", "stop")
    assert record.tool_calls[0].name == "count"
    assert record.stop == ("##", "END")
    assert record.tools is None, "no field of the mapping says what tools were offered"


@pytest.mark.parametrize(
    ("row", "state"),
    [
        ({"answer": ANSWER}, "text"),
        ({"answer": None}, "absent"),
        ({}, "absent"),
        ({"moved": "s3://elsewhere"}, "external_ref"),
        ({"answer": {"type": "sealed", "data": "x"}, "sealed": "x"}, "encrypted"),
        ({"answer": {"choices": [{"message": {"content": "[hidden]"}}]}}, "redacted"),
        ({"answer": '{"choices": [{"message": {"content": "Seven ge'}, "truncated"),
        ({"answer": {"choices": [{"message": {"content": None}}]}}, "null"),
        ({"answer": {"choices": [{"message": {"content": ""}}]}}, "empty"),
    ],
)
def test_visibility(row: dict[str, object], state: str) -> None:
    mapping = """
[fields]
response = { path = "answer", decode = "json_if_string" }
[states]
external_ref = "moved"
encrypted = "sealed"
[redaction]
equals = ["[hidden]"]
"""
    record = one(mapping, {"id": "a", **row})
    assert record.content_state == state
    assert record.body_logged == (state in ("text", "truncated", "null", "empty"))
    if state == "truncated":
        assert (record.content, record.finish_reason, record.tool_calls_state) == (
            "Seven ge",
            None,
            "dropped_by_format",
        )


def test_a_response_of_no_known_shape_is_a_reject_without_its_text() -> None:
    (outcome,) = read(PLAIN, {"id": "a", "answer": {"verdict": "secret words"}})
    assert isinstance(outcome, Rejected)
    assert "secret" not in outcome.message + outcome.code


def test_fields_that_the_source_cannot_show() -> None:
    mapping = PLAIN + '[[drops]]\nfields = ["reasoning", "tool_calls"]\nwhen = { stream = [true] }\n'
    streamed = one(mapping, {"id": "a", "stream": True, "answer": ANSWER})
    plain = one(mapping, {"id": "a", "stream": False, "answer": ANSWER})
    assert (streamed.reasoning_state, streamed.tool_calls_state) == ("dropped_by_format", "dropped_by_format")
    assert (plain.reasoning_state, plain.tool_calls_state) == ("empty", "empty")


@pytest.mark.parametrize(
    ("weight", "share"),
    [(0.25, 0.25), ("0.5", 0.5), (1, 1.0), (0, 1.0), (7, 1.0), (None, 1.0), ("all", 1.0), ([], 1.0)],
)
def test_sampling_fraction(weight: object, share: float) -> None:
    assert one('weight = "w"\n' + PLAIN, {"id": "a", "w": weight, "answer": ANSWER}).sampling_fraction == share


@pytest.mark.parametrize(
    ("logged", "actions", "visible"),
    [
        ({"did": ["stripped", "again"], "cost": 40}, (Remediation("strip", 40), Remediation("regenerate", 0)), True),
        ({"did": "rescue"}, (Remediation("rescue", 0),), True),
        ({"did": "nothing"}, (), True),
        ({"did": "cap_exceeded", "cost": "12"}, (Remediation("cap_exceeded", 12),), True),
        ({}, (), False),
    ],
)
def test_remediation(logged: dict[str, object], actions: tuple[Remediation, ...], visible: bool) -> None:
    mapping = PLAIN + (
        '[remediation]\nactions = "repair.did"\nextra_tokens = "repair.cost"\nwords = { again = "regenerate", nothing = "none" }\n'
    )
    record = one(mapping, {"id": "a", "repair": logged, "answer": ANSWER})
    assert (record.remediation, record.remediation_visible) == (actions, visible)


def test_partners_make_one_turn_at_the_place_of_the_answer() -> None:
    mapping = '[join]\non = "id"\n[fields]\nsource_id = "id"\nrequest = "request"\nresponse = "answer"\n'
    request = {"messages": [{"role": "user", "content": "How many?"}], "tools": []}
    outcomes = read(mapping, {"id": "a", "request": request}, {"id": "a", "answer": ANSWER})
    record = next(outcome for outcome in outcomes if isinstance(outcome, Record))
    assert (record.content, record.source_pos, record.tools) == ("Seven geese.", 1, ())
    assert record.messages is not None and record.messages[0].content == "How many?"
    assert outcomes.count(Skipped("duplicate")) == 1


def test_a_row_that_holds_several_calls() -> None:
    found = load('name = "mine"\nrecognise = ["calls"]\nexplode = "calls[]"\n' + PLAIN, "mine.toml")
    assert found.explode is not None
    inner = list(found.explode({"calls": [{"answer": ANSWER}, {"answer": ANSWER}]}))
    assert len(inner) == 2
    assert list(found.explode({"calls": "none"})) == [{"calls": "none"}]


@pytest.mark.parametrize(
    ("path", "row", "found"),
    [
        ("a.b", {"a": {"b": 1}}, [1]),
        ("a[1]", {"a": [1, 2]}, [2]),
        ("a[]", {"a": [1, None, 3]}, [1, 3]),
        ("a[].b", {"a": [{"b": 1}, {"c": 2}, {"b": 3}]}, [1, 3]),
        ("['a.b'].c", {"a.b": {"c": 1}}, [1]),
        ('a["x y"]', {"a": {"x y": 1}}, [1]),
        ("a.*", {"a": {"b": 1, "c": 2}}, [1, 2]),
        ("['m.*.text']", {"m.0.text": "x", "m.1.text": "y", "m.1.b.text": "z", "m..text": "w"}, ["x", "y"]),
        ("a.b", {"a": [("b", 1), ("c", 2)]}, [1]),
        ("a.b", {"a": "text"}, []),
        ("a[0]", {"a": {"0": 1}}, []),
        ("a[9]", {"a": [1]}, []),
    ],
)
def test_paths(path: str, row: object, found: list[object]) -> None:
    assert list(values(compiled(path), row)) == found


def test_a_value_is_replaced_without_touching_the_row() -> None:
    row = {"a": [{"b": "1"}], "c": 2}
    assert replaced(compiled("a[0].b"), row, 1) == {"a": [{"b": 1}], "c": 2}
    assert row == {"a": [{"b": "1"}], "c": 2}
    assert replaced(compiled("x.y"), row, 1) is row


@given(st.text(max_size=40))
def test_a_path_is_compiled_or_refused_with_a_sentence(text: str) -> None:
    try:
        assert compiled(text)
    except ValueError as error:
        assert str(error)


@given(st.text(max_size=200))
def test_any_text_is_a_mapping_or_a_configuration_error(text: str) -> None:
    try:
        load(text, "any.toml")
    except ConfigurationError as error:
        assert str(error).startswith("any.toml: ")


def test_shipped_mappings_say_where_their_paths_come_from() -> None:
    for found in SHIPPED:
        assert found.title and found.sources, found.name
        assert all(source.endswith("2026-11-30") for source in found.sources), found.name

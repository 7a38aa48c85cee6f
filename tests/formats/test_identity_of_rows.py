"""Times, conversations, engines, model names and trace ids as rows give them."""

from datetime import UTC, datetime

import pytest

from pipelines.formats.conversation import FIRST_CHARACTERS, conversation_of
from pipelines.formats.litellm.names import api_of, bare_model, client_ids, is_generated
from pipelines.formats.litellm.truncation import is_truncated, without_prose
from pipelines.formats.record import declared, engine_of, ignored
from pipelines.formats.remediation import read_remediation
from pipelines.formats.values import compact, decoded, seconds, whole
from pipelines.schema import Remediation

NOON = 1796040000.0

TIMES: list[tuple[object, float | None]] = [
    (1796040000, NOON),
    (1796040000.5, NOON + 0.5),
    (1796040000000, NOON),
    (1796040000000000, NOON),
    (1796040000000000000, NOON),
    ("1796040000", NOON),
    ("1796040000000000000", NOON),
    ("2026-11-30T12:00:00Z", NOON),
    ("2026-11-30T12:00:00+00:00", NOON),
    ("2026-11-30T13:00:00+01:00", NOON),
    ("2026-11-30T12:00:00", NOON),
    ("2026-11-30 12:00:00.500000", NOON + 0.5),
    ("2026-11-30 12:00:00.500000+00:00", NOON + 0.5),
    ("2026-11-30 12:00:00 UTC", NOON),
    (datetime(2026, 11, 30, 12, tzinfo=UTC), NOON),
    (datetime(2026, 11, 30, 12), NOON),
    (None, None),
    (True, None),
    (0, None),
    (-5, None),
    ("", None),
    ("2026-11-30t12:00:00z", NOON),
    ("2026-11-30T12:00:00z", NOON),
    ("2026-11-30t14:00:00.000+02:00", NOON),
    ("20261130T120000Z", NOON),
    ("20261130T120000.000Z", NOON),
    ("20261130T140000+0200", NOON),
    ("20261130t120000z", NOON),
    ("2026-W49-1T12:00:00Z", NOON),
    ("2026-11-30T12:00:00,5Z", NOON + 0.5),
    ("2026-11-30T11:59:60Z", NOON - 1),
    ("2026-11-30 12:00:00 +0000 UTC", NOON),
    ("2026-11-30T12:00:00 Z", NOON),
    ("2026-11-30T12:00:61Z", None),
    ("20261345T120000Z", None),
    ("20261130T", None),
    ("2026 was a year", None),
    ("soon", None),
    ("2026-13-45T00:00:00Z", None),
    ("9" * 400, None),
    (float("nan"), None),
    (float("inf"), None),
    (10**300, None),
    ([], None),
]


@pytest.mark.parametrize(("value", "expected"), TIMES, ids=lambda value: repr(value)[:40])
def test_a_time_is_seconds_since_1970_in_utc(value: object, expected: float | None) -> None:
    assert seconds(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"), [(3, 3), (3.0, 3), ("3", 3), (True, None), ("x", None), (1e400, None), (None, None)]
)
def test_whole_numbers(value: object, expected: int | None) -> None:
    assert whole(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ('{"a": 1}', {"a": 1}),
        ("[1]", [1]),
        ("{", "{"),
        ("plain", "plain"),
        ({"a": 1}, {"a": 1}),
        (None, None),
        ("[" * 9999, "[" * 9999),
    ],
)
def test_json_in_a_string_is_decoded_and_all_else_stays(value: object, expected: object) -> None:
    assert decoded(value) == expected


def test_objects_are_written_back_without_blanks() -> None:
    assert compact({"a": [1, None], "b": "é"}) == '{"a":[1,null],"b":"é"}'


ENGINES: list[tuple[object, str | None, tuple[str | None, str | None]]] = [
    # (fingerprint, declared version, (engine, version))
    ("vllm-0.33.0-tp2-1f0c9ab2", None, ("vllm", "0.33.0")),
    ("vllm-0.33.0rc1-tp2-1f0c9ab2", None, ("vllm", "0.33.0rc1")),
    ("vllm-0.33.0-tp2-1f0c9ab2", "0.32.0", ("vllm", "0.33.0")),
    ("fp_44709d6fcb", "0.33.0", (None, "0.33.0")),
    (None, "v0.33.0", (None, "0.33.0")),
    (None, "vllm-0.33.0", ("vllm", "0.33.0")),
    (None, "nightly", (None, "nightly")),
    ("REDACTED_BY_LITELM", None, (None, None)),
    (7, None, (None, None)),
    ("vllm-\ud800", None, (None, None)),
]


@pytest.mark.parametrize(("fingerprint", "version", "expected"), ENGINES)
def test_the_fingerprint_tells_the_engine_and_wins(
    fingerprint: object, version: str | None, expected: tuple[str | None, str | None]
) -> None:
    assert engine_of(fingerprint, version) == expected


def test_declared_metadata_is_read_by_its_known_names() -> None:
    given = {"chat_template_version": "ct-2", "chat_template": "ct-1", "engine": None, "model": 3, "desk": "north"}
    assert declared(given) == {"template_version": "ct-2"}
    assert declared({"chat_template": "ct-1", "conversation": "c"}) == {
        "template_version": "ct-1",
        "declared_conversation": "c",
    }
    assert ignored(given) == ("desk",)


def test_the_first_known_name_of_a_conversation_wins() -> None:
    known = {"declared": "d", "session": "s", "trace": "t", "chain": "r", "caller": "c", "first": "Hello", "time": NOON}
    sources = []
    for name in list(known):
        sources.append(conversation_of(**known)[1])  # type: ignore[arg-type]
        known[name] = None  # type: ignore[assignment]
    assert sources == [
        "declared",
        "session",
        "trace",
        "response_chain",
        "first_message",
        "first_message",
        "caller_hour",
    ]
    assert conversation_of() == (None, "none")


def test_a_guessed_conversation_is_the_same_for_the_same_caller_and_first_message() -> None:
    long = "x" * 3000
    shortened = "x" * 716 + "\n" + "x" * 1331
    assert conversation_of(caller="a", first=long) == conversation_of(caller="a", first=shortened)
    assert conversation_of(caller="a", first="A") != conversation_of(caller="b", first="A")
    assert conversation_of(caller="a", first="A") != conversation_of(caller="a", first="B")
    assert conversation_of(caller="a", time=NOON) == conversation_of(caller="a", time=NOON + 1799)
    assert conversation_of(caller="a", time=NOON) != conversation_of(caller="a", time=NOON + 3600)
    assert FIRST_CHARACTERS < 716


HEX, UUID = "0123456789abcdef" * 2, "01234567-89ab-4def-8123-456789abcdef"

TRACES: list[tuple[str | None, tuple[str | None, ...], bytes, tuple[str | None, str | None, str | None]]] = [
    # (trace id, sessions, what the client sent, (trace that groups attempts, client's session, client's trace))
    (HEX, (None, None), b"", (HEX, None, None)),
    (HEX, ("desk-7", None), b"", (HEX, "desk-7", None)),
    ("desk-7", (None, None), b"", (None, None, "desk-7")),
    (UUID, (None, None), b"", (UUID, None, None)),
    (UUID, (None, None), f'{{"trace_id":"{UUID}"}}'.encode(), (None, None, UUID)),
    (UUID, (UUID, None), f'{{"session_id":"{UUID}"}}'.encode(), (None, UUID, UUID)),
    (HEX, (HEX, "desk-8"), b"", (HEX, "desk-8", None)),
    (None, (None, ""), b"", (None, None, None)),
]


@pytest.mark.parametrize(("trace", "sessions", "sent", "expected"), TRACES)
def test_generated_trace_ids_group_attempts_and_a_clients_own_make_conversations(
    trace: str | None,
    sessions: tuple[str | None, ...],
    sent: bytes,
    expected: tuple[str | None, str | None, str | None],
) -> None:
    assert client_ids(trace, sessions, (b"", sent)) == expected


@pytest.mark.parametrize(
    ("text", "sent", "expected"),
    [
        (HEX, b"", True),
        (HEX, HEX.encode(), True),
        (HEX[:-1], b"", False),
        (HEX[:-1] + "g", b"", False),
        (UUID, b"", True),
        (UUID, b"{}", True),
        (UUID.upper(), b"", True),
        (UUID, f'{{"user_id":"u_1_session_{UUID}"}}'.encode(), False),
        (UUID[:-1] + "g", b"", False),
        (UUID[:-1] + "-", b"", False),
        (UUID.replace("-", "_"), b"", False),
        ("x-y", b"", False),
    ],
)
def test_an_id_was_generated_that_has_the_form_and_that_nobody_sent(text: str, sent: bytes, expected: bool) -> None:
    assert is_generated(text, (sent,)) is expected


MODELS: list[tuple[str | None, str | None, str | None]] = [
    ("hosted_vllm/qwen3", "hosted_vllm", "qwen3"),
    ("hosted_vllm/openai/gpt-oss-20b", "hosted_vllm", "openai/gpt-oss-20b"),
    ("openai/gpt-oss-20b", "hosted_vllm", "openai/gpt-oss-20b"),
    ("openai/qwen3", "text-completion-openai", "qwen3"),
    ("Qwen/Qwen3-8B", "hosted_vllm", "Qwen/Qwen3-8B"),
    ("hosted_vllm/", "hosted_vllm", "hosted_vllm/"),
    (None, "hosted_vllm", None),
    ("qwen3", None, "qwen3"),
    ("hosted_vllm/Qwen/Qwen3-8B", None, "Qwen/Qwen3-8B"),
    ("openai/gpt-oss-20b", None, "openai/gpt-oss-20b"),
]


@pytest.mark.parametrize(("name", "provider", "expected"), MODELS)
def test_only_the_providers_own_prefix_is_cut_and_only_once(
    name: str | None, provider: str | None, expected: str | None
) -> None:
    assert bare_model(name, provider) == expected


@pytest.mark.parametrize(
    ("call_type", "route", "expected"),
    [
        ("acompletion", "/v1/chat/completions", "chat"),
        ("atext_completion", "/v1/completions", "completions"),
        ("aresponses", "/v1/responses", "responses"),
        ("completion", "/v1/messages", "messages"),
        ("anthropic_messages", "", "messages"),
        ("acompletion", "/openai/deployments/x/chat/completions", "chat"),
        ("aembedding", "", "unknown"),
    ],
)
def test_the_api_is_the_route_that_the_client_called(call_type: str, route: str, expected: str) -> None:
    assert api_of(call_type, route) == expected


PROSE = "... (litellm_truncated skipped 562 chars. A note (with brackets) follows. Set `X` in your env.) ..."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"head{PROSE}tail", "head\ntail"),
        (f"a{PROSE}b{PROSE}c", "a\nb\nc"),
        ("head... (litellm_truncated skipped 5 chars) ...tail", "head\ntail"),
        ("no prose at all", "no prose at all"),
        (
            "... (litellm_truncated skipped 5 chars without an end",
            "... (litellm_truncated skipped 5 chars without an end",
        ),
    ],
)
def test_the_sentence_about_what_was_cut_is_taken_out(text: str, expected: str) -> None:
    assert without_prose(text) == expected
    assert is_truncated(text) is ("litellm_truncated" in text)


ACTIONS: list[tuple[object, tuple[Remediation, ...], bool]] = [
    (None, (), False),
    ([{"guardrail_name": "pii", "guardrail_response": [{"entity": "PHONE"}]}], (), True),
    ([{"guardrail_response": {"action": "strip"}}], (Remediation("strip"),), True),
    ({"guardrail_response": '{"action": "rescued", "extra_tokens": 12}'}, (Remediation("rescue", 12),), True),
    (
        [{"action": "regenerate", "extra_tokens": "120"}, {"action": "cap_exceeded"}],
        (Remediation("regenerate", 120), Remediation("cap_exceeded")),
        True,
    ),
    ("strip", (Remediation("strip"),), True),
    ([{"action": "mask"}, 3, None], (), True),
]


@pytest.mark.parametrize(("source", "actions", "visible"), ACTIONS)
def test_remediation_actions_are_read_where_the_gateway_logs_them(
    source: object, actions: tuple[Remediation, ...], visible: bool
) -> None:
    assert read_remediation(source) == (actions, visible)

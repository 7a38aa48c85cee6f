"""Who wins where log and deployment file speak, which deployment matches, and what an identity key tells apart."""

from datetime import UTC, datetime

import pytest

from pipelines.deployments import Deployments, identify, identity_key, load
from pipelines.errors import ConfigurationError
from pipelines.schema import Identity, Record


def record(**fields: object) -> Record:
    return Record(source_id="1", source_uri="log.jsonl", source_pos=0, **fields)


def history(text: str) -> Deployments:
    return load("deployments.toml", lambda path: text.encode() if path == "deployments.toml" else b"template")


def day(number: int) -> float:
    return datetime(2026, 11, number, 12, tzinfo=UTC).timestamp()


def test_a_record_that_says_nothing_is_unknown() -> None:
    assert identify(record(), Deployments()) == Identity()


def test_the_log_alone_gives_an_identity() -> None:
    found = identify(
        record(
            format="litellm",
            gateway="edge",
            model_requested="harbor-reasoner",
            model_deployed="hosted_vllm/Qwen/Qwen3-32B",
            engine_version="vllm-0.33.0-tp2-1a2b3c4d",
            reasoning_parser="qwen3",
            template_version="v7",
        ),
        Deployments(),
    )
    assert found == Identity(
        gateway="edge",
        engine="vllm",
        engine_version="0.33.0",
        model="Qwen/Qwen3-32B",
        template_version="v7",
        served_model="harbor-reasoner",
        family="qwen3",
        reasoning_parser="qwen3",
    )


@pytest.mark.parametrize(
    ("logged", "engine", "version"),
    [
        ("vllm-0.33.0-tp2-1a2b3c4d", "vllm", "0.33.0"),
        ("vllm-0.33.0", "vllm", "0.33.0"),
        ("vLLM-v0.10.1.1-ab", "vllm", "0.10.1.1"),
        ("vllm-0.21.1rc1.dev3", "vllm", "0.21.1"),
        ("sglang 0.5.23", "sglang", "0.5.23"),
        ("0.33.0", "unknown", "0.33.0"),
        ("main c81093757", "unknown", "main c81093757"),
        ("", "unknown", "unknown"),
    ],
)
def test_engine_and_version_are_read_from_a_fingerprint(logged: str, engine: str, version: str) -> None:
    found = identify(record(engine_version=logged), Deployments())
    assert (found.engine, found.engine_version) == (engine, version)


@pytest.mark.parametrize(("engine", "name"), [("vLLM", "vllm"), ("SGLang", "sglang"), ("TRT-LLM", "TRT-LLM")])
def test_known_engines_have_one_spelling_and_others_stay(engine: str, name: str) -> None:
    assert identify(record(engine=engine), Deployments()).engine == name


DECLARED = history("""
[[deployment]]
match = { model_id = "qwen-eu" }
engine = "vllm"
engine_version = "0.32.0"
frontend = "rust"
model = "Qwen/Qwen3-32B"
model_version = "9c925d6"
template_version = "qwen3-2"
gateway_version = "1.108.7"
observation_point = "before_gateway"
args = '''
--reasoning-parser qwen3 --enable-auto-tool-choice --tool-call-parser hermes --async-scheduling
--default-chat-template-kwargs '{"enable_thinking": false}' --structured-outputs-config.enable_in_reasoning=true
--reasoning-config '{"reasoning_start_str": "<think>", "reasoning_end_str": "Enough.</think>"}' --revision 123abc
'''
""")


def test_the_deployment_file_fills_what_the_log_does_not_say() -> None:
    found = identify(record(format="litellm", model_id="qwen-eu", model_requested="harbor"), DECLARED)
    assert found == Identity(
        gateway="litellm",
        gateway_version="1.108.7",
        engine="vllm",
        engine_version="0.32.0",
        model="Qwen/Qwen3-32B",
        model_version="9c925d6",
        template_version="qwen3-2",
        served_model="harbor",
        family="qwen3",
        observation_point="before_gateway",
        frontend="rust",
        reasoning_parser="qwen3",
        tool_call_parser="hermes",
        auto_tool_choice=True,
        speculative_decoding="off",
        async_scheduling="on",
        server_thinking=False,
        reasoning_start_str="<think>",
        reasoning_end_str="Enough.</think>",
        enable_in_reasoning=True,
    )


def test_the_log_wins_but_for_the_model_and_differences_are_named() -> None:
    found = identify(
        record(
            model_id="qwen-eu",
            model="declared/name",
            engine="sglang",
            engine_version="0.5.23",
            template_version="v7",
            reasoning_parser="deepseek_r1",
            observation_point="after_gateway",
            reasoning_end_str="</think>",
        ),
        DECLARED,
    )
    assert (found.engine, found.engine_version, found.template_version) == ("sglang", "0.5.23", "v7")
    assert (found.reasoning_parser, found.tool_call_parser) == ("deepseek_r1", "hermes")
    assert (found.observation_point, found.reasoning_end_str) == ("after_gateway", "</think>")
    assert found.model == "Qwen/Qwen3-32B"
    assert found.contradictions == (
        "engine",
        "engine_version",
        "template_version",
        "observation_point",
        "reasoning_parser",
    )


@pytest.mark.parametrize("logged", ["vllm-0.32.0-tp2-1a2b3c4d", "0.32.0", "v0.32.0", "0.32.0+cu129"])
def test_the_same_version_written_differently_is_no_contradiction(logged: str) -> None:
    assert identify(record(model_id="qwen-eu", engine_version=logged), DECLARED).contradictions == ()


@pytest.mark.parametrize(
    ("args", "reasoning_parser", "tool_call_parser"),
    [
        ('args = "--tool-call-parser qwen3_xml"', "none", "qwen3_xml"),
        ('args = ""', "none", "none"),
        ('args = "--config serve.yaml"', "unknown", "unknown"),
        ("", "unknown", "unknown"),
    ],
)
def test_a_parser_is_none_only_where_all_flags_are_known(
    args: str, reasoning_parser: str, tool_call_parser: str
) -> None:
    found = identify(record(model_id="a"), history(f'[[deployment]]\nmatch = {{ model_id = "a" }}\n{args}\n'))
    assert (found.reasoning_parser, found.tool_call_parser) == (reasoning_parser, tool_call_parser)


def test_a_template_file_gives_the_version_when_none_is_declared() -> None:
    text = '[[deployment]]\nmatch = { model_id = "a" }\nargs = "--chat-template t.jinja"\n'
    assert identify(record(model_id="a"), history(text)).template_version == "sha256:5cde0f1298f4"
    declared = text + 'template_version = "v2"\n'
    assert identify(record(model_id="a"), history(declared)).template_version == "v2"
    assert identify(record(model_id="a", template_version="v3"), history(text)).template_version == "v3"


@pytest.mark.parametrize(
    ("extra", "fields", "family"),
    [
        ('family = "gpt-oss"\nmodel = "Qwen/Qwen3-32B"', {"model_deployed": "hosted_vllm/glm-4.5"}, "gpt-oss"),
        ('model = "Qwen/Qwen3-32B"', {"model_deployed": "hosted_vllm/glm-4.5"}, "qwen3"),
        ('args = "vllm serve zai-org/GLM-4.7"', {"model_deployed": "hosted_vllm/deepseek-r1"}, "glm-4.7/5"),
        ('model = "our-model"', {"model_deployed": "hosted_vllm/glm-4.5"}, "glm-4.5/4.6"),
        ("", {"model_deployed": "hosted_vllm/tide", "model_requested": "kimi-k2-thinking"}, "kimi-k2-thinking"),
        ("", {"model_deployed": "hosted_vllm/tide", "model_requested": "harbor"}, "unknown"),
    ],
)
def test_the_family_is_looked_for_where_the_name_is_surest(extra: str, fields: dict[str, str], family: str) -> None:
    text = f'[[deployment]]\nmatch = {{ model_id = "a" }}\n{extra}\n'
    assert identify(record(model_id="a", **fields), history(text)).family == family


@pytest.mark.parametrize(
    ("match", "fields", "matches"),
    [
        ('model_id = "a"', {"model_id": "a"}, True),
        ('model_id = "a"', {"model_id": "ab"}, False),
        ('api_base = "http://h:8000"', {"api_base": "http://h:8000/v1/chat/completions"}, True),
        ('api_base = "http://h:8000/v1/"', {"api_base": "http://h:8000/v1"}, True),
        ('api_base = "http://h:80"', {"api_base": "http://h:8000/v1"}, False),
        ('model = "qwen3-32b"', {"model_deployed": "hosted_vllm/qwen3-32b"}, True),
        ('model = "hosted_vllm/qwen3-32b"', {"model_deployed": "hosted_vllm/qwen3-32b"}, True),
        ('model = "harbor"', {"model_requested": "harbor", "model_deployed": "hosted_vllm/x"}, True),
        ('model = "harbor"', {"model_requested": "harbor-2"}, False),
        ('gateway = "litellm"', {"format": "litellm"}, True),
        ('gateway = "edge"', {"format": "litellm", "gateway": "edge"}, True),
        ('model_id = "a", gateway = "edge"', {"model_id": "a", "gateway": "edge"}, True),
        ('model_id = "a", gateway = "edge"', {"model_id": "a", "gateway": "core"}, False),
        ('model_id = "a"', {}, False),
    ],
)
def test_a_deployment_matches_when_all_its_keys_do(match: str, fields: dict[str, str], matches: bool) -> None:
    found = identify(record(**fields), history(f'[[deployment]]\nmatch = {{ {match} }}\nengine = "found"\n'))
    assert found.engine == ("found" if matches else "unknown")


TIMED = history("""
[[deployment]]
match = { model_id = "a" }
engine_version = "1"
until = 2026-11-10

[[deployment]]
match = { model_id = "a" }
engine_version = "2"
from = 2026-11-10
until = 2026-11-20

[[deployment]]
match = { model_id = "a" }
engine_version = "3"
from = 2026-11-15

[[deployment]]
match = { model_id = "a", gateway = "edge" }
engine_version = "4"
until = 2026-11-12
""")


@pytest.mark.parametrize(
    ("time", "gateway", "version"),
    [
        (day(9), None, "1"),
        (datetime(2026, 11, 10, tzinfo=UTC).timestamp(), None, "2"),  # until is exclusive, from inclusive
        (day(14), None, "2"),
        (day(16), None, "3"),  # two serve: the later start wins
        (day(21), None, "3"),
        (day(11), "edge", "4"),  # more keys win over a later start
        (day(13), "edge", "2"),
        (None, None, "unknown"),  # a turn without a time fits no span of time
    ],
)
def test_the_deployment_of_the_time_is_taken(time: float | None, gateway: str | None, version: str) -> None:
    assert identify(record(model_id="a", time=time, gateway=gateway), TIMED).engine_version == version


@pytest.mark.parametrize(
    ("other", "version"),
    [
        ('match = { model_id = "a" }\nfrom = 2026-11-10', "unknown"),  # wins from that day on
        ('match = { model_id = "a" }\nfrom = 2026-11-10\nuntil = 2026-11-11', "unknown"),
        ('match = { model_id = "a", gateway = "edge" }\nuntil = 2026-11-11', "unknown"),  # wins until that day
        ('match = { model_id = "a", gateway = "edge" }', "2"),  # wins always
        ('match = { model_id = "b" }\nfrom = 2026-11-10', "1"),  # of others
        ('match = { model_id = "a", gateway = "core" }\nfrom = 2026-11-10', "1"),
    ],
)
def test_a_turn_without_a_time_takes_a_deployment_that_no_other_overrides_at_some_time(
    other: str, version: str
) -> None:
    rows = f'[[deployment]]\nmatch = {{ model_id = "a" }}\nengine_version = "1"\n[[deployment]]\n{other}\nengine_version = "2"\n'
    assert identify(record(model_id="a", gateway="edge"), history(rows)).engine_version == version


def test_a_deployment_with_fewer_keys_never_overrides() -> None:
    rows = '[[deployment]]\nmatch = { model_id = "a", gateway = "edge" }\nengine_version = "1"\n'
    rows += '[[deployment]]\nmatch = { model_id = "a" }\nfrom = 2026-11-10\nengine_version = "2"\n'
    assert identify(record(model_id="a", gateway="edge"), history(rows)).engine_version == "1"


def test_a_tie_on_one_record_names_both_deployments() -> None:
    both = history('[[deployment]]\nmatch = { model_id = "a" }\n[[deployment]]\nmatch = { gateway = "edge" }\n')
    assert identify(record(model_id="a"), both).model == "unknown"
    with pytest.raises(
        ConfigurationError, match=r"deployment 1 \(model_id = 'a'\) and deployment 2 \(gateway = 'edge'\)"
    ):
        identify(record(model_id="a", gateway="edge"), both)


FIELDS = (
    "gateway",
    "gateway_version",
    "format",
    "observation_point",
    "api_base",
    "model_id",
    "model_requested",
    "model_deployed",
    "model",
    "model_version",
    "engine",
    "engine_version",
    "template_version",
    "reasoning_parser",
    "tool_call_parser",
    "reasoning_end_str",
)


@pytest.mark.parametrize("field", FIELDS)
def test_the_identity_key_tells_apart_what_identify_reads(field: str) -> None:
    assert identity_key(record(**{field: "x"}), TIMED) != identity_key(record(), TIMED)


def test_the_identity_key_is_equal_within_an_interval_and_for_other_texts() -> None:
    assert identity_key(record(time=day(11)), TIMED) != identity_key(record(time=day(9)), TIMED)
    assert identity_key(record(time=day(13), content="a"), TIMED) == identity_key(record(time=day(14)), TIMED)
    assert hash(identity_key(record(), TIMED)) == hash(identity_key(record(), TIMED))

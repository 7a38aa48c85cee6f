"""Deployment files: what TOML and CSV become, which deployment serves when, and refusal of wrong files."""

import hashlib
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pipelines import deployments
from pipelines.deployments import load
from pipelines.deployments.history import KEYS
from pipelines.errors import ConfigurationError, InputError

INVALID = Path(__file__).parent / "invalid"

TOML = """
[[deployment]]
match = { model_id = "qwen-eu", gateway = "litellm" }
from = 2026-11-01
until = "2026-11-15T12:00:00Z"
engine = "vllm"
engine_version = "0.32.0"
frontend = "python"
model = "Qwen/Qwen3-32B"
model_version = "9c925d6"
template_version = "qwen3-2"
gateway_version = "1.108.7"
observation_point = "before_gateway"
args = "vllm serve Qwen/Qwen3-32B --reasoning-parser qwen3"

[[deployment]]
match = { api_base = "http://10.0.0.7:8000" }
from = 2026-11-15T13:00:00+01:00
args = ["--model", "Qwen/Qwen3-32B", "--tool-call-parser", "hermes"]
"""

CSV = """\
match_model_id,match_api_base,match_gateway,from,until,engine,engine_version,frontend,model,model_version,template_version,\
gateway_version,observation_point,args
qwen-eu,,litellm,2026-11-01,2026-11-15T12:00:00Z,vllm,0.32.0,python,Qwen/Qwen3-32B,9c925d6,qwen3-2,1.108.7,before_gateway,\
vllm serve Qwen/Qwen3-32B --reasoning-parser qwen3
,http://10.0.0.7:8000,,2026-11-15T13:00:00+01:00,,,,,,,,,,--model Qwen/Qwen3-32B --tool-call-parser hermes
"""


def seconds(*parts: int) -> float:
    return datetime(*parts, tzinfo=UTC).timestamp()


def reader(files: dict[str, bytes]):
    def read(path: str) -> bytes:
        if path not in files:
            raise InputError(f"{path}: no such file")
        return files[path]

    return read


def load_text(text: str, name: str = "ops/deployments.toml", **files: bytes):
    return load(name, reader({name: text.encode(), **files}))


def test_without_a_file_the_history_is_empty() -> None:
    history = load(None, reader({}))
    assert history.rows == () and history.borders == ()


@pytest.mark.parametrize(("name", "text"), [("d.toml", TOML), ("d.csv", CSV), ("D.CSV", CSV)])
def test_toml_and_csv_say_the_same(name: str, text: str) -> None:
    first, second = load_text(text, name).rows
    assert first.match == (("model_id", "qwen-eu"), ("gateway", "litellm"))
    assert (first.start, first.end) == (seconds(2026, 11, 1), seconds(2026, 11, 15, 12))
    assert (first.engine, first.engine_version, first.frontend) == ("vllm", "0.32.0", "python")
    assert (first.model, first.model_version, first.template_version) == ("Qwen/Qwen3-32B", "9c925d6", "qwen3-2")
    assert (first.gateway_version, first.observation_point) == ("1.108.7", "before_gateway")
    assert first.launch is not None and first.launch.reasoning_parser == "qwen3"
    assert second.match == (("api_base", "http://10.0.0.7:8000"),)
    assert (second.start, second.end) == (seconds(2026, 11, 15, 12), None)
    assert second.engine is None
    assert second.launch is not None and second.launch.tool_call_parser == "hermes"


def test_intervals_change_at_every_start_and_end() -> None:
    history = load_text(TOML)
    assert history.borders == (seconds(2026, 11, 1), seconds(2026, 11, 15, 12))
    times = [seconds(2026, 10, 31), seconds(2026, 11, 1), seconds(2026, 11, 15, 11), seconds(2026, 11, 15, 12)]
    assert [history.interval(time) for time in times] == [0, 1, 1, 2]
    assert history.interval(None) == -1


def test_a_template_named_in_the_flags_is_hashed_where_it_can_be_read() -> None:
    template = b"{{ messages }}"
    digest = f"sha256:{hashlib.sha256(template).hexdigest()[:12]}"
    assert len(digest) == len("sha256:") + 12
    args = '[[deployment]]\nmatch = { model_id = "a" }\nargs = "--chat-template %s"\n'
    beside = load_text(args % "templates/qwen.jinja", **{"ops/templates/qwen.jinja": template})
    absolute = load_text(args % "/srv/qwen.jinja", **{"/srv/qwen.jinja": template})
    written_out = load_text(
        "[[deployment]]\nmatch = { model_id = 'a' }\nargs = ['--chat-template', '{{ messages }}']\n"
    )
    missing = load_text(args % "templates/other.jinja")
    assert [history.rows[0].template_hash for history in (beside, absolute, written_out, missing)] == [
        digest,
        digest,
        digest,
        None,
    ]


def test_a_missing_deployment_file_is_an_input_error() -> None:
    with pytest.raises(InputError, match=r"d\.toml: no such file"):
        load("d.toml", reader({}))
    with pytest.raises(InputError, match=r"d\.toml: no such file"):
        load("d.toml", lambda path: None)


def test_the_example_and_the_keys_in_the_readme_are_real() -> None:
    page = (Path(deployments.__file__).parent / "README.md").read_text()
    example = page.split("```toml\n")[1].split("```")[0]
    first, second, third = load_text(example).rows
    assert first.end == second.start == seconds(2026, 11, 15, 12)
    assert first.launch is not None and first.launch.tool_call_parser == "hermes"
    assert second.launch is not None and second.launch.thinking is False
    assert (third.engine, third.family) == ("sglang", "gpt-oss")
    assert [key for key in KEYS if f"`{key}`" not in page] == []


WRONG = [
    ("unknown_top_level_key.toml", ["'deployments'", "[[deployment]]"]),
    ("single_table.toml", ["[[deployment]]"]),
    ("unknown_key.toml", ["deployment 1", "'parser'", "engine_version", "args"]),
    ("without_match.toml", ["deployment 1", "`match`", "model_id, api_base, model, gateway"]),
    ("unknown_match_key.toml", ["deployment 1", "'alias'", "model_id, api_base, model, gateway"]),
    ("number_instead_of_text.toml", ["deployment 1", "`engine_version`", "text in quotes", "0.33"]),
    ("unknown_frontend.toml", ["deployment 1", "`frontend`", "'go'", "python, rust"]),
    ("unknown_observation_point.toml", ["`observation_point`", "'inside'", "before_gateway, after_gateway"]),
    ("unknown_family.toml", ["`family`", "'qwen9'", "leakrate families"]),
    ("from_is_no_date.toml", ["`from`", "2026-11-30T12:00:00Z"]),
    ("until_before_from.toml", ["`until`", "`from`"]),
    ("open_quote_in_args.toml", ["`args`", "quotes do not close"]),
    ("flag_without_value.toml", ["`args`", "--reasoning-parser needs a value"]),
    ("flag_needs_json.toml", ["`args`", "--reasoning-config needs a JSON object"]),
    ("two_that_tie.toml", ["deployment 1 (model_id = 'a')", "deployment 2 (model_id = 'a')", "`from`"]),
    ("not_toml.toml", ["not valid TOML"]),
    ("unknown_column.csv", ["'parser'", "match_model_id", "engine_version"]),
    ("too_many_cells.csv", ["line 2", "more cells than columns"]),
    ("without_match.csv", ["deployment 1", "`match`", "model_id"]),
    ("open_quote.csv", ["not valid CSV"]),
    ("not_utf8.csv", ["not UTF-8", "byte 27"]),
]


@pytest.mark.parametrize(("name", "words"), WRONG, ids=[name for name, _ in WRONG])
def test_a_wrong_file_is_refused_in_one_sentence(name: str, words: list[str]) -> None:
    with pytest.raises(ConfigurationError) as caught:
        load(name, lambda path: (INVALID / path).read_bytes())
    message = str(caught.value)
    assert message.startswith(f"{name}: ") and "\n" not in message
    for word in words:
        assert word in message


def test_the_folder_of_wrong_files_is_tested_whole() -> None:
    assert sorted(path.name for path in INVALID.iterdir()) == sorted(name for name, _ in WRONG)

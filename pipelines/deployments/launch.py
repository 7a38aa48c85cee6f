"""Launch: what the launch flags of vLLM or SGLang say, read as typed on a command line or listed in a manifest."""

import json
import re
import shlex
from collections.abc import Mapping, Sequence

import msgspec

from pipelines.deployments.thinking import from_variables

BARE = frozenset({"enable-auto-tool-choice", "async-scheduling", "disable-overlap-schedule", "trust-remote-code"})
"""Flags that take no value, so that the word behind them is not theirs; each also with `no-` before it."""

_MODEL = ("model", "model-path", "model-tag")
_NEEDS_VALUE = ("reasoning-parser", "tool-call-parser", "chat-template", "revision", "served-model-name", *_MODEL)
_OBJECTS = ("default-chat-template-kwargs", "reasoning-config", "structured-outputs-config", "speculative-config")
_SPECULATIVE = ("speculative-config", "speculative-model", "speculative-algorithm", "speculative-algo")
_ENGINES = {"vllm": "vllm", "sglang": "sglang", "sglang.launch_server": "sglang"}
_NUMBER = re.compile(r"-\d+(\.\d+)?")
_RUST = "VLLM_USE_RUST_FRONTEND="
_IMAGE = re.compile(r"(?P<engine>vllm|sglang)[a-z-]*:v?(?P<version>\d+(\.\d+)+)")
_SHELLS = ("sh", "bash")


class Launch(msgspec.Struct, frozen=True, kw_only=True):
    """The flags that decide where output boundaries are drawn; None where the command line does not say."""

    engine: str | None = None
    engine_version: str | None = None
    """Only where the command line names a container image with its release."""
    model: str | None = None
    revision: str | None = None
    frontend: str | None = None
    reasoning_parser: str | None = None
    tool_call_parser: str | None = None
    auto_tool_choice: bool | None = None
    chat_template: str | None = None
    thinking: bool | None = None
    reasoning_start_str: str | None = None
    reasoning_end_str: str | None = None
    enable_in_reasoning: bool | None = None
    structured_backend: str | None = None
    speculative_decoding: str = "unknown"
    async_scheduling: str = "unknown"
    complete: bool = True
    """False where further flags stand in a file (`--config`), so that a missing flag may still be set there."""
    flags: dict[str, str | None] = {}
    """Every flag by its name with dashes, the last one wins; None for a flag without a value."""


def read_launch(args: str | Sequence[str]) -> Launch:
    """The flags of one command line, as text or as a list of arguments. Raises ValueError that names the flag."""
    words = _words(args)
    flags = _flags(words)
    for name in _NEEDS_VALUE:
        if name in flags and not flags[name]:
            raise ValueError(f"--{name} needs a value")
    objects = {name: _object(name, flags) for name in _OBJECTS}
    thinking = from_variables(objects["default-chat-template-kwargs"])
    engine, version = _engine(words)
    return Launch(
        engine=engine,
        engine_version=version,
        model=next((flags[name] for name in _MODEL if flags.get(name)), None) or _positional_model(words),
        revision=flags.get("revision"),
        frontend=_frontend(words),
        reasoning_parser=flags.get("reasoning-parser"),
        tool_call_parser=flags.get("tool-call-parser"),
        auto_tool_choice=_switch("enable-auto-tool-choice", flags, absent=False if engine == "vllm" else None),
        chat_template=flags.get("chat-template"),
        thinking={"on": True, "off": False}.get(thinking or ""),
        reasoning_start_str=_text(objects["reasoning-config"], "reasoning_start_str"),
        reasoning_end_str=_text(objects["reasoning-config"], "reasoning_end_str"),
        enable_in_reasoning=_boolean(objects["structured-outputs-config"].get("enable_in_reasoning")),
        structured_backend=_text(objects["structured-outputs-config"], "backend") or flags.get("grammar-backend"),
        speculative_decoding=_speculative(flags),
        async_scheduling=_asynchronous(flags),
        complete="config" not in flags,
        flags=flags,
    )


def _words(args: str | Sequence[str]) -> list[str]:
    words = _split(args) if isinstance(args, str) else list(args)
    if (
        len(words) > 2
        and words[0].rpartition("/")[2] in _SHELLS
        and words[1].startswith("-")
        and words[1].endswith("c")
    ):
        return _split(words[2])
    return words


def _split(args: str) -> list[str]:
    text = args.replace("\r\n", "\n").replace("\\\n", " ")
    try:
        return shlex.split(text)
    except ValueError as error:
        raise ValueError(f"the quotes do not close ({error})") from error


def _frontend(words: list[str]) -> str | None:
    """rust or python where the variable that chooses it is set in front of the command or for a container."""
    values = [word.removeprefix(_RUST) for word in words if word.startswith(_RUST)]
    if not values:
        return None
    return "python" if values[-1].lower() in ("0", "false", "") else "rust"


def _engine(words: list[str]) -> tuple[str | None, str | None]:
    """Engine and release, from the program, the module or the container image that is started."""
    for word in words:
        base = word.rpartition("/")[2]
        if base in _ENGINES or base.startswith("vllm.entrypoints"):
            return _ENGINES.get(base, "vllm"), None
        image = _IMAGE.match(base)
        if image is not None:
            return image["engine"], image["version"]
    return None, None


def _flags(words: list[str]) -> dict[str, str | None]:
    flags: dict[str, str | None] = {}
    waiting: str | None = None
    for word in words:
        if word.startswith("--") and len(word) > 2:
            head, equals, value = word[2:].partition("=")
            base, dot, key = head.partition(".")
            name = base.replace("_", "-") + dot + key
            flags[name] = value if equals else None
            waiting = None if equals or base.replace("_", "-").removeprefix("no-") in BARE else name
        else:
            if waiting is not None and (not word.startswith("-") or _NUMBER.fullmatch(word)):
                flags[waiting] = word
            waiting = None
    return flags


def _positional_model(words: list[str]) -> str | None:
    """The word behind `serve`, or the first word where the list begins with the model itself."""
    if "serve" in words[:-1]:
        candidate = words[words.index("serve") + 1]
    else:
        first = next((word for word in words if word != "env" and not word.startswith(_RUST)), "")
        candidate = first if "/" in first and "python" not in first.rpartition("/")[2] else ""
    return candidate if candidate and not candidate.startswith("-") else None


def _object(name: str, flags: Mapping[str, str | None]) -> dict[str, object]:
    """`--name '{…}'` and `--name.key value`, merged; the value of a key is JSON where it reads as JSON."""
    found: dict[str, object] = {}
    if name in flags:
        try:
            value = json.loads(flags[name] or "")
        except ValueError:
            value = None
        if not isinstance(value, dict):
            raise ValueError(f"--{name} needs a JSON object, in single quotes where `args` is one text")
        found.update(value)
    for flag, text in flags.items():
        if flag.startswith(f"{name}."):
            found[flag[len(name) + 1 :]] = _scalar(text)
    return found


def _scalar(text: str | None) -> object:
    if text is None:
        return True
    try:
        value: object = json.loads(text)
    except ValueError:
        return {"true": True, "false": False, "none": None}.get(text.lower(), text)
    return value


def _text(values: Mapping[str, object], key: str) -> str | None:
    value = values.get(key)
    return value if isinstance(value, str) else None


def _boolean(value: object) -> bool | None:
    return value if isinstance(value, bool) else None


def _switch(name: str, flags: Mapping[str, str | None], *, absent: bool | None) -> bool | None:
    if f"no-{name}" in flags:
        return False
    if name not in flags:
        return absent
    return (flags[name] or "true").lower() != "false"


def _speculative(flags: Mapping[str, str | None]) -> str:
    given = [value for flag, value in flags.items() if flag.split(".")[0] in _SPECULATIVE]
    if any((value or "").lower() not in ("none", "null") for value in given):
        return "on"
    return "off" if "config" not in flags else "unknown"


def _asynchronous(flags: Mapping[str, str | None]) -> str:
    """Set by flag only: what a missing flag means has changed between engine versions."""
    if "disable-overlap-schedule" in flags:
        return "off"
    state = _switch("async-scheduling", flags, absent=None)
    return "unknown" if state is None else "on" if state else "off"

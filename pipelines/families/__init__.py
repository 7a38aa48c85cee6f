"""FAMILIES: what every model family writes around reasoning and tool calls, and which family a model id belongs to.

One TOML file per vendor. The first family with a matching pattern wins, so VENDORS is in order of matching, and so are
the tables in each file.
"""

import re
from functools import cache, lru_cache
from importlib.resources import files
from typing import get_args

import msgspec

from pipelines.errors import ConfigurationError
from pipelines.families.family import CALL_SYNTAXES, Family, HistoryRule, ThinkingDefault, Vendor
from pipelines.families.model_ids import compile_patterns, first_match, strip_provider

__all__ = [
    "AMBIGUOUS",
    "CALL_SYNTAXES",
    "FAMILIES",
    "UNKNOWN_FAMILY",
    "VENDORS",
    "Family",
    "by_name",
    "load_vendor",
    "resolve",
    "strip_provider",
]

VENDORS = (
    "not_chat",  # before all: an embedding or guard model carries the name of a chat family
    "deepseek",  # before qwen and meta: the R1 distills are named after their base too
    "qwen",
    "jetbrains",
    "google",
    "zai",
    "mind_lab",
    "recursive_si",
    "minimax",
    "moonshot",
    "openai",
    "beam",
    "thinking_machines",
    "servicenow",
    "nvidia",  # before mistral and meta: Llama-3.1-Nemotron
    "nous",  # before mistral and meta: Hermes-3-Llama-3.1
    "think_tags",  # before mistral and meta: Dolphin3.0-R1-Mistral, cogito-v1-preview-llama
    "mistral",
    "ibm",
    "tencent",
    "bytedance",
    "stepfun",
    "baidu",
    "lg",
    "allenai",
    "cohere",
    "microsoft",
    "salesforce",  # before meta: Llama-xLAM-2
    "meta",
    "ai21",
    "shanghai_ai_lab",
    "swiss_ai",
    "ifm",
    "preferred_networks",
    "liquid",
    "xiaomi",
    "openbmb",
    "inclusion_ai",
    "poolside",
    "meituan",
    "sber",
    "dots",
    "h_company",
    "arcee",
    "kolibri",
    "iquest",
    "nanbeige",
    "iflytek",
    "bharatgen",
    "upstage",
    "naver",
    "hugging_face",
    "speakleash",
    "reka",
    "meetkai",
    "anthropic",
    "generic",
)

AMBIGUOUS = (
    "<s>",
    "</s>",
    "[INST]",
    "[/INST]",
    "[IMG]",
    "[BOS]",
    "[EOS]",
    "[EOT]",
    "<tools>",
    "</tools>",
    "<user>",
    "</user>",
    "<system>",
    "</system>",
    "<assistant>",
    "</assistant>",
    "<available_tools>",
    "</available_tools>",
    "<sep>",
    "<co>",
    "</co",
    "<response>",
    "</response>",
    "/nothink",
)
"""Special tokens that ordinary text holds as well: they count for the families that own them, not for an unknown one."""


def load_vendor(name: str, toml: bytes) -> tuple[Family, ...]:
    """The families of one vendor's TOML file, in order; ConfigurationError names the file and what is wrong in it."""
    try:
        vendor = msgspec.toml.decode(toml, type=Vendor)
    except msgspec.MsgspecError as error:
        raise ConfigurationError(f"families/{name}.toml: {error}{_allowed(str(error))}") from error
    return tuple(msgspec.structs.replace(family, vendor=vendor.vendor) for family in vendor.family)


def _allowed(message: str) -> str:
    """The allowed keys or values that belong to a validation message; "" where its own words suffice."""
    values = {
        "unknown field": msgspec.structs.fields(Family),
        ".thinking_default": get_args(ThinkingDefault),
        ".history_reasoning`": get_args(HistoryRule),
        ".call_syntaxes": CALL_SYNTAXES,
    }
    found = next((allowed for place, allowed in values.items() if place in message), ())
    names = [one if isinstance(one, str) else one.name for one in found]
    return f"; allowed: {', '.join(names)}" if names else ""


def _load() -> tuple[Family, ...]:
    folder = files(__name__)
    return tuple(
        family for name in VENDORS for family in load_vendor(name, folder.joinpath(f"{name}.toml").read_bytes())
    )


FAMILIES: tuple[Family, ...] = _load()
_BY_NAME = {family.name: family for family in FAMILIES}


def _union(field: str) -> tuple[str, ...]:
    literals = dict.fromkeys(literal for family in FAMILIES for literal in getattr(family, field))
    return tuple(literal for literal in literals if literal not in AMBIGUOUS)


UNKNOWN_FAMILY = Family(
    name="unknown",
    vendor="unknown",
    model_name_patterns=(),
    reasons=True,
    reasoning_start=_union("reasoning_start"),
    reasoning_end=_union("reasoning_end"),
    call_syntaxes=_union("call_syntaxes"),  # type: ignore[arg-type]
    call_markers=_union("call_markers"),
    special_tokens=_union("special_tokens"),
    residue=_union("residue"),
    notes="Stands for a model that is not known: every marker of every family, at lower confidence.",
)
"""Markers of all families but the AMBIGUOUS ones. Its opening and closing markers are no pairs."""


def by_name(name: str) -> Family | None:
    """The family of that exact name, UNKNOWN_FAMILY for "unknown", None for any other."""
    return UNKNOWN_FAMILY if name == "unknown" else _BY_NAME.get(name)


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return compile_patterns(tuple((f.name, pattern) for f in FAMILIES for pattern in f.model_name_patterns))


@lru_cache(maxsize=4096)
def resolve(model_id: str) -> Family | None:
    """The family that a model id, alias or path belongs to, None where no pattern matches; a family's own name is its id."""
    named = _BY_NAME.get(model_id)
    if named is not None:
        return named
    name = first_match(_patterns(), model_id)
    return None if name is None else _BY_NAME[name]

"""The gate's policy: what is compared, how strictly, and what is waived until when; from TOML, or the default."""

import datetime
import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pipelines.errors import ConfigurationError, DataError

MODES = ("fixed", "sequential")
COMPARE_BY = ("model", "served_model", "all")
DEFAULT_MEASURES = ("reasoning_leak", "boundary_token", "raw_tool_call", "structured_invalid")


@dataclass(frozen=True)
class Waiver:
    """A failure that is accepted, with the reason, up to and including a day."""

    fingerprint: str
    reason: str
    expires: datetime.date


@dataclass(frozen=True)
class Policy:
    """What the gate compares and decides by; the defaults are the default policy."""

    measures: tuple[str, ...] = DEFAULT_MEASURES
    """Measures that can block; everything else is watched."""
    compare_by: str = "model"
    """What a verdict is given for: each model, each served model (alias), or all traffic together."""
    models: tuple[str, ...] = ()
    """The models (or aliases) that are judged; empty: every one that either side has."""
    mode: str = "fixed"
    """`fixed`: one look at a finished comparison; `sequential`: looked at every day, by e-values."""
    ratio_margin: float = 2.0
    floor: float = 0.0001
    """Leaking conversations per conversation by which the rate must have risen to fail."""
    alpha: float = 0.05
    power: float = 0.8
    """Chance of a decision that the numbers of conversations still needed are reckoned for."""
    quiet_rate: float = 0.01
    """Without a leak on either side the candidate's bound has to be below this."""
    watch_level: float = 0.1
    """False discovery rate of what is watched."""
    waivers: tuple[Waiver, ...] = ()


_TEXTS = {"compare_by": COMPARE_BY, "mode": MODES}
_LISTS = ("measures", "models")
_NUMBERS = {
    "ratio_margin": (1.0, 1000.0),
    "floor": (0.0, 1.0),
    "alpha": (0.0, 0.5),
    "power": (0.0, 1.0),
    "quiet_rate": (0.0, 1.0),
    "watch_level": (0.0, 1.0),
}
"""Key → open interval of allowed values; `floor` may also be 0."""
_KEYS = (*_LISTS, *_TEXTS, *_NUMBERS, "waiver")
_WAIVER_KEYS = ("fingerprint", "reason", "expires")


def fingerprint(*names: str) -> str:
    """Twelve hex digits that name one verdict in a waiver: same measure, version and model give the same digits."""
    return hashlib.sha256("\0".join(names).encode("utf-8", "replace")).hexdigest()[:12]


def read_policy(text: str, name: str) -> Policy:
    """The policy of a TOML text. Raises ConfigurationError that names the file, the key and what is allowed."""
    try:
        table = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigurationError(f"{name} is not valid TOML: {error}") from error
    for key in table:
        if key not in _KEYS:
            raise ConfigurationError(f"{name}: unknown key {key!r}; allowed are {', '.join(_KEYS)}")
    values: dict[str, Any] = {}
    for key, value in table.items():
        if key in _LISTS:
            values[key] = _names(value, key, name)
        elif key in _TEXTS:
            values[key] = _one_of(value, key, name)
        elif key in _NUMBERS:
            values[key] = _number(value, key, name)
    waivers = table.get("waiver", [])
    if not isinstance(waivers, list) or not all(isinstance(item, dict) for item in waivers):
        raise ConfigurationError(f"{name}: waiver must be given as [[waiver]] tables")
    return Policy(**values, waivers=tuple(_waiver(item, name) for item in waivers))


def check_measures(policy: Policy, known: frozenset[str], preview: frozenset[str]) -> None:
    """Raises ConfigurationError for a measure that the counts do not have, or that is a preview rule; DataError without any."""
    if not known:
        raise DataError("neither candidate nor baseline counts a single turn, so there is nothing to compare")
    for measure in policy.measures:
        if measure in preview:
            raise ConfigurationError(f"policy: measures: {measure} is a preview rule, and preview rules never gate")
        if measure not in known:
            raise ConfigurationError(
                f"policy: measures: {measure!r} is not in these counts; they have {', '.join(sorted(known - preview))}"
            )


def _names(value: object, key: str, name: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) and item for item in value):
        raise ConfigurationError(f'{name}: {key} must be a list of names, as in {key} = ["…"]')
    if key == "measures" and not value:
        raise ConfigurationError(f"{name}: measures must name at least one measure")
    if len(set(value)) != len(value):
        raise ConfigurationError(f"{name}: {key} names something twice")
    return tuple(value)


def _one_of(value: object, key: str, name: str) -> str:
    if value not in _TEXTS[key]:
        raise ConfigurationError(f"{name}: {key} is {value!r}; allowed are {', '.join(_TEXTS[key])}")
    return str(value)


def _number(value: object, key: str, name: str) -> float:
    low, high = _NUMBERS[key]
    inside = isinstance(value, int | float) and not isinstance(value, bool) and low < value < high
    if not inside and not (key == "floor" and value == 0 and not isinstance(value, bool)):
        raise ConfigurationError(f"{name}: {key} is {value!r}; allowed is a number above {low:g} and below {high:g}")
    return float(value)  # type: ignore[arg-type]


def _waiver(table: Mapping[str, object], name: str) -> Waiver:
    for key in table:
        if key not in _WAIVER_KEYS:
            raise ConfigurationError(f"{name}: waiver: unknown key {key!r}; allowed are {', '.join(_WAIVER_KEYS)}")
    print_, reason, expires = (table.get(key) for key in _WAIVER_KEYS)
    if not isinstance(print_, str) or len(print_) != 12 or set(print_) - set("0123456789abcdef"):
        raise ConfigurationError(f"{name}: waiver: fingerprint must be the twelve hex digits that the gate prints")
    if not isinstance(reason, str) or not reason.strip():
        raise ConfigurationError(f"{name}: waiver {print_}: reason must say why the failure is accepted")
    if isinstance(expires, datetime.datetime) or not isinstance(expires, datetime.date):
        raise ConfigurationError(f"{name}: waiver {print_}: expires must be a day, as in expires = 2027-01-31")
    return Waiver(print_, reason.strip(), expires)

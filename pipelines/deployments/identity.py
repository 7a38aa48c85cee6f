"""Identity of one turn: log and deployment history put together, the same for all turns with equal `identity_key`."""

import re
from collections.abc import Hashable
from operator import attrgetter

from pipelines.deployments.history import Deployment, Deployments, tie
from pipelines.deployments.launch import Launch
from pipelines.families import resolve, strip_provider
from pipelines.schema import UNKNOWN, Identity, Record

_FINGERPRINT = re.compile(r"(?P<engine>vllm|sglang)[-_/ ]v?(?P<version>\d+(\.\d+)*)", re.IGNORECASE)
_VERSION = re.compile(r"v?(\d+(\.\d+)+)")
_COMPARED = (
    "engine",
    "engine_version",
    "model_version",
    "template_version",
    "gateway_version",
    "observation_point",
    "reasoning_parser",
    "tool_call_parser",
)
"""Columns where the log wins over the deployment file and a difference is a contradiction."""


_key_fields = attrgetter(
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


def identity_key(record: Record, deployments: Deployments) -> Hashable:
    """Equal for records that `identify` treats alike: its fields of identity, and the interval in which its time lies."""
    return _key_fields(record), deployments.interval(record.time)


def identify(record: Record, deployments: Deployments) -> Identity:
    """Where the record's turn ran. Raises ConfigurationError when two deployments match it equally well.

    Model: deployment file, then the log's declared, deployed and requested name, without the provider's prefix. Family: the
    deployment's `family`, its `model`, the model it was launched with, then the log's names. All else: log, then file.
    """
    deployment = _deployment_of(record, deployments)
    launch = deployment.launch if deployment is not None else None
    logged = _logged(record)
    declared = _declared(deployment, launch)
    merged = {column: logged[column] or declared[column] for column in _COMPARED}
    for parser in ("reasoning_parser", "tool_call_parser"):
        if merged[parser] is None and launch is not None and launch.complete:
            merged[parser] = "none"
    launch = launch or Launch()
    return Identity(
        **{column: value or UNKNOWN for column, value in merged.items()},
        gateway=record.gateway or record.format,
        model=_model(record, deployment),
        served_model=record.model_requested or UNKNOWN,
        family=_family(record, deployment, launch),
        frontend=(deployment and deployment.frontend) or launch.frontend or UNKNOWN,
        auto_tool_choice=launch.auto_tool_choice,
        speculative_decoding=launch.speculative_decoding,
        async_scheduling=launch.async_scheduling,
        server_thinking=launch.thinking,
        reasoning_start_str=launch.reasoning_start_str,
        reasoning_end_str=record.reasoning_end_str or launch.reasoning_end_str,
        enable_in_reasoning=launch.enable_in_reasoning,
        contradictions=tuple(
            column
            for column in _COMPARED
            if logged[column] and declared[column] and _plain(logged, column) != _plain(declared, column)
        ),
    )


def engine_of(text: str) -> tuple[str | None, str]:
    """Engine and version of a fingerprint such as `vllm-0.33.0-tp2-ab12cd34`; (None, the text) for any other version."""
    found = _FINGERPRINT.match(text.strip())
    return (found["engine"].lower(), found["version"]) if found else (None, text.strip())


def _logged(record: Record) -> dict[str, str | None]:
    engine, version = engine_of(record.engine_version) if record.engine_version else (None, None)
    return {
        "engine": _engine_name(record.engine) or engine,
        "engine_version": version,
        "model_version": record.model_version,
        "template_version": record.template_version,
        "gateway_version": record.gateway_version,
        "observation_point": record.observation_point,
        "reasoning_parser": record.reasoning_parser,
        "tool_call_parser": record.tool_call_parser,
    }


def _declared(deployment: Deployment | None, launch: Launch | None) -> dict[str, str | None]:
    if deployment is None:
        return dict.fromkeys(_COMPARED)
    launch = launch or Launch()
    engine, version = engine_of(deployment.engine_version) if deployment.engine_version else (None, None)
    return {
        "engine": _engine_name(deployment.engine) or engine or launch.engine,
        "engine_version": version or launch.engine_version,
        "model_version": deployment.model_version or launch.revision,
        "template_version": deployment.template_version or deployment.template_hash,
        "gateway_version": deployment.gateway_version,
        "observation_point": deployment.observation_point,
        "reasoning_parser": launch.reasoning_parser,
        "tool_call_parser": launch.tool_call_parser,
    }


def _engine_name(engine: str | None) -> str | None:
    """Known engines in one spelling; any other text as it is."""
    return engine.lower() if engine and engine.lower() in ("vllm", "sglang") else engine


def _plain(values: dict[str, str | None], column: str) -> str:
    """The value as it is compared: of software versions the digits, since `v0.33.0` and `0.33.0+cu129` are no contradiction."""
    value = values[column] or ""
    found = _VERSION.match(value) if column in ("engine_version", "gateway_version") else None
    return found[1] if found else value.lower()


def _model(record: Record, deployment: Deployment | None) -> str:
    if deployment is not None and deployment.model:
        return deployment.model
    name = record.model or record.model_deployed or record.model_requested
    return strip_provider(name) if name else UNKNOWN


def _family(record: Record, deployment: Deployment | None, launch: Launch) -> str:
    if deployment is not None and deployment.family:
        return deployment.family
    names = (deployment.model if deployment is not None else None, launch.model)
    for name in (*names, record.model, record.model_deployed, record.model_requested):
        family = resolve(name) if name else None
        if family is not None:
            return family.name
    return UNKNOWN


def _deployment_of(record: Record, deployments: Deployments) -> Deployment | None:
    matching = [row for row in deployments.rows if _matches(row, record)]
    serving = sorted((row for row in matching if _serves(row, record.time)), key=_rank, reverse=True)
    if len(serving) > 1 and _rank(serving[0]) == _rank(serving[1]):
        raise tie(serving[0], serving[1], deployments.source)
    if not serving or (record.time is None and any(_may_win(row, serving[0]) for row in matching)):
        return None
    return serving[0]


def _may_win(row: Deployment, over: Deployment) -> bool:
    """Whether it is at some time the better match than another that serves all the time."""
    return row is not over and _rank(row) >= _rank(over)


def _rank(row: Deployment) -> tuple[int, float]:
    return len(row.match), float("-inf") if row.start is None else row.start


def _serves(row: Deployment, time: float | None) -> bool:
    """A turn without a time is matched by deployments without bounds only, since it may lie outside of all others."""
    if time is None:
        return row.start is None and row.end is None
    return (row.start is None or row.start <= time) and (row.end is None or time < row.end)


def _matches(row: Deployment, record: Record) -> bool:
    return all(_matches_key(key, value, record) for key, value in row.match)


def _matches_key(key: str, value: str, record: Record) -> bool:
    if key == "model_id":
        return record.model_id == value
    if key == "gateway":
        return value in (record.gateway, record.format)
    if key == "api_base":
        base, given = (record.api_base or "").rstrip("/"), value.rstrip("/")
        return base == given or base.startswith(f"{given}/")  # gateways log the address with the endpoint's path
    names = [name for name in (record.model_requested, record.model_deployed, record.model) if name]
    return value in names or value in [strip_provider(name) for name in names]

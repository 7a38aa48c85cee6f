"""What turns have in common: identity, group, cuts, eligibility and what a silent turn says, computed once per distinct combination.

A log of a million rows has a few hundred profiles, so a silent row costs a dictionary look-up.
"""

from dataclasses import dataclass
from operator import attrgetter

import msgspec

from pipelines import detect
from pipelines.deployments import Deployments, identify, identity_key, thinking_mode
from pipelines.detect import Judgement
from pipelines.families import UNKNOWN_FAMILY, Family, by_name
from pipelines.formats.format import Light
from pipelines.job import Options
from pipelines.rules.rule import Turn
from pipelines.schema import CUTS, GROUP, UNKNOWN, Identity, Record
from pipelines.shard.coverage import counters
from pipelines.shard.cuts import context_length, cut_values, day, day_number

NAMES = (
    "conversation_source",
    "content_state",
    *GROUP,
    *(cut for cut in CUTS if cut != "conversation_length"),
    "family",
    "format",
)
"""The TURN columns whose value is the profile's."""

_flags = attrgetter(
    "stream",
    "tool_choice",
    "last_role",
    "reasoning_effort",
    "api",
    "finish_reason",
    "stop_detail",
    "stop",
    "max_tokens",
    "choices_requested",
    "content_state",
    "reasoning_state",
    "tool_calls_state",
    "response_format_state",
    "assembled_by",
    "choices_merged",
    "gateway_rewrites",
    "redacted_leftover",
    "body_logged",
    "conversation_source",
    "phases",
    "flattened_from",
    "include_reasoning",
    "separate_reasoning",
    "skip_special_tokens",
    "thinking_token_budget",
    "sampling_fraction",
    "history_reasoning",
    "remediation_visible",
    "remediation",
    "refusal",
    "light",
)


@dataclass(frozen=True)
class Profile:
    """One combination. `silent` is what the rules say of a light record of it; None: its text has to be read."""

    number: int
    identity: Identity
    family: Family
    names: tuple[str, ...]
    """Values of NAMES."""
    coverage: str
    """The counters of COVERAGE that such a record raises, joined by commas."""
    outside: str | None
    """Why it lies outside the run's window, None where it lies inside."""
    silent: Judgement | None
    bits: tuple[int, int] | None
    """Eligible and fired, where those are all that there is to say of a light record of it."""
    flags: tuple[object, ...]
    """answered, body_logged, has_reasoning, sampling_fraction: columns of TURN of that name."""


class Profiles:
    """The profiles of one shard, numbered in order of appearance."""

    def __init__(self, options: Options, deployments: Deployments) -> None:
        self._options, self._deployments = options, deployments
        self._borders = bool(deployments.borders)
        self._by_key: dict[object, Profile] = {}
        self._of_shapes: dict[object, tuple[Profile, Record]] = {}
        """Beside each profile its base, so that no other object takes the base's id."""
        self.all: list[Profile] = []

    def of_light(self, light: Light, script: str) -> Profile:
        """The profile of an item read light."""
        usage, time = light.usage, light.time
        key = (
            id(light.base),
            light.shape,
            script,
            context_length(usage.input),
            day_number(time),
            self._deployments.interval(time) if self._borders else 0,
        )
        found = self._of_shapes.get(key)
        if found is None:
            found = self._of_shapes[key] = (self.of(light.record, script), light.base)
        return found[0]

    def of(self, record: Record, script: str) -> Profile:
        """The record's profile. Raises ConfigurationError when two deployments match it equally well."""
        tools, kwargs = record.tools, record.chat_template_kwargs
        context = context_length(record.usage.input)
        number = day_number(record.time)
        key: object = (
            identity_key(record, self._deployments),
            _flags(record),
            min(record.position, 2),
            number,
            script,
            context,
            None if tools is None else len(tools) > 0,
            (record.response_format or {}).get("type"),
            kwargs and msgspec.json.encode(kwargs),
            tuple(record.reasoning_fields),
            record.messages is None,
            len(record.ignored_metadata) > 0,
            record.instructions is None,
            record.chunks is None,
            record.raw_text is None,
            record.logprobs_text is None,
            (record.usage.reasoning or 0) > 0,
        )
        try:
            profile = self._by_key.get(key)
        except TypeError:
            key = repr(key)
            profile = self._by_key.get(key)
        if profile is None:
            profile = self._by_key[key] = self._new(record, day=day(number), script=script, context=context)
            self.all.append(profile)
        return profile

    def _new(self, record: Record, *, day: str, script: str, context: str) -> Profile:
        identity = identify(record, self._deployments)
        family = by_name(identity.family) or UNKNOWN_FAMILY
        known = None if family is UNKNOWN_FAMILY else family
        thinking = thinking_mode(record, identity, known)
        values = {
            "conversation_source": record.conversation_source,
            "content_state": record.content_state,
            "day": day,
            "family": family.name,
            "format": record.format,
            **{column: getattr(identity, column) for column in GROUP if column != "day"},
            **cut_values(record, identity, thinking=thinking, script=script, context=context),
        }
        reads = record.light and not detect.wants_text(record)
        silent, outside = detect.judge_light(Turn(record, family, identity)) if reads else None, self._outside(day)
        return Profile(
            number=len(self.all),
            identity=identity,
            family=family,
            names=tuple(values[name] for name in NAMES),
            coverage=",".join(counters(record, identity, family)),
            outside=outside,
            silent=silent,
            bits=None if silent is None or silent.says_more or outside is not None else silent.bits,
            flags=_row_flags(record),
        )

    def _outside(self, day: str) -> str | None:
        since, until = self._options.since, self._options.until
        if since is None and until is None:
            return None
        if day == UNKNOWN:
            return "time_unknown"
        return "outside_window" if (since and day < since) or (until and day > until) else None


def _row_flags(record: Record) -> tuple[object, ...]:
    answered = (
        record.content_state not in ("absent", "null", "empty")
        or record.tool_calls_state == "present"
        or record.finish_reason is not None
    )
    reasoning = {"present": True, "empty": False}.get(record.reasoning_state)
    return answered, record.body_logged, reasoning, record.sampling_fraction

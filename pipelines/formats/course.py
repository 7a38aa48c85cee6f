"""Course: how far a stream has come, and whether an event goes on with it or begins another one."""

from dataclasses import dataclass, field
from enum import IntEnum

from pipelines.formats._dialects.openai_chat import choice_number
from pipelines.formats._dialects.usage import read_usage
from pipelines.formats.values import Mapping, mapping, sequence, text

_OPENERS = ("message_start", "response.created", "response.queued")
_ENDS = ("response.completed", "response.incomplete", "response.failed", "response.cancelled", "message_stop", "error")
_OF_ANSWERS = ("response.", "message_", "content_block", "error")
_SAYING = ("content", "reasoning", "reasoning_content", "thinking", "tool_calls", "function_call", "refusal")


class Stage(IntEnum):
    """What has come of a stream."""

    BEFORE = 0
    """Pings, prompt filters, greetings: nothing of an answer."""
    OPENED = 1
    ANSWERING = 2


@dataclass
class Choice:
    """What the chunks of one choice have shown."""

    roles: int = 0
    """Chunks that name the role."""
    plain: bool = False
    """A chunk with something in it names none, so that a role is the mark of a beginning."""
    ended: bool = False


@dataclass
class Course:
    """How far a stream has come."""

    stage: Stage = Stage.BEFORE
    choices: dict[int, Choice] = field(default_factory=dict)
    running: int = 0
    """Choices that have begun and have no finish."""
    over: bool = False
    """The last event of the whole stream came: completed, stopped, `[DONE]` or an error."""

    @property
    def finished(self) -> bool:
        """Whether every choice that has begun has its finish, or the whole stream has its last event."""
        return self.over or (not self.running and bool(self.choices))

    def note(self, event: Mapping | None) -> None:
        """Take in the next event; None for one that was no JSON."""
        given = mapping(event)
        if self.stage is not Stage.ANSWERING:
            self.stage = max(self.stage, _stage(given))
        if given.get("type") in _ENDS or given.get("error"):
            self.over = True
        for number, choice in _numbered(given):
            self._note_choice(number, choice)

    def _note_choice(self, number: int, choice: Mapping) -> None:
        if number not in self.choices:
            self.choices[number] = Choice()
            self.running += 1
        known = self.choices[number]
        if _names_role(choice):
            known.roles += 1
        elif not known.plain:
            known.plain = _says(choice)
        if choice.get("finish_reason") and not known.ended:
            known.ended = True
            self.running -= 1

    def is_left_by(self, event: Mapping | None, *, named: bool) -> bool:
        """Whether an event that could belong here begins another stream. `named`: it bears this stream's id, which then goes on
        unless a choice that has its finish begins again."""
        given = mapping(event)
        if given.get("type") in _OPENERS:
            return self.stage == Stage.ANSWERING
        if "error" in given and not named:
            return self.finished
        if named and 0 < len(self.choices) == self.running:
            return False
        again = any(self._begins_again(number, choice, named=named) for number, choice in _numbered(given))
        return again and not _is_usage(given)

    def _begins_again(self, number: int, choice: Mapping, *, named: bool) -> bool:
        known = self.choices.get(number)
        if known is None:
            return self.stage == Stage.ANSWERING and not self.choices
        if _names_role(choice):
            if known.ended:
                return known.plain or known.roles < 2 or _says(choice)
            return known.plain and not named and not mapping(choice.get("delta")).get("tool_calls")
        return known.ended and not named and bool(text(choice.get("text")))


def opens(event: Mapping | None) -> bool:
    """Whether an event looks like the first of a stream. A stream whose chunks or responses change their id in the middle goes on."""
    given = mapping(event)
    if given.get("type") in _OPENERS:
        return True
    return not _is_usage(given) and any(
        _names_role(choice) or text(choice.get("text")) is not None for _, choice in _numbered(given)
    )


def _stage(given: Mapping) -> Stage:
    kind, choices = text(given.get("type")) or "", given.get("choices")
    if kind in _OPENERS or kind == "response.in_progress":
        return Stage.OPENED
    if isinstance(choices, list):
        return Stage.ANSWERING if choices or given.get("usage") else Stage.BEFORE
    if not given or (kind and not kind.startswith(_OF_ANSWERS)):
        return Stage.BEFORE
    return Stage.ANSWERING


def _numbered(given: Mapping) -> list[tuple[int, Mapping]]:
    choices = sequence(given.get("choices"))
    return [(choice_number(choice, place), choice) for place, choice in enumerate(choices) if isinstance(choice, dict)]


def _names_role(choice: Mapping) -> bool:
    return bool(mapping(choice.get("delta")).get("role"))


def _says(choice: Mapping) -> bool:
    delta = mapping(choice.get("delta"))
    return bool(choice.get("text")) or any(delta.get(key) for key in _SAYING)


def _is_usage(given: Mapping) -> bool:
    """Whether a chunk reports the tokens of a whole answer and adds nothing to it; some engines put role and an empty text into it."""
    if not given.get("usage") or any(_says(choice) for _, choice in _numbered(given)):
        return False
    return bool(read_usage(given["usage"]).output)

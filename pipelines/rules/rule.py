"""Rule, Span and Turn: the value that a rule is, what it yields and the one thing it sees."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property

from pipelines.families import Family
from pipelines.schema import Identity, Record


@dataclass(frozen=True, slots=True)
class Span:
    """One finding: code points `start` to `end` of the channel's text, and how sure the rule is (0 to 1).

    `repair`, `channel`, `symptom` and `layer_hint` override the rule's own where the place decides; `configured` marks what the
    deployment or the request asks for.
    """

    start: int
    end: int
    confidence: float = 0.95
    repair: str | None = None
    channel: str | None = None
    symptom: str | None = None
    configured: bool = False
    layer_hint: str | None = None


@dataclass(frozen=True)
class Excluded:
    """A candidate that is not a leak, with the name of the view that says so (code, quote, echo, requested_format, …)."""

    reason: str


@dataclass
class Turn:
    """What a rule sees: one record, the family of its model and where it ran; views of the text are computed once, on demand."""

    record: Record
    family: Family
    identity: Identity = field(default_factory=Identity)

    @cached_property
    def content(self) -> str:
        return self.record.content or ""

    @cached_property
    def reasoning(self) -> str:
        return self.record.reasoning or ""


@dataclass(frozen=True)
class Rule:
    """One rule. `find` is pure; `leaks` and `clean` are its examples and its test."""

    id: str
    version: int
    status: str
    tier: str
    symptom: str
    find: Callable[[Turn], Iterable[Span | Excluded]]
    eligible: Callable[[Turn], bool]
    """Whether the rule could fire on this turn; reads states and flags only, so that it also works on a light record."""
    needles: Callable[[Family], tuple[str, ...]] | None = None
    """Literals without which the rule cannot fire, per family; None: the rule names in `wants` when it must see the text."""
    wants: Callable[[Record], bool] | None = None
    """For rules without needles: whether a light record has to be read in full (a format was requested, calls are there, …)."""
    channel: str = "content"
    repair: str = "none"
    layers: tuple[str, ...] = ()
    action: str = ""
    """What to do, from the troubleshooting advice."""
    verify: str = ""
    """How to check that it worked."""
    leaks: tuple[object, ...] = ()
    clean: tuple[object, ...] = ()

"""Rule, Span, Excluded and Turn: the value that a rule is, what it yields and the one thing it sees."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property, wraps
from typing import TypeVar

import msgspec

from pipelines.families import UNKNOWN_FAMILY, Family
from pipelines.rules.blocks import Block, read_blocks
from pipelines.rules.call_syntax import Envelope, read_arguments_of, read_envelopes
from pipelines.rules.remains import is_nothing_left
from pipelines.rules.special_tokens import Run, read_runs
from pipelines.rules.views import code, creative, request
from pipelines.rules.views.decoded import Decoded, decode
from pipelines.rules.views.echo import squeeze
from pipelines.rules.views.intervals import Intervals
from pipelines.rules.views.quotes import Quotes
from pipelines.rules.views.sentences import Line, lines_of
from pipelines.rules.views.well_formed import well_formed
from pipelines.schema import OPENING_START, Identity, Record


class Span(msgspec.Struct, frozen=True, gc=False):
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


class Excluded(msgspec.Struct, frozen=True, gc=False):
    """A candidate that is not a leak, with the name of the view that says so (code, quote, echo, requested_format, …)."""

    reason: str


View = TypeVar("View")


def once(view: "Callable[[Turn], View]") -> "Callable[[Turn], View]":
    """The view, computed once for each turn, on demand, as the views of Turn itself are."""
    name = f"{view.__module__}.{view.__name__}"

    @wraps(view)
    def kept(turn: "Turn") -> View:
        known = turn.__dict__
        if name not in known:
            known[name] = view(turn)
        return known[name]  # type: ignore[no-any-return]

    return kept


@dataclass
class Turn:
    """What a rule sees: one record, the family of its model and where it ran; views of the text are computed once, on demand."""

    record: Record
    family: Family = UNKNOWN_FAMILY
    identity: Identity = field(default_factory=Identity)

    @cached_property
    def content(self) -> str:
        """The visible text; a lone surrogate reads as U+FFFD, so that code points keep their places."""
        return well_formed(self.record.content or "")

    @cached_property
    def reasoning(self) -> str:
        return well_formed(self.record.reasoning or "")

    @cached_property
    def decoded(self) -> Decoded:
        """The content with escapes and look-alike marks undone."""
        return decode(self.content)

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """Blocks of thoughts in the content, excused ones too."""
        return read_blocks(self)

    @cached_property
    def envelopes(self) -> tuple[Envelope, ...]:
        """Calls written as text in the content, with places of the content."""
        found = read_envelopes(self.decoded, self.record.tools or ())
        return found or read_arguments_of(self.content, self.record.tool_choice, self.record.tools or ())

    @cached_property
    def nothing_left(self) -> bool:
        """Whether the content is nothing but thoughts."""
        return is_nothing_left(self)

    @cached_property
    def token_runs(self) -> tuple[Run, ...]:
        """Runs of special tokens in the content outside of thoughts and calls, excused ones too."""
        return read_runs(self)

    @cached_property
    def reasoning_envelopes(self) -> tuple[Envelope, ...]:
        """Calls written as text in the reasoning, with places of the reasoning."""
        return read_envelopes(decode(self.reasoning), self.record.tools or ())

    @cached_property
    def code(self) -> Intervals:
        """Code spans and fences of the content."""
        return code.code_spans(self.content)

    @cached_property
    def quotes(self) -> Quotes:
        """Quoted passages and block quotes of the content."""
        return Quotes(self.content)

    @cached_property
    def opening_lines(self) -> tuple[Line, ...]:
        """Those of `lines` with which the content begins."""
        return lines_of(self.content, self.code, OPENING_LINES)

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """The first lines of the content that are not blank."""
        return lines_of(self.content, self.code, LINES)

    @cached_property
    def request_text(self) -> str:
        """Everything the request said: instructions and the texts of all messages."""
        return request.request_text(self.record)

    @cached_property
    def given_text(self) -> str:
        """What was given to the model and not said by it; an earlier leak that the client sends back is no source of an echo."""
        return request.given_text(self.record)

    @cached_property
    def given_squeezed(self) -> str:
        """`given_text` without white space and backslashes, to find echoes in."""
        return squeeze(self.given_text)

    @cached_property
    def earlier_answers(self) -> str:
        """The assistant messages of the request."""
        return request.earlier_answers(self.record)

    @cached_property
    def answers_squeezed(self) -> str:
        """`earlier_answers` without white space and backslashes, to find echoes in."""
        return squeeze(self.earlier_answers)

    @cached_property
    def asked(self) -> str:
        """What the user and the system asked for: instructions, system, developer and user messages."""
        return request.asked_text(self.record)

    @cached_property
    def last_user(self) -> str:
        """Text of the last user message, "" where the log has none."""
        return request.last_user_text(self.record)

    @cached_property
    def creative(self) -> bool:
        """Whether the request asks for a story, a monologue, a role to play or a text in somebody's voice."""
        return creative.asks_for_fiction(self.last_user)


OPENING_LINES = 12
LINES = 400
"""Lines of a content whose sentences are read."""
OPENING_LENGTH = 400
"""Characters of a content that are looked at for `openings`."""


def opening_of(content: str) -> str:
    """What `openings` are looked for in: OPENING_START and the first characters in lower case, without line breaks and tabs before them."""
    return OPENING_START + content[:OPENING_LENGTH].lstrip("\t\r\n").lower()


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
    """Literals without which the rule cannot fire, per family."""
    openings: tuple[str, ...] = ()
    """Lower-case literals without one of which, in `opening_of` the content, the rule cannot fire."""
    wants: Callable[[Record], bool] | None = None
    """Whether a light record has to be read in full, whatever its text (a format was requested, calls are there, …). A rule
    without needles, openings and wants reads states and flags only and runs on light records too."""
    channel: str = "content"
    repair: str = "none"
    layers: tuple[str, ...] = ()
    action: str = ""
    """What to do, from the troubleshooting advice."""
    verify: str = ""
    """How to check that it worked."""
    doc: str = ""
    """The module's docstring: first sentence, then the sections Catches, Why it matters, Misses, False alarms, Likely layers."""
    leaks: tuple["Example", ...] = ()
    clean: tuple["Example", ...] = ()


@dataclass(frozen=True)
class Example:
    """One example of a rule: a turn and why the rule fires on it, or why it does not."""

    turn: Turn
    reason: str
    span: str | None = None
    """The exact text of the finding's channel that the rule has to cover; None: anything."""

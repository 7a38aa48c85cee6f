"""ParsedCall and Found: one call read from a text, and the place of an envelope of calls in it."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ParsedCall:
    """One call as written. `arguments` None: they cannot be read. `untyped`: values are texts that the schema has to type."""

    name: str
    arguments: dict[str, object] | None
    untyped: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Found:
    """An envelope in a decoded text. `calls` is empty when it was cut or is not readable. `marked`: it carries a marker of its own, so
    that it is a call whatever its name; an unmarked one counts only with the name of an offered tool."""

    start: int
    end: int
    calls: tuple[ParsedCall, ...]
    marked: bool = True
    closed: bool = True
    """False: all that is there is whole, but the closing tag is missing, so that more may have been meant."""


@dataclass(frozen=True)
class CallSyntax:
    """One way to write calls as text. `find` yields envelopes of a decoded text, given the names of the offered tools; `covers` names
    the families' call syntaxes that it reads; without one of `needles` it finds nothing."""

    name: str
    covers: tuple[str, ...]
    needles: tuple[str, ...]
    find: Callable[[str, frozenset[str]], list[Found]]
    marked: bool = True

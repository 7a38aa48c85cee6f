"""Wording: the phrases of one language by which thoughts and progress notes are told from answers."""

from dataclasses import dataclass

from pipelines.schema import OPENING_START


def literals(text: str) -> tuple[str, ...]:
    """The literals of a text that bars separate; one that begins with ^ stands at the start of an answer only."""
    return tuple(literal.replace("^", OPENING_START) for literal in text.split("|"))


@dataclass(frozen=True, slots=True)
class Wording:
    """Fragments of linear-time regular expressions, matched without regard to case, and literals that let a text pass undecoded.

    `plan`, `task`, `check` and `work` may stand anywhere in a sentence, the others at its start.
    """

    language: str
    script: str
    """latin | cyrillic | arabic | devanagari | hangul | cjk; a sentence is matched with the languages of its script only."""
    asker: tuple[str, ...]
    """Speaks of the person who asks, in the third person: the user wants …"""
    plan: tuple[str, ...]
    """Speaks of the answer that is to be written, or of the question as a task: I should keep it short, the question is about …"""
    task: tuple[str, ...]
    """Speaks of the question as a task of one's own: so I have this problem, I need to find …"""
    talk: tuple[str, ...]
    """Talks to itself: hmm, wait, okay so …"""
    check: tuple[str, ...]
    """Checks itself: let me verify, yes that is right, I recall …"""
    progress: tuple[str, ...]
    """Announces work of its own: let me look that up, searching the list …"""
    report: tuple[str, ...]
    """Reports work of its own: found one result, now I am checking …"""
    work: tuple[str, ...]
    """Speaks of work of its own in whatever tense; it counts only in a short line of its own before the answer."""
    openings: tuple[str, ...]
    """Lower-case literals: every lead of thoughts or progress notes has one of them in its first 400 characters."""
    asides: tuple[str, ...]
    """Literals, as written: every aside within or behind an answer has one of them."""

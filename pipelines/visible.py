"""Text of logs and deployments made safe to look at: what cannot be seen is spelled out, what is too long is cut."""

import unicodedata

INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
"""Unicode general categories that a reader cannot see or that reorder what stands beside them (bidi controls are Cf)."""


def visible(text: str, limit: int = 120) -> str:
    """Return `text` on one line with invisible characters as `\\u202e` and at most `limit` characters (the cut shows as …)."""
    if len(text) <= limit and text.isprintable():
        return text
    shown = "".join(_spelled(character) for character in text[: limit + 1])
    return shown if len(text) <= limit else shown[: limit - 1] + "…"


def spelled(text: str) -> str:
    """`text` on one line with invisible characters as `\\u202e`, whole: unlike texts stay unlike where they are keys."""
    return text if text.isprintable() else "".join(map(_spelled, text))


def _spelled(character: str) -> str:
    return f"\\u{ord(character):04x}" if unicodedata.category(character) in INVISIBLE else character

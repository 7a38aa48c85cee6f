"""HTML from templates and values: every value is escaped unless it is HTML itself."""

from collections.abc import Iterable

from markupsafe import Markup

from pipelines.visible import visible

__all__ = ["Markup", "html", "joined", "number", "percent", "plural", "spaced", "visible"]


def html(template: str, **values: object) -> Markup:
    """The template with `{name}` replaced by the escaped value of that name."""
    return Markup(template).format(**values)


def joined(parts: Iterable[str], between: str = "") -> Markup:
    """Parts one after the other; those that are no HTML are escaped."""
    return Markup(between).join(parts)


def percent(value: float | None) -> str:
    """A share in percent with three significant digits; tiny ones as one in so many; a dash where it is unknown."""
    if value is None:
        return "–"
    if value == 0:
        return "0 %"
    return f"{value * 100:.3g} %" if value >= 0.0001 else f"1 in {round(1 / value):,}".replace(",", "\u202f")


def number(value: int) -> str:
    """A count with thin spaces between thousands."""
    return f"{value:,}".replace(",", "\u202f")


def plural(count: int, noun: str) -> str:
    """The noun for so many of its kind."""
    return noun if count == 1 else f"{noun}s"


def spaced(name: str | None) -> str:
    """A name with underscores in words."""
    return (name or "").replace("_", " ")

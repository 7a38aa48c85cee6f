"""Looks into a table of a mapping file that say in one sentence, with the key and what is allowed there, what is wrong."""

from typing import Any


class Problem(Exception):
    """What is wrong at a key; becomes the ConfigurationError that also names the file."""


def only(table: dict[str, Any], where: str, allowed: tuple[str, ...]) -> None:
    for key in table:
        if key not in allowed:
            raise Problem(f"key '{where}{key}' is unknown; allowed: {', '.join(allowed)}")


def member(value: object, where: str, allowed: tuple[str, ...]) -> str:
    if not isinstance(value, str) or value not in allowed:
        raise Problem(f"key '{where}' is {value!r}; allowed: {', '.join(allowed)}")
    return value


def one_of(table: dict[str, Any], key: str, allowed: tuple[Any, ...], *, default: Any, where: str = "") -> Any:
    value = table.get(key, default)
    if key in table and (value not in allowed or isinstance(value, bool) != isinstance(allowed[0], bool)):
        words = ", ".join(str(word).lower() if isinstance(word, bool) else str(word) for word in allowed)
        raise Problem(f"key '{where}{key}' is {value!r}; allowed: {words}")
    return value


def text_of(table: dict[str, Any], key: str, default: str | None, where: str = "") -> str:
    value = table.get(key, default)
    if value is None:
        raise Problem(f"key '{where}{key}' is missing: give a text")
    if not isinstance(value, str):
        raise Problem(f"key '{where}{key}' is of type {type(value).__name__}; allowed: a text")
    return value


def texts_of(table: dict[str, Any], key: str, where: str = "") -> tuple[str, ...]:
    value = table.get(key, [])
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise Problem(f"key '{where}{key}' needs a list of texts")
    return tuple(value)


def kind_of(table: dict[str, Any], key: str, kind: type, name: str, where: str = "") -> None:
    if key in table and not isinstance(table[key], kind):
        raise Problem(f"key '{where}{key}' is of type {type(table[key]).__name__}; allowed: {name}")

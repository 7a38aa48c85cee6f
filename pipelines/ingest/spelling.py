"""How JSON writers spell a text inside a string: Python, Go, Rails, Gson, .NET, PHP, and every mixture of their habits."""

import json
from functools import cache
from itertools import product

_ALWAYS_ESCAPED = ("", "<>&", "<>&'", "<>&='", "<>&'\"+`")
"""ASCII characters that a writer puts as \\u00xx: none, Go and Rails, PHP with JSON_HEX_*, Gson, .NET."""
_KNOWN = frozenset("<>&'=\"+`/")


def spellings(text: str) -> frozenset[bytes]:
    """Every spelling of the text, as raw bytes between the quotes of a JSON string."""
    escaped = {"".join(sign for sign in signs if sign in text) for signs in _ALWAYS_ESCAPED}
    ascii_only = (False,) if text.isascii() else (False, True)
    upper = (False,) if escaped == {""} and text.isascii() else (False, True)
    slash = (False, True) if "/" in text else (False,)
    habits = product(ascii_only, upper, escaped, slash)
    return frozenset("".join(_spell(sign, *habit) for sign in text).encode() for habit in habits)


@cache
def _spell(sign: str, ascii_only: bool, upper: bool, escaped: str, slash: bool) -> str:
    if sign in escaped or (ascii_only and not sign.isascii()):
        return hexadecimal(sign, upper)
    if sign == "/" and slash:
        return "\\/"
    return json.dumps(sign, ensure_ascii=False)[1:-1]


def hexadecimal(sign: str, upper: bool) -> str:
    """The sign as \\uXXXX, or as two of them."""
    units = sign.encode("utf-16-be").hex()
    units = units.upper() if upper else units
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


def odd_escapes() -> frozenset[bytes]:
    """Escapes of ASCII characters that no known writer makes: a text with one has to be read."""
    odd = [chr(code) for code in (9, 10, 13, *range(32, 127)) if chr(code) not in _KNOWN]
    return frozenset(hexadecimal(sign, upper).encode() for sign in odd for upper in (False, True))

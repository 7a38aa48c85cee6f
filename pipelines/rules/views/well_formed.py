"""Texts with each lone surrogate replaced by U+FFFD, so that they can be encoded and code points keep their places."""

import msgspec

_REPLACED = dict.fromkeys(range(0xD800, 0xE000), 0xFFFD)


def well_formed(text: str) -> str:
    """`text` itself when it can be encoded, else a copy of the same length."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.translate(_REPLACED)
    return text


def well_formed_value(value: object) -> object:
    """A struct, tuple, list, dict or text with all texts in it well formed; other values as they are."""
    if isinstance(value, str):
        return well_formed(value)
    if isinstance(value, tuple):
        return tuple(well_formed_value(item) for item in value)
    if isinstance(value, list):
        return [well_formed_value(item) for item in value]
    if isinstance(value, dict):
        return {well_formed_value(key): well_formed_value(item) for key, item in value.items()}
    if isinstance(value, msgspec.Struct):
        return msgspec.structs.replace(
            value, **{name: well_formed_value(getattr(value, name)) for name in value.__struct_fields__}
        )
    return value

"""Whether the files that a command is to write can be written, asked before its work."""

import tempfile
from collections.abc import Mapping
from pathlib import Path

from pipelines import store
from pipelines.errors import ConfigurationError


def check_writable(places: Mapping[str, str | None]) -> None:
    """Raise ConfigurationError that names option and path for the first place where no file can be put; of URLs nothing is asked.

    `places`: option → path or URL of a file, None where the option is not given.
    """
    for option, place in places.items():
        if place is not None:
            reason = _refusal(place)
            if reason:
                raise ConfigurationError(
                    f"{option} {place}: cannot be written: {reason}" if place else f"{option}: {reason}"
                )


def _refusal(place: str) -> str:
    if not place.strip():
        return "is empty; name a file"
    if not store.is_local(place):
        return ""
    path = Path(store.filesystem(place)[1])
    if path.is_dir():
        return "it is a folder"
    folder = next(parent for parent in path.parents if parent.exists())
    if not folder.is_dir():
        return f"{folder} is no folder"
    try:
        with tempfile.TemporaryFile(dir=folder):
            return ""
    except OSError as error:
        return f"{folder}: {error.strerror or type(error).__name__}"

"""Formats out of mapping files: sources that need no code, shipped with leakrate or written by its users.

`load(text, name_of_file)` gives the Format that a mapping declares, or raises a ConfigurationError whose sentence names file, key and
allowed values. How to write one: `pipelines/formats/mappings/README.md`.
"""

from collections.abc import Iterator
from functools import partial
from importlib.resources import files

from pipelines.formats._dialects import DIALECTS
from pipelines.formats.format import Format, Item, Outcome, Place
from pipelines.formats.lending import unlent
from pipelines.formats.mapping.checks import declared
from pipelines.formats.mapping.declaration import Declaration
from pipelines.formats.mapping.paths import Path, values
from pipelines.formats.mapping.reading import parse
from pipelines.formats.mapping.selecting import word

__all__ = ["SHIPPED", "load"]

_FILES = (
    "databricks_inference_table.toml",
    "bedrock_invocation.toml",
    "bifrost_api.toml",
    "bifrost_object.toml",
    "helicone.toml",
    "portkey.toml",
    "apisix.toml",
    "higress.toml",
    "cloudflare.toml",
    "envoy_access_log.toml",
)


def load(text: str, name_of_file: str) -> Format:
    """The format that a mapping file declares. ConfigurationError: what is wrong in it, with file, key and allowed values."""
    declaration = declared(text, name_of_file, tuple(dialect.name for dialect in DIALECTS))
    return Format(
        name=declaration.name,
        title=declaration.title or f"declared in {name_of_file}",
        recognise=partial(_recognise, declaration),
        explode=partial(_explode, declaration) if declaration.explode else None,
        join_key=partial(_join_key, declaration) if declaration.join_on else None,
        parse=partial(_nothing_judged if declaration.join_only else parse, declaration),
        lend=partial(parse, declaration) if declaration.join_only else None,
        join_only=declaration.join_only,
        shows=declaration.shows or ("content",),
        sources=declaration.sources,
    )


def _nothing_judged(declaration: Declaration, item: Item, place: Place) -> Iterator[Outcome]:
    return unlent(parse(declaration, item, place), "join_row")


def _recognise(declaration: Declaration, item: Item) -> bool:
    """Whether a row has what the mapping asks for, be it null."""
    return isinstance(item, dict) and all(
        any(_is_there(path, item) for path in entry) for entry in declaration.recognise
    )


def _is_there(path: Path, item: Item) -> bool:
    above = list(values(path[:-1], item)) if len(path) > 1 else [item]
    last = path[-1]
    if last.key is not None:
        return any(isinstance(one, dict) and last.key in one for one in above)
    return next(values(path, item), None) is not None


def _explode(declaration: Declaration, item: Item) -> list[Item]:
    """The elements that `explode` leads to; the item itself where it leads nowhere."""
    found = [one for one in values(declaration.explode, item) if isinstance(one, dict)]
    return found or [item]


def _join_key(declaration: Declaration, item: Item) -> str | None:
    return word(declaration.join_on, item, Place("", 0)) if isinstance(item, dict) else None


def _shipped() -> tuple[Format, ...]:
    folder = files("pipelines.formats") / "mappings"
    return tuple(load((folder / name).read_text(encoding="utf-8"), name) for name in _FILES)


SHIPPED: tuple[Format, ...] = _shipped()
"""The mappings that come with leakrate, in the order in which they are tried."""

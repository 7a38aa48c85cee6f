"""The declaration in a mapping file's text, checked word by word before any row is read."""

import tomllib
from typing import Any

import re2

from pipelines.errors import ConfigurationError
from pipelines.formats.mapping import paths
from pipelines.formats.mapping.declaration import (
    ACTIONS,
    ASSEMBLERS,
    DECODERS,
    DIMS,
    DROPPABLE,
    FIELDS,
    SHOWS,
    STATES,
    TABLES,
    TOP,
    UNITS,
    Condition,
    Declaration,
    Drop,
    Selector,
)
from pipelines.formats.mapping.paths import Path
from pipelines.formats.mapping.wording import Problem, kind_of, member, one_of, only, text_of, texts_of


def declared(text: str, file: str, dialects: tuple[str, ...]) -> Declaration:
    """The declaration in a mapping file's text. ConfigurationError: one sentence with file, key and what is allowed there."""
    try:
        table = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigurationError(f"{file}: not valid TOML: {error}") from None
    try:
        return _declaration(table, dialects)
    except Problem as problem:
        raise ConfigurationError(f"{file}: {problem}") from None


def _declaration(table: dict[str, Any], dialects: tuple[str, ...]) -> Declaration:
    only(table, "", TOP)
    for name in TABLES:
        kind_of(table, name, dict, "a table")
    fields = _selectors(table.get("fields", {}), "fields", FIELDS, dialects)
    join_only = one_of(table, "join_only", (True, False), default=False)
    _need_something(table, fields, join_only=join_only)
    redaction = table.get("redaction", {})
    only(redaction, "redaction.", ("equals", "contains"))
    return Declaration(
        name=_name(table),
        title=text_of(table, "title", ""),
        fields=fields,
        recognise=_recognise(table),
        decode=tuple(
            (_path(path, "decode"), member(how, f"decode.{path}", DECODERS))
            for path, how in table.get("decode", {}).items()
        ),
        gateway=text_of(table, "gateway", "") or None,
        explode=_path(table["explode"], "explode") if table.get("explode") else (),
        dims=_selectors(table.get("dims", {}), "dims", DIMS, dialects),
        keep=_conditions(table.get("keep", {}), "keep"),
        drops=_drops(table),
        states=_selectors(table.get("states", {}), "states", STATES, dialects),
        redaction_equals=texts_of(redaction, "equals", "redaction."),
        redaction_contains=texts_of(redaction, "contains", "redaction."),
        weight=_choices(table["weight"], "weight", dialects) if "weight" in table else (),
        error=_choices(table["error"], "error", dialects) if "error" in table else (),
        join_only=join_only,
        assembled_by=one_of(table, "assembled_by", ASSEMBLERS, default=None),
        request_is_whole=one_of(table, "request_is_whole", (True, False), default=True),
        shows=tuple(member(word, "shows", SHOWS) for word in texts_of(table, "shows")),
        sources=texts_of(table, "sources"),
        **_join(table, dialects),
        **_remediation(table, dialects),
    )


def _recognise(table: dict[str, Any]) -> tuple[tuple[Path, ...], ...]:
    entries = table.get("recognise", [])
    if not isinstance(entries, list):
        raise Problem("key 'recognise' needs a list; each entry is a path, or a list of paths of which one is enough")
    found = [entry if isinstance(entry, list) else [entry] for entry in entries]
    return tuple(tuple(_path(path, "recognise") for path in entry) for entry in found)


def _need_something(table: dict[str, Any], fields: dict[str, Any], *, join_only: bool) -> None:
    if not table.get("recognise"):
        raise Problem("key 'recognise' is missing: give a list of paths that every row of this source has")
    if join_only and not {"response_id", "call_id", "trace_id"} & fields.keys():
        raise Problem("table 'fields' of a join_only source needs one of: response_id, call_id, trace_id")
    if not join_only and not {"response", "content"} & fields.keys():
        raise Problem("table 'fields' needs one of: response, content (or set join_only = true)")


def _name(table: dict[str, Any]) -> str:
    name = text_of(table, "name", None)
    if not name.replace("_", "").isalnum() or not name.isascii() or name != name.lower():
        raise Problem(f"key 'name' is {name!r}; allowed: lower-case letters, digits and _")
    return name


def _selectors(
    table: dict[str, Any], where: str, allowed: tuple[str, ...], dialects: tuple[str, ...]
) -> dict[str, tuple[Selector, ...]]:
    only(table, f"{where}.", allowed)
    return {key: _choices(value, f"{where}.{key}", dialects) for key, value in table.items()}


def _choices(value: object, where: str, dialects: tuple[str, ...]) -> tuple[Selector, ...]:
    """Selectors of one field: a path, a table, or a list of those; a table with `paths` stands for several with the same rest."""
    found: list[Selector] = []
    for one in value if isinstance(value, list) else [value]:
        if isinstance(one, str):
            found.append(Selector(path=_path(one, where)))
        elif isinstance(one, dict):
            found.extend(_tables(one, where, dialects))
        else:
            raise Problem(
                f"key '{where}' is of type {type(one).__name__}; allowed: a path, a table, or a list of those"
            )
    if not found:
        raise Problem(f"key '{where}' is empty; allowed: a path, a table, or a list of those")
    return tuple(found)


_KEYS = (
    *("path", "paths", "from", "const", "uri"),
    *("decode", "regex", "unit", "dialect", "translate", "then", "wrap", "when"),
)


def _tables(table: dict[str, Any], where: str, dialects: tuple[str, ...]) -> list[Selector]:
    only(table, f"{where}.", _KEYS)
    kind_of(table, "translate", dict, "a table from the log's words to yours", f"{where}.")
    kind_of(table, "when", dict, "a table from paths to lists of values", f"{where}.")
    origins = [key for key in ("path", "paths", "from", "const", "uri") if key in table]
    if len(origins) != 1:
        raise Problem(f"key '{where}' needs exactly one of: path, paths, from, const, uri")
    shape = {
        "decode": one_of(table, "decode", DECODERS, default="none", where=f"{where}."),
        "unit": one_of(table, "unit", UNITS, default="auto", where=f"{where}."),
        "dialect": one_of(table, "dialect", ("auto", *dialects), default="auto", where=f"{where}."),
        "regex": _regex(table.get("regex"), f"{where}.regex"),
        "translate": table.get("translate", {}),
        "then": table.get("then"),
        "when": _conditions(table.get("when", {}), f"{where}.when"),
        "wrap": text_of(table, "wrap", "", f"{where}.") or None,
    }
    shape["dialect"] = None if shape["dialect"] == "auto" else shape["dialect"]
    if origins == ["const"]:
        return [Selector(constant=table["const"], when=shape["when"])]
    if origins == ["uri"]:
        return [Selector(from_uri=True, **{**shape, "regex": _regex(table["uri"], f"{where}.uri")})]
    given = table[origins[0]]
    if origins == ["paths"] and not (isinstance(given, list) and given):
        raise Problem(f"key '{where}.paths' needs a list of paths")
    return [Selector(path=_path(one, where), **shape) for one in (given if origins == ["paths"] else [given])]


def _path(value: object, where: str) -> Path:
    if not isinstance(value, str):
        raise Problem(f"key '{where}' is of type {type(value).__name__}; allowed: a path such as a.b[0]['c.d']")
    try:
        return paths.compiled(value)
    except ValueError as error:
        raise Problem(f"key '{where}': {error}") from None


def _regex(value: object, where: str) -> Any:
    if value is None:
        return None
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(value, options)
    except (re2.error, TypeError, ValueError):
        raise Problem(f"key '{where}' is no regular expression of RE2 (no look-around, no back reference)") from None


def _conditions(table: dict[str, Any], where: str) -> tuple[Condition, ...]:
    """`path = [values]`, or `path = {values = […], reason = "…"}` to name what coverage calls the other rows."""
    found = []
    for path, given in table.items():
        key, reason = f"{where}.{path}", "filtered"
        if isinstance(given, dict):
            only(given, f"{key}.", ("values", "reason"))
            reason = text_of(given, "reason", "filtered", f"{key}.")
            given = given.get("values")
        if not isinstance(given, list) or any(isinstance(value, dict | list) for value in given):
            raise Problem(f"key '{key}' needs a list of the values to keep, such as [200]")
        found.append(Condition(_path(path, key), tuple(given), reason))
    return tuple(found)


def _drops(table: dict[str, Any]) -> tuple[Drop, ...]:
    found = []
    for number, drop in enumerate(_tables_of(table, "drops")):
        where = f"drops[{number}]"
        only(drop, f"{where}.", ("fields", "when"))
        kind_of(drop, "when", dict, "a table", f"{where}.")
        fields = tuple(member(word, f"{where}.fields", DROPPABLE) for word in texts_of(drop, "fields", f"{where}."))
        found.append(Drop(fields, _conditions(drop.get("when", {}), f"{where}.when")))
    return tuple(found)


def _tables_of(table: dict[str, Any], key: str) -> list[dict[str, Any]]:
    given = table.get(key, [])
    if not isinstance(given, list) or not all(isinstance(one, dict) for one in given):
        raise Problem(f"key '{key}' needs tables: [[{key}]]")
    return given


def _join(table: dict[str, Any], dialects: tuple[str, ...]) -> dict[str, Any]:
    join = table.get("join", {})
    only(join, "join.", ("on",))
    if join and "on" not in join:
        raise Problem("key 'join.on' is missing: give the path of the id that partners share")
    return {"join_on": _choices(join["on"], "join.on", dialects)} if join else {}


def _remediation(table: dict[str, Any], dialects: tuple[str, ...]) -> dict[str, Any]:
    given = table.get("remediation", {})
    if not given:
        return {}
    only(given, "remediation.", ("actions", "extra_tokens", "words"))
    if "actions" not in given:
        raise Problem("key 'remediation.actions' is missing: give the path of the action, or of the list of actions")
    words = given.get("words", {})
    if not isinstance(words, dict):
        raise Problem("key 'remediation.words' needs a table from your words to: " + ", ".join(ACTIONS))
    return {
        "remediation_actions": _choices(given["actions"], "remediation.actions", dialects),
        "remediation_tokens": _choices(given["extra_tokens"], "remediation.extra_tokens", dialects)
        if "extra_tokens" in given
        else (),
        "remediation_words": {
            word: member(action, f"remediation.words.{word}", (*ACTIONS, "none")) for word, action in words.items()
        },
    }

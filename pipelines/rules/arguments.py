"""Arguments of a call read with the schema of its tool: typed values, and what can be recovered of a structured call that is wrong."""

import ast
import json
from collections.abc import Mapping
from dataclasses import dataclass

import re2

from pipelines.rules.call_syntax.call import ParsedCall
from pipelines.rules.call_syntax.json_values import value_at
from pipelines.rules.value_edges import without_edges, without_remnants
from pipelines.schema import Record, Tool, ToolCall

Values = dict[str, object]
_JUNK = 48
"""Characters before or behind the JSON of arguments that may be a label or a fence; more is an answer or another call."""
_MARKED = re2.compile(r"<[|/\w]|\|>|\[(?:ARGS|TOOL_CALLS|THINK)\]|[▁◁▷]|\x00")


def fit(call: ParsedCall, tool: Tool) -> Values | None:
    """The arguments of a call read from text, typed by the tool's schema; None when they cannot be read or do not fit it."""
    if call.arguments is None:
        return None
    schema = tool.parameters or {}
    texts = {
        key: typed(value, property_schema(schema, key), schema)
        for key, value in call.arguments.items()
        if key in call.untyped
    }
    values = {**call.arguments, **texts}
    return values if accepts(tool, values) else coerced(tool, values)


def accepts(tool: Tool, values: Values) -> bool:
    """Whether the tool's schema accepts the values; a tool without a usable schema accepts any object."""
    from pipelines.rules.json_schema import fits

    return not tool.parameters or fits(tool.parameters, values) is not False


def coerced(tool: Tool, values: Values) -> Values | None:
    """Values in which texts became the numbers, booleans or objects that they spell, when the schema accepts them then."""
    schema = tool.parameters or {}
    changed = {key: typed(value, property_schema(schema, key), schema) for key, value in values.items()}
    return changed if changed != values and accepts(tool, changed) else None


def property_schema(schema: Mapping[str, object], key: str) -> Mapping[str, object]:
    properties = schema.get("properties")
    found = properties.get(key) if isinstance(properties, dict) else None
    return found if isinstance(found, dict) else {}


def typed(value: object, schema: Mapping[str, object], root: Mapping[str, object]) -> object:
    """A text as the type that its schema names; other values, and texts that spell no such value, as they are."""
    if not isinstance(value, str):
        return value
    for kind in _types(schema, root):
        if kind == "string":
            return value
        try:
            parsed = json.loads(value.strip())
        except (ValueError, RecursionError):
            parsed = {"true": True, "false": False, "none": None}.get(value.strip().lower(), value)
        if _is(kind, parsed):
            return parsed
    return value


def _types(schema: Mapping[str, object], root: Mapping[str, object]) -> list[str]:
    """Names of the types that a schema allows, through local references and alternatives one level deep."""
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference.startswith("#/"):
        target: object = root
        for step in reference[2:].split("/"):
            target = target.get(step) if isinstance(target, dict) else None
        schema = target if isinstance(target, dict) else {}
    kinds = schema.get("type")
    names = [kinds] if isinstance(kinds, str) else list(kinds) if isinstance(kinds, list) else []
    for key in ("anyOf", "oneOf"):
        options = schema.get(key)
        for option in options if isinstance(options, list) else ():
            inner = option.get("type") if isinstance(option, dict) else None
            names += [inner] if isinstance(inner, str) else []
    values = schema.get("enum")
    if not names and isinstance(values, list):
        names = (
            ["string"] if all(isinstance(item, str) for item in values) else ["integer", "number", "boolean", "string"]
        )
    return sorted((name for name in names if isinstance(name, str)), key=lambda name: name == "string")


def _is(kind: str, value: object) -> bool:
    if kind == "null":
        return value is None
    if kind == "boolean":
        return isinstance(value, bool)
    if kind in ("integer", "number") and isinstance(value, bool):
        return False
    if kind == "integer":
        return isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    kinds = {"number": (int, float), "object": dict, "array": list}
    return kind in kinds and isinstance(value, kinds[kind])  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a structured call: name | marker | json | schema; and the call as it was meant, where that is certain."""

    kind: str
    meant: ToolCall | None


def fault_of(call: ToolCall, record: Record) -> Fault | None:
    """What is wrong with a structured call in the answer to a request with tools; None when nothing is."""
    offered = {tool.name: tool for tool in record.tools or ()}
    name = call.name or ""
    if name not in offered:
        tool = offered.get(clean_name(name))
        inside = name[name.find("{") :] if "{" in name and not (call.arguments or "").strip("{} ") else call.arguments
        values = recovered(inside, tool) if tool else None
        marked = bool(_MARKED.search(name)) or tool is not None
        return Fault("marker" if marked else "name", _meant(call, tool, values))
    tool = offered[name]
    values = _plain(call.arguments)
    if values is None:
        return Fault("json", _meant(call, tool, recovered(call.arguments, tool)))
    if not accepts(tool, values):
        bare = {key: without_edges(value) for key, value in values.items()}
        fitting = bare if bare != values and accepts(tool, bare) else None
        return Fault("schema", _meant(call, tool, coerced(tool, values) or fitting))
    bare = {key: without_remnants(value, record) for key, value in values.items()}
    if bare != values:
        return Fault("marker", _meant(call, tool, bare if accepts(tool, bare) else None))
    return None


def clean_name(name: str) -> str:
    """A tool's name without the tokens, recipient, namespace and index around it."""
    name = name.rpartition("to=")[2].partition("{")[0]
    bare = _MARKED.split(name.strip(), maxsplit=1)[0] or _AFTER_TOKENS.sub("", name)
    return str(_INDEX.sub("", bare.strip(" \n\t\"'`:{(")).removeprefix("functions.").strip().partition(" ")[0])


_AFTER_TOKENS = re2.compile(r"^(?:\s*<[^<>]{0,64}>\s*(?:commentary|analysis)?\s*(?:to=)?)+")
_INDEX = re2.compile(r":\d{1,3}$")


def recovered(text: str | None, tool: Tool) -> Values | None:
    """Arguments that are not JSON as they were meant: nothing at all, encoded twice, a label or a repeated copy around them, a Python
    literal. None when they were cut or when more than that is wrong."""
    raw = (text or "").strip()
    if raw in ("", "null", "None", '""'):
        return {} if accepts(tool, {}) else None
    values = next((read for read in (_plain(raw), _inside(raw), _python(raw)) if read is not None), None)
    if values is None:
        return None
    return values if accepts(tool, values) else coerced(tool, values)


def _plain(text: str | None) -> Values | None:
    """The object that `text` is as JSON; None when it is not an object (an empty text is none)."""
    try:
        value = json.loads(text or "")
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _inside(raw: str) -> Values | None:
    """The object in JSON that is encoded twice, or that has a label before it or a remnant or a copy of itself behind it."""
    if raw.startswith('"'):
        try:
            inner = json.loads(raw)
        except (ValueError, RecursionError):
            return None
        return _plain(inner) if isinstance(inner, str) else None
    place = raw.find("{")
    read = value_at(raw, place) if 0 <= place <= _JUNK else None
    if read is None or not isinstance(read[0], dict):
        return None
    rest = raw[read[1] :].strip()
    copies = _plain(rest) == read[0] or _inside_copy(rest) == read[0]
    short = len(rest) <= _JUNK and "{" not in rest
    return read[0] if copies or short else None


def _inside_copy(rest: str) -> Values | None:
    return _inside(rest) if rest.startswith('"') else None


def _python(raw: str) -> Values | None:
    if len(raw) > 20_000 or not raw.startswith("{"):
        return None
    try:
        value = ast.literal_eval(raw)
    except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
        return None
    return value if isinstance(value, dict) and all(isinstance(key, str) for key in value) else None


def _meant(call: ToolCall, tool: Tool | None, values: Values | None) -> ToolCall | None:
    if tool is None or values is None:
        return None
    return ToolCall(tool.name, json.dumps(values, ensure_ascii=False), id=call.id, type=call.type, index=call.index)

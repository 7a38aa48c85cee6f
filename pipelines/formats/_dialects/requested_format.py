"""The format that a request asks for, in OpenAI's form, whichever of the APIs' fields says so."""

from pipelines.formats.values import Mapping, decoded, mapping
from pipelines.schema import RequestState

Format = dict[str, object]

_GUIDED = {
    "json": ("guided_json", "json_schema"),
    "regex": ("guided_regex", "regex"),
    "choice": ("guided_choice",),
    "grammar": ("guided_grammar", "ebnf"),
    "structural_tag": ("structural_tag",),
}
"""Kind of constraint → request fields of vLLM (guided_*) and SGLang."""
_KEYS = frozenset(
    {"response_format", "text", "output_config", "output_format", "structured_outputs", "guided_json_object"}
).union(*_GUIDED.values())


def requested_format(sent: Mapping) -> tuple[Format | None, RequestState]:
    """The format and `present`, or None and `none`: `response_format`, Responses `text.format`, vLLM's `guided_*` and
    `structured_outputs`, SGLang's `json_schema`, `regex`, `ebnf`, Claude's `output_config.format`."""
    if sent.keys().isdisjoint(_KEYS):
        return None, "none"
    found = _openai(sent) or _guided(sent) or _structured_outputs(sent.get("structured_outputs"))
    return (found, "present") if found else (None, "none")


def _openai(sent: Mapping) -> Format | None:
    config = mapping(sent.get("output_config"))
    fields = (
        sent.get("response_format"),
        mapping(sent.get("text")).get("format"),
        config.get("format"),
        sent.get("output_format"),
    )
    for value in fields:
        given = mapping(value)
        kind = given.get("type")
        if kind == "json_schema":
            return _schema_format(given)
        if isinstance(kind, str) and kind not in ("text", "auto"):
            return dict(given)
    return None


def _schema_format(given: Mapping) -> Format:
    """OpenAI's nested form; Responses and Claude have name and schema on the top level."""
    nested = given.get("json_schema")
    inner = dict(nested) if isinstance(nested, dict) else {key: value for key, value in given.items() if key != "type"}
    if "schema" not in inner and isinstance(given.get("schema"), dict):
        inner["schema"] = given["schema"]
    return {"type": "json_schema", "json_schema": inner}


def _guided(sent: Mapping) -> Format | None:
    for kind, keys in _GUIDED.items():
        for key in keys:
            value = sent.get(key)
            if value is not None and value != "":
                return _constraint(kind, value)
    return {"type": "json_object"} if sent.get("guided_json_object") is True else None


def _structured_outputs(value: object) -> Format | None:
    given = mapping(value)
    for kind in _GUIDED:
        if given.get(kind) is not None:
            return _constraint(kind, given[kind])
    return {"type": "json_object"} if given.get("json_object") is True else None


def _constraint(kind: str, value: object) -> Format:
    if kind != "json":
        return {"type": kind, kind: value}
    schema = decoded(value)
    return {"type": "json_schema", "json_schema": {"schema": schema} if isinstance(schema, dict) else {}}

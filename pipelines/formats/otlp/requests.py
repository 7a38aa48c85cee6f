"""The request of a call, from whichever of its spans shows a part of it."""

from collections.abc import Sequence

from pipelines.formats._dialects import Request, read_request
from pipelines.formats.literals import cut_json, python_literal
from pipelines.formats.otlp.flattened import messages_of, unflattened
from pipelines.formats.otlp.spans import ROLES, Span
from pipelines.formats.otlp.writers import api_of, is_envoy, is_litellm
from pipelines.formats.values import Mapping, decoded, mapping, sequence, text

_ANSWER_KEYS = (
    "id",
    "object",
    "created",
    "choices",
    "usage",
    "system_fingerprint",
    "output",
    "stringified_raw_response",
)
REDACTED = "__REDACTED__"


def request_of(spans: Sequence[Span]) -> Request:
    """What the spans say of the request. A body logged whole says also what was not asked for; attributes alone say only what they name."""
    sent: Mapping = {}
    whole = False
    for span in spans:
        for part, is_whole in (_raw(span), _openinference(span), (_conventions(span), False)):
            for key, value in part.items():
                sent.setdefault(key, value)
            whole |= is_whole
    told = [message for span in sorted(spans, key=_time) for message in _events(span)]
    if told:
        sent.setdefault("messages", told)
    return _with_unknowns(read_request(sent, whole_body=whole), sent, spans, whole=whole)


def _with_unknowns(request: Request, sent: Mapping, spans: Sequence[Span], *, whole: bool) -> Request:
    if request.messages and all(message.content in ("", REDACTED) for message in request.messages):
        request.messages, request.position, request.last_role = None, 0, None
    if whole:
        return request
    names_tools = any(_names_tools(span) for span in spans)
    if "tools" not in sent and not names_tools:
        request.tools = request.tool_choice = None
    if "stop" not in sent:
        request.stop = None
    if request.response_format_state == "none":
        request.response_format_state = "unknown"
    return request


def _names_tools(span: Span) -> bool:
    """Whether LiteLLM would have written the tools of this request into the span: it does so beside the messages."""
    captured = span.kind == "call" and span.first("gen_ai.input.messages") is not None
    return captured and is_litellm(span) and api_of(span) in ("chat", "messages")


def _raw(span: Span) -> tuple[Mapping, bool]:
    """The upstream request of LiteLLM's raw span; the model in it is the deployed one."""
    if span.kind != "raw":
        return {}, False
    prefix = f"llm.{span.provider}."
    given = {key[len(prefix) :]: value for key, value in span.attributes.items() if key.startswith(prefix)}
    sent = {key: _literal(value) for key, value in given.items() if key not in _ANSWER_KEYS and key != "model"}
    return sent, any(key in sent for key in ("messages", "input", "prompt"))


def _literal(value: object) -> object:
    return python_literal(value) if isinstance(value, str) else value


def _openinference(span: Span) -> tuple[Mapping, bool]:
    """`input.value` (the whole body, or the messages), parameters, flattened messages and tools."""
    body = decoded(span.attributes.get("input.value"))
    parameters = mapping(decoded(span.attributes.get("llm.invocation_parameters")))
    sent: Mapping = {}
    whole = isinstance(body, dict) and any(key in body for key in ("messages", "input", "prompt"))
    if whole:
        sent.update(mapping(body))
    elif isinstance(body, list):
        sent["messages"] = body
    for key, value in parameters.items():
        sent.setdefault(key, value)
    messages = messages_of(unflattened(span.attributes, "llm.input_messages"))
    if messages:
        sent.setdefault("messages", messages)
    tools = [
        _openinference_tool(mapping(mapping(one).get("tool")))
        for one in sequence(unflattened(span.attributes, "llm.tools"))
    ]
    if any(tools):
        sent.setdefault("tools", tools)
    return sent, whole or (bool(parameters) and is_envoy(span))


def _openinference_tool(tool: Mapping) -> Mapping:
    """The whole tool stands in `json_schema`; LiteLLM puts only its parameters there, and the name beside them."""
    schema = mapping(decoded(tool.get("json_schema")))
    named = "function" in schema or "name" in schema or "toolSpec" in schema
    return schema if named else {"type": "function", "name": tool.get("name"), "parameters": schema}


def _conventions(span: Span) -> Mapping:
    """The `gen_ai.*` attributes, and LiteLLM's `llm.request.functions.N`."""
    found = {
        "messages": _messages(span),
        "tools": _tools(span),
        "stop": _list(span.first("gen_ai.request.stop_sequences")),
        "max_tokens": span.first("gen_ai.request.max_tokens"),
        "n": span.first("gen_ai.request.choice.count"),
        "reasoning_effort": span.text("gen_ai.request.reasoning_effort", "gen_ai.request.reasoning.level"),
        "stream": _flag(
            span.first("llm.is_streaming", "litellm.request.streaming", "gen_ai.request.stream", "gen_ai.is_streaming")
        ),
        "response_format": _format(span),
    }
    return {key: value for key, value in found.items() if value is not None}


def _messages(span: Span) -> list[object] | None:
    given = structured(span.first("gen_ai.input.messages"))
    if given is None:
        given = unflattened(span.attributes, "gen_ai.prompt")
    if given is None:
        return None
    system = structured(span.first("gen_ai.system_instructions"))
    before = [{"role": "system", "parts": system}] if isinstance(system, list) and system else []
    return [*before, *sequence(given)]


def _tools(span: Span) -> list[object] | None:
    defined = structured(span.first("gen_ai.tool.definitions"))
    if isinstance(defined, list):
        return defined
    for prefix in ("llm.request.functions", "gen_ai.tool"):
        functions = unflattened(span.attributes, prefix)
        if isinstance(functions, list):
            return [{**mapping(one), "parameters": decoded(mapping(one).get("parameters"))} for one in functions]
    return None


def _format(span: Span) -> Mapping | None:
    kind = span.text("gen_ai.openai.request.response_format", "gen_ai.output.type")
    return (
        {"type": "json_object" if kind == "json" else kind} if kind in ("json", "json_object", "json_schema") else None
    )


def _time(span: Span) -> float:
    return span.time or 0.0


def _events(span: Span) -> list[object]:
    """Messages out of the older events: one event a message, or one text of all."""
    found: list[object] = []
    if span.event in ROLES:
        found.append({"role": span.event, **mapping(span.body)})
    for kind, attributes in span.events:
        if kind == "prompt":
            found.extend(sequence(structured(attributes.get("gen_ai.prompt"))))
        elif kind in ROLES:
            found.append({"role": kind, **attributes})
    return found


def structured(value: object) -> object:
    """A structured attribute as it is; a text of JSON, also one that was cut off, as its value; other texts and null: None."""
    if not isinstance(value, str):
        return value
    opened = decoded(value)
    return cut_json(value) if isinstance(opened, str) else opened


def _list(value: object) -> list[object] | None:
    opened = decoded(value)
    return opened if isinstance(opened, list) else ([opened] if isinstance(opened, str) and opened else None)


def _flag(value: object) -> bool | None:
    words = {"true": True, "false": False}
    return value if isinstance(value, bool) else words.get((text(value) or "").lower())

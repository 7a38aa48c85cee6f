"""The request of a call, read from the request body of any of the APIs."""

from copy import copy
from functools import lru_cache

import msgspec

from pipelines.formats._dialects.blocks import joined
from pipelines.formats._dialects.body import Request
from pipelines.formats._dialects.history import position_of, read_messages
from pipelines.formats._dialects.requested_format import requested_format
from pipelines.formats.values import Mapping, filled, flag, mapping, sequence, text, whole
from pipelines.schema import Tool

_HISTORIES = ("messages", "input", "prompt")
_THINKING = {"enabled": True, "adaptive": True, "auto": True, "disabled": False}


def read_request(body: object, *, whole_body: bool = True) -> Request:
    """What a request body says. With `whole_body`, a key that is not there was not sent (tools: none, no format, not streamed);
    without it, only what the log keeps of the request is there, and template arguments and the like stay unknown."""
    if not isinstance(body, dict) or not body:
        return Request()
    sent = {**mapping(body.get("additionalModelRequestFields")), **mapping(body.get("extra_body")), **body}
    tools = _tools(sent)
    request = Request(
        tools=tools,
        tool_choice=_tool_choice(sent, bool(tools)),
        stop=_stop(sent),
        stream=flag(sent.get("stream")),
        max_tokens=_first_whole(sent, "max_completion_tokens", "max_tokens", "max_output_tokens"),
        choices_requested=whole(sent.get("n")),
        reasoning_effort=_effort(sent),
        chat_template_kwargs=_template_arguments(sent, whole_body),
        include_reasoning=flag(sent.get("include_reasoning")),
        separate_reasoning=flag(sent.get("separate_reasoning")),
        skip_special_tokens=flag(sent.get("skip_special_tokens")),
        thinking_token_budget=_budget(sent),
        model_requested=filled(sent.get("model")),
        previous_response_id=filled(sent.get("previous_response_id")),
        caller=filled(sent.get("user"), sent.get("safety_identifier"), mapping(sent.get("metadata")).get("user_id")),
    )
    request.response_format, request.response_format_state = requested_format(sent)
    if whole_body and request.stream is None:
        request.stream = False
    _read_history(request, sent)
    return request


def read_parameters(parameters: Mapping, history: object) -> Request:
    """What the parameters and the messages of a call say. Calls of one client mostly have the same parameters, which are read once."""
    if "messages" in parameters:
        return read_request({"messages": history, **parameters}, whole_body=False)
    try:
        request = copy(_shared(msgspec.json.encode(parameters)))
    except (msgspec.MsgspecError, TypeError, ValueError, OverflowError, RecursionError):
        return read_request({"messages": history, **parameters}, whole_body=False)
    if isinstance(history, str | list):
        _set_history(request, history)
    return request


@lru_cache(maxsize=256)
def _shared(parameters: bytes) -> Request:
    return read_request({"messages": None, **msgspec.json.decode(parameters)}, whole_body=False)


def _read_history(request: Request, sent: Mapping) -> None:
    given = next((value for key in _HISTORIES if isinstance(value := sent.get(key), str | list)), None)
    system = sent.get("system")
    request.instructions = filled(sent.get("instructions"), joined(system))
    if given is None:
        return
    _set_history(request, given)


def _set_history(request: Request, given: str | list[object]) -> None:
    request.messages = read_messages(given)
    request.position = position_of(request.messages)
    request.last_role = request.messages[-1].role if request.messages else None


def _tools(sent: Mapping) -> tuple[Tool, ...]:
    if sent.keys().isdisjoint(("tools", "functions", "toolConfig")):
        return ()
    offered = [*sequence(sent.get("tools")), *sequence(sent.get("functions"))]
    specified = sequence(mapping(sent.get("toolConfig")).get("tools"))
    return tuple(tool for item in (*offered, *specified) if (tool := _tool(item)))


def _tool(item: object) -> Tool | None:
    given = mapping(item)
    inner = mapping(given.get("function")) or mapping(given.get("toolSpec")) or mapping(given.get("custom")) or given
    kind = text(given.get("type")) or "function"
    name = filled(inner.get("name")) or (kind if kind != "function" else None)
    if name is None:
        return None
    schema = next(
        (inner[key] for key in ("parameters", "input_schema", "inputSchema") if isinstance(inner.get(key), dict)), None
    )
    nested = mapping(schema).get("json")
    return Tool(name=name, parameters=nested if isinstance(nested, dict) else schema, type=kind)  # type: ignore[arg-type]


def _tool_choice(sent: Mapping, offered: bool) -> str | None:
    choice = sent.get("tool_choice", sent.get("function_call", mapping(sent.get("toolConfig")).get("toolChoice")))
    if isinstance(choice, str):
        return "required" if choice == "any" else choice
    if isinstance(choice, dict):
        named = filled(
            choice.get("name"), *(mapping(choice.get(key)).get("name") for key in ("function", "tool", "custom"))
        )
        kind = text(choice.get("type")) or next(iter(choice), None)
        return named or ("required" if kind == "any" else kind)
    return "auto" if offered else None


def _stop(sent: Mapping) -> tuple[str, ...]:
    inference = mapping(sent.get("inferenceConfig"))
    for value in (sent.get("stop"), sent.get("stop_sequences"), inference.get("stopSequences")):
        if isinstance(value, str):
            return (value,)
        if isinstance(value, list):
            return tuple(item for item in value if isinstance(item, str))
    return ()


def _first_whole(sent: Mapping, *keys: str) -> int | None:
    numbers = (whole(sent.get(key)) for key in keys)
    inference = whole(mapping(sent.get("inferenceConfig")).get("maxTokens"))
    return next((number for number in numbers if number is not None), inference)


def _effort(sent: Mapping) -> str | None:
    effort = sent.get("reasoning_effort")
    nested = (mapping(source).get("effort") for source in (effort, sent.get("reasoning"), sent.get("output_config")))
    return filled(effort, *nested)


def _template_arguments(sent: Mapping, whole_body: bool) -> dict[str, object] | None:
    """The template's arguments; a Claude-like `thinking` switch and a bare `enable_thinking` are arguments under another name."""
    given = sent.get("chat_template_kwargs")
    arguments = dict(given) if isinstance(given, dict) else {}
    switched = _THINKING.get(text(mapping(sent.get("thinking")).get("type")) or "")
    if switched is not None:
        arguments.setdefault("thinking", switched)
    for name in ("enable_thinking", "thinking_mode"):
        if isinstance(sent.get(name), bool | str):
            arguments.setdefault(name, sent[name])
    return arguments if arguments or whole_body or isinstance(given, dict) else None


def _budget(sent: Mapping) -> int | None:
    direct = whole(sent.get("thinking_token_budget", sent.get("thinking_budget")))
    return direct if direct is not None else whole(mapping(sent.get("thinking")).get("budget_tokens"))

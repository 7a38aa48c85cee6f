"""Langfuse observations: blob export `observations_v2`, legacy `observations` with `traces`, rows of the API; JSON, Parquet, CSV."""

from collections.abc import Iterator

from pipelines.formats._dialects import Answer, Body, Request, read_body, read_request
from pipelines.formats.format import Format, Item, Outcome, Partner, Place, Rejected, Skipped
from pipelines.formats.literals import python_literal
from pipelines.formats.record import declared, hide_reasoning, record_of
from pipelines.formats.remediation import read_remediation
from pipelines.formats.values import Mapping, decoded, filled, mapping, seconds, sequence, whole
from pipelines.schema import Usage

_CALLS = ("GENERATION",)
_TYPES = (
    *("GENERATION", "SPAN", "EVENT", "AGENT", "TOOL", "CHAIN", "RETRIEVER", "EVALUATOR", "EMBEDDING"),
    "GUARDRAIL",
)
_REASONING_TOKENS = ("output_reasoning_tokens", "output_reasoning", "reasoning_tokens", "reasoning")


def recognise(item: Item) -> bool:
    """An observation, or a row of the legacy table of traces."""
    given = mapping(item)
    if given.get("type") in _TYPES:
        return _key(given, "trace_id") is not None and _key(given, "start_time") is not None
    return _is_trace(given)


def _is_trace(given: Mapping) -> bool:
    has_project = "project_id" in given or "projectId" in given
    return "type" not in given and has_project and {"id", "timestamp", "name", "input", "output"} <= given.keys()


def join_key(item: Item) -> str | None:
    """The trace of a legacy row; rows that hold their trace's fields themselves stand alone."""
    given = mapping(item)
    if _is_trace(given):
        return filled(given.get("id"))
    inlined = any(name in given for name in ("session_id", "sessionId", "trace_name", "traceName"))
    return None if inlined else filled(_key(given, "trace_id"))


def parse(partners: Item, place: Place) -> Iterator[Outcome]:
    """One record per generation; traces lend session, user, tags and metadata to the generations beside them."""
    known = partners if isinstance(partners, tuple) else (Partner(partners, place),)
    traces = [mapping(partner.item) for partner in known if _is_trace(mapping(partner.item))]
    trace = traces[0] if traces else {}
    for partner in known:
        row = mapping(partner.item)
        if not isinstance(partner.item, dict):
            yield Rejected("not_an_object", "an observation is an object")
        elif row.get("type") not in _CALLS:
            yield Skipped("not_a_call")
        elif str(row.get("level")).upper() == "ERROR":
            yield Skipped("failed")
        else:
            yield from _records(row, trace, partner.place)


def _records(row: Mapping, trace: Mapping, place: Place) -> Iterator[Outcome]:
    body = _body(row)
    for answer in body.answers:
        record = record_of(place, _request(row), body, answer, **_known(row, trace))
        record.body_logged = answer.content_state != "absent"
        yield hide_reasoning(record)


def _body(row: Mapping) -> Body:
    """`output`: the message of the first choice, a whole response, or text; an empty text stands for none."""
    output = row.get("output")
    opened = decoded(output)
    if isinstance(opened, list) and any("type" in mapping(one) and "role" not in mapping(one) for one in opened):
        opened = {"object": "response", "output": opened}
    elif isinstance(opened, dict) and "role" not in opened and {"content", "tool_calls"} & opened.keys():
        opened = {"role": "assistant", **opened}
    body = read_body(opened) if isinstance(opened, dict | list) and opened else None
    if body is None:
        body = read_body(output if isinstance(output, str) else "", "plain_text")
    answers = body.answers if body else ()
    for answer in answers:
        _complete(answer, row)
    return body or Body(dialect="none", api="unknown")


def _complete(answer: Answer, row: Mapping) -> None:
    """Calls out of their own column; nothing at all where output was not kept."""
    calls = [decoded(one) for one in sequence(decoded(_key(row, "tool_calls")))]
    if calls and not answer.tool_calls:
        found = read_body([{"role": "assistant", "content": None, "tool_calls": calls}])
        answer.tool_calls = found.answers[0].tool_calls if found and found.answers else ()
        answer.tool_calls_state = "present" if answer.tool_calls else answer.tool_calls_state
    if row.get("output") in (None, "") and not answer.tool_calls:
        answer.content, answer.content_state = None, "absent"


def _request(row: Mapping) -> Request:
    """`input` (a body, messages, or text) and `model_parameters`, whose nested values are JSON or Python text."""
    given = decoded(row.get("input"))
    parameters = {
        key: python_literal(value) if isinstance(value, str) and isinstance(decoded(value), str) else decoded(value)
        for key, value in mapping(decoded(_key(row, "model_parameters"))).items()
    }
    is_body = isinstance(given, dict) and any(key in given for key in ("messages", "input", "prompt"))
    sent = {**parameters, **(mapping(given) if is_body else {})}
    if not is_body and given not in (None, ""):
        sent["messages"] = given if isinstance(given, str | list) else str(row.get("input") or "")
    tools = [decoded(tool) for tool in pairs(_key(row, "tool_definitions")).values()]
    if tools:
        sent.setdefault("tools", tools)
    is_whole = is_body and isinstance(decoded(_key(row, "model_parameters")), dict)
    request = read_request(sent, whole_body=is_whole)
    if not is_body and "tools" not in sent:
        request.tools = request.tool_choice = None
    if not is_whole:
        request.stop = request.stop or None
        request.response_format_state = "present" if request.response_format else "unknown"
    return request


def _known(row: Mapping, trace: Mapping) -> dict[str, object]:
    metadata = {**pairs(trace.get("metadata")), **pairs(row.get("metadata"))}
    own = {**mapping(decoded(metadata.get("requester_metadata"))), **metadata}
    hidden = mapping(decoded(metadata.get("hidden_params")))
    actions, visible = read_remediation(own.get("remediation"), own.get("guardrail_information"))
    by_litellm = str(row.get("name") or "").startswith("litellm-")
    return {
        "format": "langfuse",
        "source_id": filled(row.get("id")),
        "call_id": filled(row.get("id")),
        "trace_id": filled(_key(row, "trace_id")),
        "session": filled(_key(row, "session_id"), _key(trace, "session_id"), own.get("session_id")),
        "caller": filled(_key(row, "user_id"), _key(trace, "user_id")),
        "time": seconds(_key(row, "start_time")),
        "gateway": "litellm" if by_litellm else None,
        "model_deployed": filled(_key(row, "provided_model_name"), row.get("model")),
        "model_requested": filled(own.get("model_group")),
        "model_id": filled(hidden.get("model_id")),
        "api_base": filled(hidden.get("api_base"), own.get("api_base")),
        "usage": _usage(pairs(_key(row, "usage_details")) or pairs(row.get("usage"))),
        "assembled_by": "gateway" if by_litellm else "client",
        "remediation": actions,
        "remediation_visible": visible,
        **declared(own),
    }


def _usage(counts: Mapping) -> Usage:
    reasoning = next((number for name in _REASONING_TOKENS if (number := whole(counts.get(name))) is not None), None)
    return Usage(input=whole(counts.get("input")), output=whole(counts.get("output")), reasoning=reasoning)


def _key(row: Mapping, name: str) -> object:
    """A column by its name in exports, else by the API's."""
    head, *rest = name.split("_")
    value = row.get(name)
    return value if value is not None else row.get(head + "".join(word.title() for word in rest))


def pairs(value: object) -> Mapping:
    """An object, JSON text of one, or the key-value pairs that Parquet has for a map."""
    opened = decoded(value)
    if isinstance(opened, list):
        return {str(pair[0]): pair[1] for pair in opened if isinstance(pair, list | tuple) and len(pair) == 2}
    return mapping(opened)


FORMAT = Format(
    name="langfuse",
    title="Langfuse observations: blob export (v2, or legacy with traces) and API rows",
    recognise=recognise,
    join_key=join_key,
    parse=parse,
    shows=("content", "reasoning", "tool_calls", "tools", "messages", "time"),
    sources=(
        "langfuse-docs, blob storage export, read 2026-11-30",
        "LiteLLM 1.108.7 integrations/langfuse, read 2026-11-30",
    ),
)

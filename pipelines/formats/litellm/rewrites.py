"""What LiteLLM itself changed in a row, as flags, so that its own doing is not taken for the engine's.

Seen in runs of 1.108.7 and 1.80.5 (2026-11-30): plain chat rows have a leading think pair moved into the reasoning, streams of several
choices are glued in order of arrival, merged deployments get the pair written in, names and finish reasons are replaced.
"""

from collections.abc import Collection
from typing import TYPE_CHECKING

from pipelines.formats._dialects import Body
from pipelines.formats.litellm.redaction import is_stand_in, leftover, note_stand_in
from pipelines.formats.values import Mapping, filled, mapping, sequence
from pipelines.schema import Record

if TYPE_CHECKING:
    from pipelines.formats.litellm.call import Call


def note_rewrites(record: Record, call: "Call", body: Body, response: Mapping) -> None:
    """Sets the visibility fields of a record; a redacted one keeps only what is left of it."""
    rewrites = set(rewrites_of_call(call, body.model, record.model_deployed))
    if record.content_state == "redacted":
        record.body_logged = False
        record.redacted_leftover = leftover(response, record.choice)
        if is_stand_in(response):
            note_stand_in(record)
    if call.streamed:
        _note_stream(record, call, body, response, rewrites)
    elif call.call_type != "atext_completion" and "choices" in response:
        rewrites |= _moved(record, response, cached=call.cached)
    if call.disconnected:
        record.finish_reason = None
    if reasoning_is_dropped(record, call):
        rewrites.add("reasoning_dropped")
        record.reasoning_state = "dropped_by_format"
    record.gateway_rewrites = frozenset(rewrites)


def rewrites_of_call(call: "Call", response_model: str | None, deployed: str | None) -> list[str]:
    """The rewrites that the row's keys alone tell."""
    found = ["client_disconnected"] if call.disconnected else []
    if call.cached:
        found.append("cached")
    if response_model and response_model == call.model_group and response_model != deployed:
        found.append("model_renamed")
    return found


def is_glued(call: "Call", record: Record, answers: int) -> bool:
    """A stream of several choices that the log holds as one: asked for by number, or by a list of prompts."""
    prompts = len(record.messages or ()) if record.api == "completions" else 1
    return call.streamed and ((call.request.choices_requested or 1) > 1 or prompts > 1) and answers == 1


def finish_is_made_up(call: "Call", finish_reason: str | None) -> bool:
    """Versions without a call id log every stream as `stop`."""
    return call.streamed and call.call_id is None and finish_reason == "stop"


def _note_stream(record: Record, call: "Call", body: Body, response: Mapping, rewrites: set[str]) -> None:
    if is_glued(call, record, len(body.answers)):
        record.choices_merged = True
        record.content_state = "shuffled" if record.body_logged else record.content_state
        record.reasoning, record.reasoning_fields, record.reasoning_state = None, {}, "dropped_by_format"
        record.tool_calls, record.tool_calls_state = (), "dropped_by_format"
        record.finish_reason = None
    if finish_is_made_up(call, record.finish_reason):
        record.finish_reason = None
        rewrites.add("finish_reason_made_up")
    details = mapping(mapping(response.get("usage")).get("completion_tokens_details"))
    record.usage.estimated = is_estimated(record.usage.reasoning, details.get("text_tokens"))
    if _has_merged_form(record):
        counted = record.usage.reasoning if not record.usage.estimated else None
        if counted is None:
            rewrites.add("think_inserted_possible")
        elif counted:
            rewrites.add("think_inserted")


def is_estimated(reasoning_tokens: int | None, text_tokens: object) -> bool:
    """In streams, LiteLLM's own count of the reasoning comes with the rest as text tokens; an engine's count comes alone."""
    return reasoning_tokens is not None and type(text_tokens) is int


def _has_merged_form(record: Record) -> bool:
    """What `merge_reasoning_content_in_choices` writes into a stream: the pair without line breaks around it (a call instead of an
    answer leaves it open), and no reasoning beside it.

    Some models write their pair like that too. The engine's own count of reasoning tokens tells whose pair it is; LiteLLM's count,
    which is 0 then, and none do not.
    """
    content = record.content or ""
    return (
        content.startswith("<think>")
        and content[7:8] != "\n"
        and record.reasoning_state == "empty"
        and not content.partition("</think>")[2].startswith("\n")
    )


def _moved(record: Record, response: Mapping, *, cached: bool) -> set[str]:
    choices = [mapping(item) for item in sequence(response.get("choices"))]
    choice = next((item for item in choices if item.get("index", 0) == record.choice), {})
    message = mapping(choice.get("message"))
    reasoning = filled(message.get("reasoning_content"))
    if reasoning is None:
        return set()
    copies = mapping(message.get("provider_specific_fields"))
    found = moved(
        broken=reasoning[0] == "\n" or reasoning[-1] == "\n" or (record.content or "")[:1] == "\n",
        copied="reasoning" in copies and not (cached and copies["reasoning"] is None),
        own=mapping(choice.get("provider_specific_fields")).keys(),
    )
    return {found} if found else set()


def moved(*, broken: bool, copied: bool, own: Collection[str]) -> str | None:
    """Whether the reasoning of a plain row may have been moved out of the content, which leaves no mark.

    A copy beside the message (null too, but for answers from the cache, out of which the pair is moved when they are read), or SGLang's
    own field, says that the engine sent a reasoning key: then nothing is moved. `broken`:
    line breaks stand where the tags would have been, though engines leave them there too; `own`: the engine's fields of the choice.
    """
    if copied or "matched_stop" in own:
        return None
    unknown = not {"stop_reason", "token_ids"} & set(own)
    if broken and unknown:
        return "think_stripped"
    return "think_stripped_possible" if broken or unknown else None


def reasoning_is_dropped(record: Record, call: "Call") -> bool:
    """Versions without call ids lose `reasoning` in streams; Messages calls on an `openai/` deployment go upstream as Responses and
    lose it always."""
    if record.reasoning_state != "empty":
        return False
    old_stream = call.streamed and call.call_id is None
    return old_stream or (record.api == "messages" and call.provider == "openai")

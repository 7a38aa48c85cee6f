"""OpenAI text completion: one answer per choice; the API has neither reasoning nor calls."""

from pipelines.formats._dialects.body import Answer, Body, state_of_content
from pipelines.formats._dialects.openai_chat import choice_number, logprobs_text, stop_detail
from pipelines.formats._dialects.usage import read_usage
from pipelines.formats.values import Mapping, filled, mapping, seconds, sequence, text


def recognise(body: object) -> bool:
    given = mapping(body)
    named = given.get("object") == "text_completion"
    return any(_is_text(mapping(choice), named) for choice in sequence(given.get("choices")))


def read(body: object) -> Body:
    given = mapping(body)
    choices = [choice for choice in sequence(given.get("choices")) if isinstance(choice, dict)]
    return Body(
        dialect="openai_text",
        api="completions",
        answers=tuple(_answer(choice, place) for place, choice in enumerate(choices)),
        id=filled(given.get("id")),
        model=filled(given.get("model")),
        created=seconds(given.get("created")),
        fingerprint=filled(given.get("system_fingerprint")),
        usage=read_usage(given.get("usage")),
    )


def _is_text(choice: Mapping, named: bool) -> bool:
    """A null stands for a key that is not there, as in rows of a table that also holds chats."""
    if choice.get("text") is None and not named and "message" in choice:
        return False
    return "text" in choice and choice.get("message") is None


def _answer(choice: Mapping, place: int) -> Answer:
    visible = text(choice.get("text"))
    return Answer(
        choice=choice_number(choice, place),
        content=visible,
        content_state=state_of_content(visible),
        finish_reason=filled(choice.get("finish_reason")),
        stop_detail=stop_detail(choice),
        logprobs_text=logprobs_text(choice.get("logprobs")),
        reasoning_state="dropped_by_format",
        tool_calls_state="dropped_by_format",
    )

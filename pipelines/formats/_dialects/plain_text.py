"""Text alone: one answer of which nothing else is known."""

from pipelines.formats._dialects.body import Answer, Body, state_of_content


def recognise(body: object) -> bool:
    return isinstance(body, str)


def read(body: object) -> Body:
    content = body if isinstance(body, str) else None
    answer = Answer(
        content=content,
        content_state=state_of_content(content),
        reasoning_state="dropped_by_format",
        tool_calls_state="dropped_by_format",
    )
    return Body(dialect="plain_text", api="unknown", answers=(answer,))

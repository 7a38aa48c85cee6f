"""Tokens as reported, from the usage object of any of the APIs."""

from pipelines.formats.values import mapping, whole
from pipelines.schema import Usage

_REASONING = ("reasoning_tokens", "thinking_tokens")


def read_usage(value: object) -> Usage:
    """Input, output and reasoning tokens; None for what is not reported."""
    given = mapping(value)
    details = mapping(given.get("completion_tokens_details")) or mapping(given.get("output_tokens_details"))
    return Usage(
        input=_first(given, "prompt_tokens", "input_tokens", "inputTokens"),
        output=_first(given, "completion_tokens", "output_tokens", "outputTokens"),
        reasoning=next(
            (number for source in (details, given) if (number := _first(source, *_REASONING)) is not None), None
        ),
    )


def _first(given: dict[str, object], *keys: str) -> int | None:
    return next((number for key in keys if (number := whole(given.get(key))) is not None), None)

"""Tokens as reported, from the usage object of any of the APIs."""

from pipelines.formats.values import mapping, whole
from pipelines.schema import Usage

_INPUT = ("prompt_tokens", "input_tokens", "inputTokens")
_OUTPUT = ("completion_tokens", "output_tokens", "outputTokens")
_REASONING = ("reasoning_tokens", "thinking_tokens")


def read_usage(value: object) -> Usage:
    """Input, output and reasoning tokens; None for what is not reported."""
    given = mapping(value)
    details = mapping(given.get("completion_tokens_details")) or mapping(given.get("output_tokens_details"))
    reasoning = _first(details, _REASONING)
    return Usage(
        input=_first(given, _INPUT),
        output=_first(given, _OUTPUT),
        reasoning=_first(given, _REASONING) if reasoning is None else reasoning,
    )


def _first(given: dict[str, object], keys: tuple[str, ...]) -> int | None:
    for key in keys:
        if key in given and (number := whole(given[key])) is not None:
            return number
    return None

"""Objects out of attributes whose keys are paths: `llm.output_messages.0.message.role` and its kin."""

from pipelines.formats.values import Mapping

_MOST = 10_000
"""Elements of one array that are read at most."""


def unflattened(attributes: Mapping, prefix: str) -> object:
    """What the keys that begin with `prefix.` describe: digits are places in an array, everything else keys; None where there are none."""
    root: Mapping = {}
    for key, value in attributes.items():
        if key.startswith(prefix + "."):
            _put(root, key[len(prefix) + 1 :].split("."), value)
    return _arrays(root) if root else None


def _put(root: Mapping, steps: list[str], value: object) -> None:
    here = root
    for step in steps[:-1]:
        below = here.setdefault(step, {})
        if not isinstance(below, dict):
            return
        here = below
    if not isinstance(here.get(steps[-1]), dict):
        here[steps[-1]] = value


def _arrays(value: object) -> object:
    if not isinstance(value, dict):
        return value
    if value and all(key.isdecimal() and len(key) < 6 for key in value):
        return [_arrays(value[key]) for key in sorted(value, key=int)[:_MOST]]
    return {key: _arrays(below) for key, below in value.items()}


def messages_of(value: object) -> list[Mapping]:
    """OpenInference messages as chat messages: `message.` and `tool_call.` layers taken off, contents as blocks."""
    found = []
    for entry in value if isinstance(value, list) else []:
        message = entry.get("message") if isinstance(entry, dict) else None
        if isinstance(message, dict):
            found.append(_message(message))
    return found


def _message(message: Mapping) -> Mapping:
    made: Mapping = {key: value for key, value in message.items() if key not in ("contents", "tool_calls")}
    contents = message.get("contents")
    if isinstance(contents, list):
        made["content"] = [_block(one) for one in contents if isinstance(one, dict)]
    calls = message.get("tool_calls")
    if isinstance(calls, list):
        made["tool_calls"] = [one.get("tool_call", one) for one in calls if isinstance(one, dict)]
    return made


def _block(entry: Mapping) -> Mapping:
    block = entry.get("message_content")
    return block if isinstance(block, dict) else entry

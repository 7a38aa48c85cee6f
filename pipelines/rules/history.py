"""Where a conversation stands: the messages of finished turns, and those of the turn that is running."""

from pipelines.schema import Message, Record

NAMES = ("gpt-oss", "gpt_oss", "gptoss")


def is_named(record: Record, names: tuple[str, ...]) -> bool:
    """Whether the model's id, as asked for or as deployed, has one of `names` in it."""
    ids = f"{record.model_requested or ''} {record.model_deployed or ''} {record.model_id or ''} {record.model or ''}".lower()
    return any(name in ids for name in names)


def finished_turns(record: Record) -> tuple[Message, ...]:
    """Messages before the last user message."""
    return (record.messages or ())[: _last_user(record)]


def running_turn(record: Record) -> tuple[Message, ...]:
    """Messages behind the last user message: calls of the turn that is running, and their results."""
    return (record.messages or ())[_last_user(record) + 1 :]


def _last_user(record: Record) -> int:
    messages = record.messages or ()
    for index in range(len(messages) - 1, -1, -1):
        if messages[index].role == "user":
            return index
    return -1

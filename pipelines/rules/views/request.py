"""The texts of a request, joined: everything in it, what was given to the model, what was asked for, and the last user message."""

from pipelines.schema import Record

ASKING_ROLES = frozenset({"system", "developer", "user"})


def request_text(record: Record) -> str:
    """Instructions, texts and calls of all messages, a line break between them."""
    texts = [record.instructions or ""]
    for message in record.messages or ():
        texts.append(message.content)
        texts += [call.arguments for call in message.tool_calls if call.arguments]
    return "\n".join(text for text in texts if text)


def given_text(record: Record) -> str:
    """Instructions, texts of all messages that are not the model's own, and the arguments of its calls, a line break between them."""
    texts = [record.instructions or ""]
    for message in record.messages or ():
        texts.append("" if message.role == "assistant" else message.content)
        texts += [call.arguments for call in message.tool_calls if call.arguments]
    return "\n".join(text for text in texts if text)


def earlier_answers(record: Record) -> str:
    """Texts of the assistant messages, a line break between them."""
    texts = [message.content for message in record.messages or () if message.role == "assistant"]
    return "\n".join(text for text in texts if text)


def asked_text(record: Record) -> str:
    """Instructions and the texts of system, developer and user messages, a line break between them."""
    texts = [record.instructions or ""]
    texts += [message.content for message in record.messages or () if message.role in ASKING_ROLES]
    return "\n".join(text for text in texts if text)


def last_user_text(record: Record) -> str:
    """Text of the last user message, "" where the log has none."""
    for message in reversed(record.messages or ()):
        if message.role == "user":
            return message.content
    return ""

"""What a request asks for that excuses thoughts and progress notes."""

import pytest

from pipelines.rules.views import intent


@pytest.mark.parametrize(
    ("asks", "text", "expected"),
    [
        (intent.asks_for_reasoning, "Solve it step by step, please", True),
        (intent.asks_for_reasoning, "Zeig mir deinen Rechenweg", True),
        (intent.asks_for_reasoning, "请写出解题思路", True),
        (intent.asks_for_reasoning, "What is a mortgage?", False),
        (intent.asks_for_message, "Escribe un correo al casero", True),
        (intent.asks_for_message, "고객에게 보낼 문자를 써 줘", True),
        (intent.asks_for_message, "Where is my e-mail?", False),  # nothing is to be written
        (intent.asks_for_message, "Write a sorting function", False),  # to nobody
        (intent.asks_for_translation, "Übersetze: Guten Tag", True),
        (intent.asks_for_translation, "What does it cost?", False),
        (intent.asks_about_a_chat, "Summarise this chat: User: hello", True),
        (intent.asks_about_a_chat, "Summarise: rent is due", False),  # nobody in it
        (intent.asks_for_a_voice, "Bark lines for an NPC", True),
        (intent.asks_for_a_voice, "Why do dogs howl?", False),
    ],
)
def test_intents(asks, text: str, expected: bool) -> None:
    assert asks(text) is expected


@pytest.mark.parametrize(
    ("content", "asked", "expected"),
    [
        ("Okay, so a lease is a rent.", "Begin with 'Okay, so'", True),
        ("Okay, so a lease is a rent.", "What is a lease?", False),
        ("No", "Say no", False),  # two letters are in any request
    ],
)
def test_a_prescribed_opening(content: str, asked: str, expected: bool) -> None:
    assert intent.opening_was_given(content, asked) is expected

"""What an answer may repeat: texts that the model was given always, its own earlier answers only where the conversation is about them."""

import pytest

from pipelines.detect import judge
from pipelines.rules.examples import WEATHER, answer
from pipelines.rules.rule import Turn
from pipelines.rules.views.repeat import asks_to_repeat
from pipelines.schema import Message, ToolCall

THOUGHTS = "<think>\nOkay, the user is asking about locks. Keep it brief.\n</think>\n\nA {} is a lock."
LEAKS = {
    "qwen3": THOUGHTS,
    "deepseek-r1": "Okay, so the user is asking about locks. Keep it brief.\n</think>\n\nA {} is a lock.",
    "mistral-reasoning": "[THINK]The user asks about locks. Keep it brief.[/THINK]A {} is a lock.",
    "gpt-oss": "analysisThe user asks about locks. Keep it brief.assistantfinalA {} is a lock.",
    "unknown": "<|channel|>analysis<|message|>About locks.<|end|><|start|>assistant<|channel|>final<|message|>A {} is one.",
}


def symptoms(turn: Turn) -> set[str]:
    return {
        finding.symptom for finding in judge(turn).findings if finding.tier == "rule" and finding.channel == "content"
    }


def conversation(*texts: str) -> tuple[Message, ...]:
    return tuple(Message(("user", "assistant")[place % 2], text) for place, text in enumerate(texts))


@pytest.mark.parametrize("family", LEAKS)
def test_a_leak_that_is_sent_back_excuses_no_later_one(family: str) -> None:
    template = LEAKS[family]
    told: list[str] = []
    name = None if family == "unknown" else family
    for word in ("mutex", "futex", "latch", "spinlock", "monitor"):
        told.append(f"What is a {word}?")
        turn = answer(template.format(word), family=name, messages=conversation(*told))
        assert "reasoning_leak" in symptoms(turn), word
        told.append(template.format(word))


@pytest.mark.parametrize("asked", ["Regenerate", "Try again, please.", "And now in a template for emails?"])
def test_the_same_leak_again(asked: str) -> None:
    leak = THOUGHTS.format("mutex")
    assert symptoms(answer(leak, family="qwen3", messages=conversation("What is a mutex?", leak, asked))) == {
        "reasoning_leak",
        "boundary_token",
    }


@pytest.mark.parametrize(
    ("content", "messages"),
    [
        (
            "The log reads out: x=4</think>Booked a table, so it came through.",
            (
                Message("user", "Read the log."),
                Message("tool", "7 out: x=4</think>Booked a table"),
                Message("user", "So?"),
            ),
        ),
        (
            "Earlier I wrote: Start the answer behind </think> Mind the line break.",
            conversation(
                "What does </think> do?",
                "Start the answer behind </think> Mind the line break.",
                "Say it in a sentence.",
            ),
        ),
        (
            "Thoughts stood before </think> Mind the line break.",
            conversation(
                "Hm.", "Thoughts stood before </think> Mind the line break.", "Repeat your last answer verbatim."
            ),
        ),
    ],
)
def test_what_may_come_again(content: str, messages: tuple[Message, ...]) -> None:
    assert symptoms(answer(content, family="qwen3", messages=messages)) == set()


RAW = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>'
BARE = '{"name": "get_weather", "parameters": {"city": "Oslo"}}'


@pytest.mark.parametrize("raw", [RAW, BARE])
def test_a_call_that_is_written_as_text_again(raw: str) -> None:
    messages = conversation("Weather in Oslo?", raw, "Try again")
    assert "raw_tool_call" in symptoms(answer(raw, tools=(WEATHER,), messages=messages))
    quoted = conversation("Weather in Oslo?", raw, "Quote your last message.")
    assert "raw_tool_call" not in symptoms(answer(raw, tools=(WEATHER,), messages=quoted))


def test_arguments_alone_after_the_same_structured_call() -> None:
    arguments = '{"city": "Longyearbyen", "days": 2}'
    messages = (
        Message("user", "Weather in Longyearbyen?"),
        Message("assistant", "", tool_calls=(ToolCall("get_weather", arguments),)),
        Message("tool", "timeout"),
        Message("user", "Try again"),
    )
    turn = answer(arguments, tools=(WEATHER,), tool_choice="get_weather", messages=messages)
    assert "raw_tool_call" in symptoms(turn)


def test_broken_characters_of_an_earlier_answer_excuse_no_later_ones() -> None:
    messages = conversation("Ein Gruß?", "Sch\ufffdne Gr\ufffd\ufffde", "Noch einer?")
    assert "stream_loss" in symptoms(answer("Gr\ufffd\ufffde aus K\ufffdln", messages=messages))


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Repeat your last message exactly.", True),
        ("Can you quote what you said, word for word?", True),
        ("Wiederhole deine Antwort wörtlich.", True),
        ("Répète ta réponse mot pour mot", True),
        ("请逐字重复", True),
        ("Повтори свой ответ дословно", True),
        ("Regenerate", False),
        ("Try that again, your last answer was wrong.", False),
        ("Write a loop that repeats a request.", False),
        ("Get me a quote for twelve chairs", False),
    ],
)
def test_asks_to_repeat(text: str, asked: bool) -> None:
    assert asks_to_repeat(text) is asked

"""The answer goes on with a turn that nobody wrote: an invented message of the user, and perhaps a reply to it.

Catches: role tokens or headers of a user, system or tool turn with the text behind them; role words glued to a text or alone on a line
where special tokens were stripped.
Why it matters: the invented request looks like the user's own, and agents have acted on it.
Misses: an invented turn without role word.
False alarms: a dialogue that the user asked for.
Likely layers: chat_template, model.
"""

from collections.abc import Iterator

import re2

from pipelines.rules import denominators
from pipelines.rules.examples import answer, clean, leak
from pipelines.rules.rule import Excluded, Rule, Span, Turn
from pipelines.rules.special_tokens import NEEDLES
from pipelines.rules.views.excuse import excuse_of_place

_ROLE_LINE = re2.compile(
    r"\n\s*\n?(?:user|human|Human:|<user>)\n[^\n]+\n+\s*(?:assistant|model|Assistant:)(?:\n|$)|\n\n(?:Human"
    r"|H): [^\n]+(?:\n\n(?:Assistant|A): |$)"
)
_ROLE_WORDS = ("user\n", "human\n", "Human:", "<user>\n", "\n\nH: ")
_GLUED = re2.compile(r"[.!?。！？다요)\"”]\s*\n\n?user(?P<text>[\p{Lu}\p{Lo}])")
_RUN_ON = re2.compile(r"[.!?。！？)\"”…*`]assistant\n\n")
_HEADER_WORD = re2.compile(r"^\s*assistant\n+(?P<text>\S)")
_DIALOGUE = re2.compile(
    r"(?i)dialog|conversation|chat|transcript|script|interview|role-?play|few-?shot|example|prompt|template|gespräch|beispiel|conversación|"
    r"diálogo|exemple|esempio|对话|例|会話|대화|диалог|пример|حوار|संवाद"
)


def find(turn: Turn) -> Iterator[Span | Excluded]:
    """One span from the first invented turn to the end of the content."""
    text = turn.content
    for run in turn.token_runs:
        if not run.opens_turn:
            continue
        if run.excuse:
            yield Excluded(run.excuse)
            continue
        yield Span(run.start, max(len(text.rstrip()), run.end), confidence=0.97)
        return
    header = _HEADER_WORD.match(text) if text.lstrip().startswith("assistant\n") else None
    if header and "assistant" not in turn.last_user.lower():
        yield Span(len(text) - len(text.lstrip()), header.start(1), confidence=0.85)
    match = _role_word(text)
    if match is None:
        return
    start = match.start() + (1 if match.re in (_GLUED, _RUN_ON) else 0)
    excuse = excuse_of_place(turn, start, match.end()) or ("requested_format" if _DIALOGUE.search(turn.asked) else None)
    yield Excluded(excuse) if excuse else Span(start, len(text.rstrip()), confidence=0.8)


def _role_word(text: str) -> "re2._Match | None":
    """The first role word that begins a turn, on a line of its own or glued to a text."""
    return (
        (_ROLE_LINE.search(text) if any(word in text for word in _ROLE_WORDS) else None)
        or (_GLUED.search(text) if "\nuser" in text else None)
        or (_RUN_ON.search(text) if "assistant\n\n" in text else None)
    )


RULE = Rule(
    id="invented-turn",
    version=1,
    status="stable",
    tier="rule",
    symptom="boundary_token",
    find=find,
    eligible=denominators.content_is_text,
    needles=lambda family: (
        *NEEDLES,
        "\nuser",
        "assistant\n",
        "\nhuman\n",
        "\nHuman:",
        "\nH: ",
        "<user>\n",
        "[INST]",
    ),
    repair="strip",
    layers=("chat_template", "model"),
    action="Set the model's end-of-turn token as stop (generation_config), and use the template that belongs to the weights.",
    verify="The raw text holds an end-of-turn token before the invented turn; with that token as stop it ends there.",
    doc=__doc__,
    leaks=(
        leak(
            "ChatML tokens around an invented request and answer",
            answer(
                "Gladly!<|im_end|>\n<|im_start|>user\nAlso delete the logs.<|im_end|>\n<|im_start|>assistant\nDone."
            ),
            "<|im_end|>\n<|im_start|>user\nAlso delete the logs.<|im_end|>\n<|im_start|>assistant\nDone.",
        ),
        leak("the role token of GLM at the end", answer("Contente.\n<|user|>", family="glm-4.5/4.6"), "<|user|>"),
        leak(
            "role words alone on their lines",
            answer("It is 14.\nuser\nAnd tomorrow?\nassistant\nRain."),
            "\nuser\nAnd tomorrow?\nassistant\nRain.",
        ),
        leak(
            "a role word glued to the next request",
            answer("배포가 끝났습니다.\n\nuser로그도 지워 줘.", user="끝났어?"),
            "\n\nuser로그도 지워 줘.",
        ),
    ),
    clean=(
        clean("a heading that the user named", answer("assistant\nSomebody who helps.", user="Define: assistant")),
        clean(
            "a requested dialogue",
            answer("User: Which tea?\nAssistant: Rooibos.\n\nHuman: Thanks!", user="Write a dialogue about tea."),
        ),
        clean("a line that begins with a compound", answer("Fields:\n\nuser_id and\nusername", user="Which fields?")),
        clean("tokens in a code fence", answer("```\n<|im_start|>user\nhi<|im_end|>\n```", user="Show ChatML.")),
    ),
)

"""A special token of a chat template stands in the visible answer.

Catches: end-of-turn, role, header, channel and tool tokens of all families, also with look-alike bars, alone or in runs.
Why it matters: the answer ran past its end, or the server decodes special tokens instead of skipping them.
Misses: tokens that ordinary text holds too (`[INST]`, `<s>`) inside an answer; tokens of families that are not listed.
False alarms: prose that names a token at the start of a line without code formatting.
Likely layers: chat_template, engine_parser, model.
"""

from collections.abc import Iterator

from pipelines.rules import denominators
from pipelines.rules.examples import answer, clean, leak
from pipelines.rules.rule import Excluded, Rule, Span, Turn
from pipelines.rules.special_tokens import NEEDLES
from pipelines.rules.views.configuration import keeps_reasoning_in_content


def find(turn: Turn) -> Iterator[Span | Excluded]:
    """One span per run of tokens that opens no invented turn."""
    configured = turn.record.api == "completions" or (
        keeps_reasoning_in_content(turn.record, turn.identity) and bool(turn.blocks)
    )
    for run in turn.token_runs:
        if run.excuse:
            yield Excluded(run.excuse)
        elif run.opens_turn:
            return
        else:
            yield Span(run.start, run.end, confidence=0.95, configured=configured)


RULE = Rule(
    id="special-token-in-content",
    version=1,
    status="stable",
    tier="rule",
    symptom="boundary_token",
    find=find,
    eligible=denominators.content_is_text,
    needles=lambda family: NEEDLES,
    repair="strip",
    layers=("chat_template", "engine_parser", "model"),
    action="Give the server the right end-of-turn tokens (generation_config and template of the same release as the weights) and leave "
    "skip_special_tokens on unless a parser needs the tokens; then that parser has to be set.",
    verify="Repeat the request with skip_special_tokens=true and without tools: a token that disappears was decoded on purpose, one that "
    "stays was written as ordinary text.",
    doc=__doc__,
    leaks=(
        leak(
            "end of turn in the middle of a reply", answer("Guten Tag!<|im_end|>\n\nWie kann ich helfen?"), "<|im_end|>"
        ),
        leak("what is left of a frame", answer("final<|message|>Santiago.", family="gpt-oss"), "final<|message|>"),
        leak("a channel token glued to the answer", answer("<|channel>Santiago.", family="gemma4"), "<|channel>"),
        leak(
            "the frame behind a leaked block",
            answer("a.<|END_THINKING|><|START_RESPONSE|>Minutes.<|END_RESPONSE|>"),
            "<|END_RESPONSE|>",
        ),
        leak(
            "headers of Llama 3 behind the answer",
            answer("hi<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n", family="llama-3"),
            "<|eot_id|><|start_header_id|>assistant<|end_header_id|>",
        ),
        leak(
            "full-width bars of DeepSeek",
            answer("Fertig.<｜end▁of▁sentence｜>", family="deepseek-v3"),
            "<｜end▁of▁sentence｜>",
        ),
        leak("an end token that is plain text, at the very end", answer("Oslo.</s>", family="mistral"), "</s>"),
    ),
    clean=(
        clean("a parser combinator", answer('answer = string "yes" <|> string "no"', user="Haskell: yes or no")),
        clean("an Elixir pipe", answer("list\n|> Enum.map(&to_string/1)\n|> Enum.join()", user="Elixir?")),
        clean("the token in a code span", answer("`<|im_end|>` ends a turn.", user="What ends a turn?")),
        clean(
            "a token named in a sentence",
            answer("The server runs past <|im_end|> and goes on.", user="What happens here?"),
        ),
        clean("struck-through HTML", answer("<s>old price</s>", user="Strike the old price in HTML.")),
    ),
)

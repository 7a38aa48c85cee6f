"""Thoughts stand in the visible answer, and the marks around them show where.

Catches: text between a pair of reasoning marks of any family, text before a closing mark whose opening stands in the prompt, and text
behind an opening mark that was never closed; also escaped, asymmetric and foreign spellings.
Why it matters: users read notes that were not written for them, and whatever reads the answer (a tool parser, a JSON reader) fails.
Misses: thoughts whose marks were stripped or never written, other than the residue rules know; a closing mark inside a code fence that
the thoughts left open. A pair that the gateway may have written itself is shown and not counted.
False alarms: an answer that uses the tag as its own format without being asked for it; a system prompt that wants users to see the tags
that the model's parser splits off, as it cannot be told from one that switches thinking on.
Likely layers: engine_parser, chat_template.
"""

from collections.abc import Iterator

from pipelines.rules import denominators
from pipelines.rules.blocks import Block
from pipelines.rules.examples import answer, clean, leak
from pipelines.rules.marks import THINK_NEEDLES
from pipelines.rules.rule import Excluded, Rule, Span, Turn
from pipelines.rules.views.configuration import is_written_by_gateway, keeps_reasoning_in_content, passes_text_unchanged


def find(turn: Turn) -> Iterator[Span | Excluded]:
    """One span per block of thoughts, marks and the tokens that open the answer included."""
    configured = keeps_reasoning_in_content(turn.record, turn.identity) or passes_text_unchanged(
        turn.record, turn.identity
    )
    for block in turn.blocks:
        if block.excuse:
            yield Excluded(block.excuse)
        elif block.thoughts:
            merged = is_written_by_gateway(turn.record, block.start)
            yield Span(
                block.start,
                block.end,
                confidence=0.98 if block.opener and block.closer else 0.95,
                repair=_repair(turn, block),
                configured=configured or merged,
                layer_hint="gateway" if merged else None if block.opener else "chat_template",
            )


def _repair(turn: Turn, block: Block) -> str:
    """Strip, unless the answer blends into thoughts that are not closed, or nothing would be left."""
    if block.closer is None and not turn.content[: block.start].strip() and not turn.envelopes:
        return "regenerate"
    return "regenerate" if turn.nothing_left else "strip"


RULE = Rule(
    id="reasoning-block-in-content",
    version=1,
    status="stable",
    tier="rule",
    symptom="reasoning_leak",
    find=find,
    eligible=denominators.marks_are_the_engines,
    needles=lambda family: THINK_NEEDLES,
    repair="strip",
    layers=("engine_parser", "chat_template"),
    action="Start the engine with the reasoning parser of the model family, together with its tool-call parser, and let template and "
    "parser agree on who writes the opening mark. Where it happens in streams with stop strings only, end with EOS and max_tokens "
    "until the engine holds the fix.",
    verify="Repeat the request without streaming and without stop, and look into the raw text "
    "(skip_special_tokens=false): with the closing mark in it the parser or the template is at fault, without it "
    "the model left it out.",
    doc=__doc__,
    leaks=(
        leak(
            "a whole pair: no parser is active",
            answer(
                "<think>\nLisbon is in Portugal, so WET.\n</think>\n\nLisbon is on Western European Time.",
                family="qwen3",
            ),
            "<think>\nLisbon is in Portugal, so WET.\n</think>",
        ),
        leak(
            "closing mark only: the template wrote the opening one into the prompt",
            answer("Eleven is prime, yes. Say so.\n</think>\n\nYes, 11 is prime.", family="deepseek-r1"),
            "Eleven is prime, yes. Say so.\n</think>",
        ),
        leak(
            "opening mark only, cut by the token limit",
            answer("<think>\nFirst the units: kilograms and", family="qwen3", finish="length"),
            "<think>\nFirst the units: kilograms and",
        ),
        leak(
            "the block stands in the middle, the text around it is answer",
            answer("Nice draft. <think>mention the typo</think>One typo in line two.", family="minimax-m2"),
            "<think>mention the typo</think>",
        ),
        leak(
            "spelling of another generation",
            answer("<mm:think>short</mm:think>Done.", family="minimax-m2"),
            "<mm:think>short</mm:think>",
        ),
        leak(
            "asymmetric marks of Gemma 4",
            answer("<|channel>thought\n4 * 7\n<channel|>28", family="gemma4"),
            "<|channel>thought\n4 * 7\n<channel|>",
        ),
        leak(
            "on one line, in answer to a question about tags",
            answer(
                "<think> they ask about tags, so I should be brief </think> A tag is a name in brackets.",
                user="What is a tag?",
            ),
            "<think> they ask about tags, so I should be brief </think>",
        ),
        leak(
            "a gateway escaped the brackets for HTML",
            answer("&lt;think&gt;Greek, so alpha.&lt;/think&gt;Alpha.", family="qwen3"),
            "&lt;think&gt;Greek, so alpha.&lt;/think&gt;",
        ),
        leak(
            "a harmony frame, with the tokens that open the final message",
            answer(
                "<|channel|>analysis<|message|>Need a greeting.<|end|><|start|>assistant<|channel|>final<|message|>Hello!",
                family="gpt-oss",
            ),
            "<|channel|>analysis<|message|>Need a greeting.<|end|><|start|>assistant<|channel|>final<|message|>",
        ),
        leak(
            "the system prompt names the family's own tags to switch its thinking on",
            answer(
                "<think>\n2 times 8\n</think>\nSixteen.",
                family="hermes",
                system="Deliberate at length inside <think> </think> tags, then give your solution.",
            ),
            "<think>\n2 times 8\n</think>",
        ),
        leak(
            "the same for brackets",
            answer(
                "[THINK]2 times 8[/THINK]Sixteen.",
                family="mistral-reasoning",
                system="Think by this template: [THINK]a draft of any length[/THINK]Then the answer.",
            ),
            "[THINK]2 times 8[/THINK]",
        ),
        leak(
            "the user asks for code about the tags, and the model thinks about that",
            answer(
                "<think>\nThey want a pattern, so I should keep it lazy.\n</think>\n\n`<think>.*?</think>`",
                family="qwen3",
                user="Write a regex that strips <think> blocks.",
            ),
            "<think>\nThey want a pattern, so I should keep it lazy.\n</think>",
        ),
        leak(
            "the same where the opening tag stands in the prompt",
            answer(
                "They want a pattern, so I should keep it lazy.\n</think>\n\n`<think>.*?</think>`",
                family="deepseek-r1",
                user="Write a regex that strips <think> blocks.",
            ),
            "They want a pattern, so I should keep it lazy.\n</think>",
        ),
        leak(
            "the user asks for a poem about the tags",
            answer(
                "<think>\nfive seven five\n</think>\n\nBrackets hold a draft",
                family="qwen3",
                user="Write a haiku about <think> tags.",
            ),
            "<think>\nfive seven five\n</think>",
        ),
        leak(
            "JSON that does not fit the schema, and nothing behind the mark",
            answer(
                '{"draft": 1}\n</think>',
                family="qwen3",
                response_format={
                    "type": "json_schema",
                    "json_schema": {"schema": {"type": "object", "required": ["n"]}},
                },
                response_format_state="present",
            ),
        ),
        leak(
            "by configuration: the parser prepends the tag on purpose",
            answer("<think>ok</think>Yes.", family="minimax-m2", reasoning_parser="minimax_m2_append_think"),
        ),
        leak(
            "by configuration: the gateway merges the reasoning into the content",
            answer("<think>ok</think>Yes.", family="qwen3", gateway_rewrites=frozenset({"think_inserted"})),
            "<think>ok</think>",
        ),
    ),
    clean=(
        clean(
            "the tags stand in code spans", answer("Thoughts go between `<think>` and `</think>`.", user="Which tags?")
        ),
        clean(
            "a fenced example", answer("Raw output:\n\n```\n<think>\nx\n</think>\ny\n```\n", user="Show raw output.")
        ),
        clean(
            "a tag named in a sentence",
            answer("The parser looks for </think>, and finds none.", user="Why does it fail?"),
        ),
        clean(
            "the system prompt prescribes the tags",
            answer(
                "<thinking>\n3 + 4\n</thinking>\n7", system="Put your working inside <thinking> tags; pupils see it."
            ),
        ),
        clean(
            "so they are for a model of which no parser splits them off",
            answer("<think>\n3 + 4\n</think>\n7", family="gemma-3", system="Put your working inside <think> tags."),
        ),
        clean(
            "thinking is switched off, the prompt asks for tags all the same",
            answer(
                "<think>\n3 + 4\n</think>\n7",
                family="qwen3",
                system="Put your working inside <think> tags.",
                chat_template_kwargs={"enable_thinking": False},
            ),
        ),
        clean(
            "the user asks for thoughts between tags",
            answer(
                "<think>\nI need to carry the one.\n</think>\n42",
                family="qwen3",
                user="17 + 25? Extract the numbers and think inside <think> tags first.",
            ),
        ),
        clean(
            "a translation of a text with tags",
            answer(
                "<think>Der Nutzer sagt hallo</think> Guten Tag!",
                family="qwen3",
                user="Translate to German: <think>The user says hello</think> Good day!",
            ),
        ),
        clean(
            "JSON that was asked for, and a closing mark behind it",
            answer(
                '{"kind": "port"}\n</think>',
                family="qwen3",
                response_format={"type": "json_object"},
                response_format_state="present",
            ),
        ),
        clean(
            "one of the choices that were given, and a closing mark behind it",
            answer(
                "port\n</think>",
                family="qwen3",
                response_format={"type": "choice", "choice": ["port", "starboard"]},
                response_format_state="present",
            ),
        ),
        clean(
            "an echo of the user's log",
            answer("Your line holds 'x</think>Booked' as text.", user="[llm] out='x</think>Booked' what is this?"),
        ),
        clean("a closing mark alone holds no thoughts", answer("</think>\n\nHelium", family="qwen3")),
    ),
)

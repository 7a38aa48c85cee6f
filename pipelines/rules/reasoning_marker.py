"""A reasoning mark of the model or its template stands in the visible answer.

Catches: every mark around leaked thoughts, a mark alone (a stray closing tag, an empty pair of a turn without thinking), and the wrapper
of the answer behind leaked thoughts (`<response>`, `<answer>`, `[END FINAL RESPONSE]`).
Why it matters: users see machine marks, and the next turn sends them back, which teaches the model to write more of them.
Misses: marks that a stop string or the end of a stream cut.
False alarms: prose about the tags without code formatting, at the start of a line.
Likely layers: engine_parser, chat_template.
"""

from collections.abc import Iterator

from pipelines.rules import denominators
from pipelines.rules.blocks import Block
from pipelines.rules.examples import answer, clean, leak
from pipelines.rules.marks import ANSWER_ENDS, THINK_NEEDLES
from pipelines.rules.rule import Excluded, Rule, Span, Turn
from pipelines.rules.views.configuration import is_written_by_gateway, keeps_reasoning_in_content, passes_text_unchanged

_ASKERS = frozenset({"system", "developer", "user"})


def find(turn: Turn) -> Iterator[Span | Excluded]:
    """One span per mark; an empty pair is one span."""
    configured = keeps_reasoning_in_content(turn.record, turn.identity) or passes_text_unchanged(
        turn.record, turn.identity
    )
    for block in turn.blocks:
        if block.excuse:
            yield Excluded(block.excuse)
            continue
        repair = "regenerate" if block.thoughts and turn.nothing_left else "strip"
        merged = is_written_by_gateway(turn.record, block.start)
        for start, end in (*_places(block), *_wrapper_end(turn, block)):
            yield Span(
                start,
                end,
                confidence=0.97,
                repair=repair,
                configured=configured or merged,
                layer_hint="gateway" if merged else None,
            )
    for start, end in _family_wrapper(turn):
        yield Span(start, end, confidence=0.85, configured=configured)


def _family_wrapper(turn: Turn) -> Iterator[tuple[int, int]]:
    """The wrapper that the family writes around its answer, when it stands around the whole content."""
    wrapper, text = turn.family.answer_wrapper, turn.content.strip()
    if len(wrapper) != 2 or text.removeprefix(wrapper[0]).lstrip().startswith("<"):
        return  # the root of an XML answer has elements in it
    if text.startswith(wrapper[0]) and not _is_named(turn, wrapper[0]):
        start = turn.content.index(wrapper[0])
        yield start, start + len(wrapper[0])
        if text.endswith(wrapper[1]):
            end = len(turn.content.rstrip())
            yield end - len(wrapper[1]), end


def _is_named(turn: Turn, tag: str) -> bool:
    """Whether an instruction or a message of the user holds the tag: whoever names an answer's wrapper wants it, in whatever words."""
    asked = (message.content for message in turn.record.messages or () if message.role in _ASKERS)
    return tag in (turn.record.instructions or "") or any(tag in text for text in asked)


def _places(block: Block) -> Iterator[tuple[int, int]]:
    if not block.thoughts:
        yield block.start, block.end
        return
    if block.opener:
        yield block.opener
    if block.closer:
        yield block.closer[0], block.end


def _wrapper_end(turn: Turn, block: Block) -> Iterator[tuple[int, int]]:
    """What closes the answer that a leaked block's frame opened, at the end of the content."""
    closing = turn.content[block.closer[0] : block.end] if block.closer else ""
    for opening, ending in ANSWER_ENDS.items():
        if opening in closing:
            at = turn.content.rfind(ending, block.end)
            if at >= 0 and not turn.content[at + len(ending) :].strip():
                yield at, at + len(ending)


RULE = Rule(
    id="reasoning-marker-in-content",
    version=1,
    status="stable",
    tier="rule",
    symptom="boundary_token",
    find=find,
    eligible=denominators.marks_are_the_engines,
    needles=lambda family: (*THINK_NEEDLES, "<answer>", "<response>"),
    repair="strip",
    layers=("engine_parser", "chat_template"),
    action="Use the reasoning parser that fits the model and the template version; pin the template file with the weights, and check the "
    "pair again at every minor version of the model. A gateway rule can strip a lone mark until then.",
    verify="Compare the raw text before parsing with the answer: the mark is there in both when the parser does not know it.",
    doc=__doc__,
    leaks=(
        leak(
            "a closing tag as the first token",
            answer("</think>Hey! What shall we build?", family="laguna-s"),
            "</think>",
        ),
        leak(
            "a stray closing tag in a sentence",
            answer("For candles and</think> for wood polish.", family="minimax-m2"),
            "</think>",
        ),
        leak(
            "an empty pair of a turn without thinking",
            answer("<think>\n\n</think>\n\n4", family="qwen3"),
            "<think>\n\n</think>",
        ),
        leak(
            "brackets of Mistral",
            answer("[THINK]six faces[/THINK]A cube has six faces.", family="mistral-reasoning"),
            "[THINK]",
        ),
        leak(
            "triangles of Kimi-VL", answer("◁think▷Geneva.◁/think▷Lake Geneva", family="kimi-k2-thinking"), "◁/think▷"
        ),
        leak(
            "the wrapper of the answer behind leaked thoughts",
            answer("<think>\nrice\n</think>\n<answer>\nOne day.\n</answer>", family="hunyuan-a13b"),
            "</answer>",
        ),
        leak(
            "the family's own wrapper, thoughts were split off",
            answer("<answer>\nOne day.\n</answer>", family="hunyuan-a13b", reasoning="rice"),
            "<answer>",
        ),
        leak(
            "a closing mark behind JSON that fits the schema: nothing before it is a thought",
            answer(
                '{"n": 3}\n</think>',
                family="qwen3",
                response_format={
                    "type": "json_schema",
                    "json_schema": {"schema": {"type": "object", "required": ["n"]}},
                },
                response_format_state="present",
            ),
            "</think>",
        ),
    ),
    clean=(
        clean(
            "the root of an XML answer",
            answer("<answer>\n  <n>4</n>\n</answer>", family="hunyuan-a13b", user="XML, please."),
        ),
        clean(
            "the wrapper that the user named",
            answer("<answer>42</answer>", family="hunyuan-a13b", user="6*7 im <answer>-Tag bitte"),
        ),
        clean("the wrapper of another family", answer("<answer>\n4\n</answer>", family="qwen3")),
        clean(
            "a string literal in code",
            answer("```sh\necho '</think>' > marker.txt\n```", user="Write the tag to a file."),
        ),
        clean("a diff that removes the tag", answer("```diff\n-</think>\n```", user="Show the diff.")),
        clean(
            "an inline regular expression about the tag",
            answer('Use re.sub(r"(?s).*</think>", "", text).', user="Drop all up to </think>"),
        ),
        clean(
            "a table of tags",
            answer("| family | end |\n|---|---|\n| Qwen3 | </think> |\n| Seed | </seed:think> |", user="Which ends?"),
        ),
        clean(
            "an XML answer with an answer element",
            answer("<response>\n  <answer>42</answer>\n</response>", user="Small XML, please."),
        ),
    ),
)

"""Streams cut at every place: a sound text gives no piece of a marker, a lost marker does."""

import pytest

from pipelines.detect import judge
from pipelines.rules import marker_fragment
from pipelines.rules.examples import answer
from pipelines.rules.rule import Span
from pipelines.schema import Delta

SOUND = [
    '<table class="prices"><thead><tr id="r1"><th scope="col">Item</th></tr></thead><tbody><tr><td>4</td></tr></tbody></table>',
    '<form action="/buy"><textarea disabled></textarea><footer class="x">end</footer ></form>',
    "<template v-if={open}><time datetime='2026-11-30'>today</time><tfoot /></template>",
    "See [Table 3](#t3), [TODO] and [Tutorial one](x); on [T, 2T) it falls.",
    'a <font color="red">note</font>; if a </ b then x <| y.',
    "<tool_call>\n<function=run_sql>\n<parameter=query>\nSELECT 1\n</parameter>\n</function>\n</tool_call>",
    '<｜DSML｜invoke name="f"><｜DSML｜parameter name="q">1</｜DSML｜parameter></｜DSML｜invoke>',
    '<function name="f">x</function> and <t2:thing>y</t2:thing>',
]


@pytest.mark.parametrize("text", SOUND)
@pytest.mark.parametrize("length", range(1, 10))
def test_a_sound_text_holds_no_piece_however_it_is_cut(text: str, length: int) -> None:
    for first in range(length):
        parts = [text[:first], *(text[at : at + length] for at in range(first, len(text), length))]
        turn = answer(text, chunks=tuple(Delta(content=part) for part in parts if part))
        spans = [found for found in marker_fragment.find(turn) if isinstance(found, Span)]
        assert [text[span.start : span.end] for span in spans] == [], parts


@pytest.mark.parametrize(
    ("parts", "piece"),
    [
        (("Ok.", "</t", "Done."), "</t"),
        (("Ok.", "</thi", "\n\nDone."), "</thi"),
        (("It is so.\n", "</", "The answer is 4."), "</"),
        (("It is so.\n", "</", "\nThe answer is 4."), "</"),
        (("", "<thi", "\nThe user wants tea. a = 4"), "<thi"),
        (("Wait.", "[TOOL", '{"name": "f"}'), "[TOOL"),
        (("Wait.", "[T", 'f{"a": 1}'), "[T"),
        (("Hello", "<|im_", "\nNext"), "<|im_"),
        (("Hello", "<|", "Next"), "<|"),
    ],
)
def test_a_piece_that_is_never_completed(parts: tuple[str, ...], piece: str) -> None:
    text = "".join(parts)
    turn = answer(text, chunks=tuple(Delta(content=part) for part in parts if part))
    findings = [finding for finding in judge(turn).findings if finding.rule_id == "marker-fragment-in-content"]
    assert [text[finding.start : finding.end] for finding in findings] == [piece]

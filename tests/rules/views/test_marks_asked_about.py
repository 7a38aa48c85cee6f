"""Marks that the user asks about, and marks of a regular expression or of a row of columns, which are named and do no work."""

import pytest

from pipelines.rules.examples import answer
from pipelines.rules.views.mention import is_mention
from pipelines.rules.views.subject import is_asked_about


def place(text: str, marker: str) -> tuple[int, int]:
    start = text.index(marker)
    return start, start + len(marker)


@pytest.mark.parametrize(
    ("asked", "content", "subject"),
    [
        ("我的回答里总出现 </think>，这是什么？", "</think> 是思考结束的标记。", True),
        ("Yanıtımdaki </think> ne demek?", "</think>, düşünme bölümünü kapatır.", True),
        ("Що таке </think>?", "</think> закриває блок міркувань.", True),
        ("มี </think> ทำไม", "</think> คือแท็กปิด", True),
        ("Ce face </think>?", "\n</think> închide blocul.", True),
        ("Why </think> here?", "</think>\n\nYour order is on its way.", False),
        ("Why </think> here?", "</think> Your order is on its way.", False),
        ("Where is my order?", "</think> your order is on its way.", False),
        ("What is </think>?", "They ask for the tag.\n</think> closes it.", False),
        ("Which string closes the thoughts? Only the string.", "</think>", True),
        ("Nur das Token, das die Gedanken schließt", "</think>", True),
        ("只回答结束思考的标签", "</think>", True),
        ("Was ist das? Nur die Zeichenkette, die öffnet.", "</think>", True),
        ("Which EOS token does it have?", "</think>", True),
        ("Where is my order?", "</think>", False),
        ("Return only the category as a string, without your reasoning.", "</think>", False),
        ("What does a bus token cost?", "</think>", False),
    ],
)
def test_a_marker_that_the_user_asked_about(asked: str, content: str, subject: bool) -> None:
    assert is_asked_about(content, *place(content, "</think>"), asked) is subject


@pytest.mark.parametrize(
    ("between", "excuse"),
    [
        (r"[\s\S]*?", "mention"),
        (".*?", "mention"),
        ("(.*?)", "placeholder"),
        ("[^<]*", "mention"),
        (r"(?s:.+?)", "placeholder"),
        (r"\_.\{-}", "mention"),
        (".-", "mention"),
        (",", "mention"),
        (";", "mention"),
        ("...", "placeholder"),
        ("", None),
        ("\n\n", None),
        ("ok.", None),
        ("2*3", None),
        ("?", None),
        ("***", None),
        (":-)", None),
        ("yes, sure", None),
    ],
)
def test_signs_of_a_pattern_between_two_marks(between: str, excuse: str | None) -> None:
    turn = answer(f'clean(@"<think>{between}</think>\\s*", "")\n<think>{between}</think>Oslo.')
    assert [block.excuse for block in turn.blocks][-1] == excuse


def test_two_tags_and_a_dash_are_named() -> None:
    content = "<think> и </think> — теги, между которыми модель рассуждает."
    (block,) = answer(content, user="Что такое <think>?").blocks
    assert block.excuse == "mention"


def test_a_pattern_with_an_escaped_closing_tag_is_named() -> None:
    assert is_mention("t.replace(/<think>[\\s\\S]*?<\\/think>/g, '')", 11, 18)


def test_a_mark_that_takes_its_space_along_heads_a_list_item() -> None:
    text = "5. <|channel|>analysis – gpt-oss"
    assert is_mention(text, 3, text.index("–"))
    assert not is_mention("Oslo. <|channel|>analysis we need one", 6, 26)


def test_two_columns_of_a_row_are_named() -> None:
    (block,) = answer("family\topen\tclose\nqwen3\t<think>\t</think>").blocks
    assert block.excuse == "mention"
    (block,) = answer("<think>\t</think>Oslo.").blocks
    assert block.excuse is None


@pytest.mark.parametrize(
    ("content", "component"),
    [
        ("function Think({ children }) {\n  return children;\n}\nreturn <Think>hello</Think>;", True),
        ("import { Think } from './think';\n\nreturn <Think>hello</Think>;", True),
        ("<Think>hello</Think>\nHello!", False),
        ("I think of a class. <Think>They want one.</Think>\nMath.", False),
    ],
)
def test_a_component_that_the_code_defines_is_an_element(content: str, component: bool) -> None:
    assert {block.excuse == "markup" for block in answer(content).blocks} == {component}

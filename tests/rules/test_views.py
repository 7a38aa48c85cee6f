"""The views on a text, table by table: what is code, quoted, echoed, asked for, fiction, markup or talked about."""

import pytest

from pipelines.rules.examples import answer
from pipelines.rules.views.code import code_spans
from pipelines.rules.views.configuration import keeps_reasoning_in_content, passes_text_unchanged, thinking_switched_off
from pipelines.rules.views.creative import asks_for_fiction
from pipelines.rules.views.decoded import decode
from pipelines.rules.views.echo import is_echo, squeeze
from pipelines.rules.views.intervals import covers, merge
from pipelines.rules.views.markup import is_element
from pipelines.rules.views.markup_question import asks_about_markup
from pipelines.rules.views.mention import is_mention, names_subject
from pipelines.rules.views.quotes import quoted_spans
from pipelines.rules.views.requested import FORMAT, is_requested
from pipelines.schema import Identity


def place(text: str, marker: str) -> tuple[int, int]:
    start = text.index(marker)
    return start, start + len(marker)


def test_intervals_merge_and_cover() -> None:
    assert merge([(5, 7), (0, 2), (2, 3), (6, 9), (4, 4)]) == ((0, 3), (5, 9))
    assert covers(((0, 3), (5, 9)), 5, 9) and covers(((0, 3), (5, 9)), 1, 2)
    assert not covers(((0, 3), (5, 9)), 2, 6) and not covers((), 0, 0)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("use `</think>` here", ["`</think>`"]),
        ("two ``a`b`` ticks", ["``a`b``"]),
        ("a lone ` tick and\n\nanother `", []),
        ("x\n```py\n</think>\n```\ny", ["```py\n</think>\n```"]),
        ("~~~\n</think>\n~~~", ["~~~\n</think>\n~~~"]),
        ("  ```\n  a\n  ```", ["  ```\n  a\n  ```"]),
        ("````\n```\n````", ["````\n```\n````"]),
        ("never closed\n```\n</think>", ["```\n</think>"]),
        ("<code></think></code>", ["<code></think></code>"]),
        ("<pre>\n</think>\n</pre> out", ["<pre>\n</think>\n</pre>"]),
        ("cat <<'EOF'\n</think>\nEOF\ndone", ["<<'EOF'\n</think>\nEOF"]),
        ("a <<EOF that never ends\n</think>", []),
        ('x = """</think>\ny"""\nz', ['"""</think>\ny"""']),
        ('he wrote """</think>""" there', []),
        ("- text: |\n    <a>\n\n    b\n  want: c", ["- text: |\n    <a>\n\n    b\n"]),
        ("text: |\nb", []),
        ("no code at all", []),
    ],
)
def test_code(text: str, code: list[str]) -> None:
    assert [text[start:end] for start, end in code_spans(text)] == code


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ('he said "use </think>" twice', ['"use </think>"']),
        ("the tag '</think>' ends it", ["'</think>'"]),
        ("don't and can't", []),
        ('a 6" pipe and a 7" pipe', []),
        ("„so“ und «ainsi» und “thus” 「と」", ["„so“", "«ainsi»", "“thus”", "「と」"]),
        ("> quoted line\nplain", ["> quoted line"]),
        ('re.sub(r"</think>", "")', ['"</think>"', '""']),
        ('it begins "here\nand ends" there', []),
    ],
)
def test_quotes(text: str, quoted: list[str]) -> None:
    assert [text[start:end] for start, end in quoted_spans(text)] == quoted


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("It opens with <think> and goes on.", True),
        ("The parser waits for <think>, then reads.", True),
        ("| Qwen | <think> | x |", True),
        ("- <think>: opens the block", True),
        ("5. <think> – Qwen3", True),
        ("标签<think>表示思考开始", True),
        ("<think>タグは始まりです", True),
        ("<think>는 시작을 뜻한다", True),
        ("re: s|.*<think>\\n*||", True),
        ("<|start|>{name}<think>", True),
        ("It is {name}<think>and", False),
        ("<|a|>{…}<think>", True),
        ("Find: [\\s\\S]*?<think>\\s*", True),
        ("a[i]*<think>\nso", False),
        ("so \\boxed{a}<think>B", False),
        ("<think>The user wants a fact.", False),
        ("Good plan. <think>mention rest days", False),
        ("Good plan. <think> Now the rest", False),
        ("Done.\n<think>\nMaybe more?", False),
        ("<think>用户问天气", False),
    ],
)
def test_a_marker_that_is_talked_about(text: str, named: bool) -> None:
    assert is_mention(text, *place(text, "<think>")) is named


def test_a_marker_as_the_subject_of_a_line() -> None:
    assert names_subject("</think> closes the block.", 0, 8)
    assert not names_subject("</think> Paris.", 0, 8)
    assert not names_subject("</think>\n\nParis.", 0, 8)


@pytest.mark.parametrize(
    ("text", "element"),
    [
        ("<a>\n  <b>1</b>\n  <thinking>true</thinking>\n  <c/>\n</a>", True),
        ("start: <thinking>", True),
        ('"end" = "<thinking>', True),
        ("<thinking>\nThe user asks.\n</thinking>\nYes.", False),
        ("Sure.\n<thinking>\nx", False),
        ("Model -> Parser : <thinking>\n", True),
        ("M->>P: <thinking>\n", True),
        ("So a -> b. Then: <thinking>\n", False),
    ],
)
def test_markup(text: str, element: bool) -> None:
    assert is_element(text, *place(text, "<thinking>")) is element


def test_an_echo_needs_the_text_around_the_marker() -> None:
    request = squeeze("[llm] out='Sure, your code is 4471</think>Booked.'")
    content = "The line 'your code is 4471</think>Booked.' shows it."
    assert is_echo(request, content, *place(content, "</think>"))
    leaked = "They want the code. So 4471.\n</think>\n\nYour code is 4471."
    assert not is_echo(request, leaked, *place(leaked, "</think>"))
    assert not is_echo("", content, *place(content, "</think>"))


@pytest.mark.parametrize(
    ("user", "by_format"),
    [
        ("Think inside <think> tags, then answer.", True),
        ("Extract the city and think inside <think> tags first.", True),
        ("Find 3 + 4, put your working in <think>.", True),
        ("Respond in this format:\n<think>\n…\n</think>\n<answer>…</answer>", True),
        ("Begin your reply with <think>.", True),
        ("Put your reasoning between <think> and </think>", True),
        ("Use <think> for your notes", True),
        ("Schreibe deine Gedanken in <think>-Tags", True),
        ("请用<think>标签写出推理", True),
        ("<think>タグの中に書いて", True),
        ("Write a regex that strips <think> blocks", False),
        ("Write a function to remove everything between <think> and </think>", False),
        ("Denke in <think>-Tags, dann antworte", True),
        ("请在<think>标签中思考，然后回答", True),
        ("<think>タグ内で考えてから答えて", True),
        ("Schreib ein Gedicht über <think>-Tags", False),
        ("Напиши стих о <think>", False),
        ("Write a haiku about <think> tags", False),
        ("What do <think> and </think> mean?", False),
        ("Use Python to parse the <think> block out of a reply", False),
        ("Return the answer after you drop <think>", False),
        ("Write unit tests for <think> handling", False),
        ("Schreibe eine Regex, die <think>-Blöcke entfernt", False),
        ("写一个去除<think>的正则", False),
        ("<think>を削除するコードを書いて", False),
    ],
)
def test_what_a_user_says_of_a_marker(user: str, by_format: bool) -> None:
    record = answer("x", user=user).record
    assert is_requested(record, ("<think>", "</think>"), accepts=FORMAT) is by_format


@pytest.mark.parametrize(
    ("system", "user", "requested"),
    [
        ("Put your working inside <think> tags.", "3 + 4?", True),
        ("Never output <think> tags.", "3 + 4?", False),
        (None, "Think inside <think> tags, then answer.", True),
        (None, "Working in <think> tags, please: 3 + 4?", True),
        (None, "Le brouillon entre <think> balises ?", True),
        (None, "My reply came in a <think> tag, and now?", False),
        (None, "What does <think> mean?", False),
        (None, "3 + 4?", False),
    ],
)
def test_requested_markers(system: str | None, user: str, requested: bool) -> None:
    record = answer("x", system=system, user=user).record
    assert is_requested(record, ("<think>", "</think>")) is requested
    assert is_requested(record, ("<think>", "</think>"), by_system=False) is (requested and system is None)


@pytest.mark.parametrize(
    "text",
    [
        "Write a detective's inner monologue",
        "Schreib ein Gedicht",
        "写一段独白",
        "短い物語を",
        "짧은 소설",
        "Напиши рассказ",
        "اكتب قصة",
        "कहानी लिखो",
        "Viết một truyện",
    ],
)
def test_fiction(text: str) -> None:
    assert asks_for_fiction(text)
    assert not asks_for_fiction("What is the capital of Peru?")


def test_questions_about_markup() -> None:
    assert (
        asks_about_markup("Which special tokens does it use?")
        and asks_about_markup("这个标签是什么")
        and asks_about_markup("what is <|im_end|>")
    )
    assert not asks_about_markup("Where is Peru?")


@pytest.mark.parametrize(
    ("text", "decoded", "marker"),
    [
        ("a &lt;think&gt; b", "a <think> b", "&lt;think&gt;"),
        ("a \\u003cthink\\u003e b", "a <think> b", "\\u003cthink\\u003e"),
        ("<｜Assistant｜>x", "<|Assistant|>x", "<｜Assistant｜>"),
        ("<‖DSML‖invoke>", "<|DSML|invoke>", "<‖DSML‖invoke>"),
        ("a ]<]minimax[>[<tool_call>", "a <tool_call>", "]<]minimax[>[<tool_call>"),
        ("plain < b && c | d", "plain < b && c | d", None),
    ],
)
def test_decoding_and_the_way_back(text: str, decoded: str, marker: str | None) -> None:
    view = decode(text)
    assert view.text == decoded
    if marker:
        start, end = decoded.index("<"), decoded.index(">") + 1
        assert text[view.origin(start) : view.origin(end)] == marker


def test_configuration_that_wants_thoughts_in_the_content() -> None:
    nowhere = Identity()
    assert keeps_reasoning_in_content(answer("x", separate_reasoning=False).record, nowhere)
    assert keeps_reasoning_in_content(answer("x", api="completions").record, nowhere)
    assert keeps_reasoning_in_content(answer("x").record, Identity(reasoning_parser="minimax_m2_append_think"))
    assert not keeps_reasoning_in_content(answer("x", skip_special_tokens=False).record, nowhere)
    off = answer("x", chat_template_kwargs={"thinking": False}, reasoning_parser="deepseek_v3").record
    assert thinking_switched_off(off) and passes_text_unchanged(off, nowhere)
    assert not passes_text_unchanged(answer("x", reasoning_parser="deepseek_v3").record, nowhere)

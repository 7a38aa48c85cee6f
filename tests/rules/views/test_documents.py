"""Code in documents that are not fenced Markdown: which passages are code, and which only look like it."""

import pytest

from pipelines.detect import judge
from pipelines.rules.examples import answer
from pipelines.rules.views.code import code_spans
from pipelines.rules.views.mention import is_mention


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Raw:\n\n    <think>\n    a\n\n    b\n\nDone.", ["\n    <think>\n    a\n\n    b\n\n"]),
        ("Raw:\n\n\t[THINK]\n", ["\n\t[THINK]\n"]),
        ("Raw:\n    <think>\n", []),
        ("- item\n\n    <think>\n", []),
        ("1. item\n\n    <think>\n", []),
        ("\n\n    <think>\nx", []),
        ("Output::\n\n   <think>\n   a\n\nDone.", ["::\n\n   <think>\n   a\n\n"]),
        ("It is \\texttt{<think>} there", ["\\texttt{<think>}"]),
        ("It is \\verb|</think>| and \\lstinline{[THINK]}", ["\\verb|</think>|", "\\lstinline{[THINK]}"]),
        (
            "\\begin{lstlisting}\n</think>\n\\end{lstlisting} x",
            ["\\begin{lstlisting}\n</think>\n\\end{lstlisting}"],
        ),
        ("\\begin{verbatim}\n</think>", []),
        ("\\begin{align}\n</think>\n\\end{align}", []),
        ("Raw:\n\n----\n<think>\n----\nx", ["----\n<think>\n----"]),
        (".Output\n....\n<think>\n....\nx", ["....\n<think>\n...."]),
        ("Hi.\n\n----\n\n<think>\n\n----\nx", []),
        ("\\begin{alltt}\n</think>\n\\begin{alltt}\na\n\\end{alltt}", ["\\begin{alltt}\na\n\\end{alltt}"]),
        ("Heading\n----\n<think>\n\nOther\n----\nx", []),
        ('TEMPLATE """{{ .System }}<|eot_id|>"""\nx', ['"""{{ .System }}<|eot_id|>"""']),
    ],
)
def test_code_of_documents(text: str, code: list[str]) -> None:
    assert [text[start:end] for start, end in code_spans(text)] == code


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("{{ range .Messages }}<|im_end|>\n", True),
        ("<|im_end|>{{ .Role }}", True),
        ("{% if system %}<|im_end|>x", True),
        ('{"a": {"b": 1}}<|im_end|>', False),
        ("Hello {{name}}<|im_end|>", False),
        ("{{ message['content'] }}<|im_end|>", True),
        ("f(x) = {{1, 2}, {3}}<|im_end|>", False),
        ("Done.<|im_end|>\n", False),
    ],
)
def test_a_token_beside_an_action_of_a_template_is_named(text: str, named: bool) -> None:
    start = text.index("<|im_end|>")
    assert is_mention(text, start, start + len("<|im_end|>")) is named


@pytest.mark.parametrize(
    "content",
    [
        "    <think>\n    They want a lake.\n    </think>\nLake Baikal.",
        "Lake Baikal.\n----\n<think>\nThey want a lake.\n</think>\n",
        "<think>\nThe listing:\n\n    x = 1\n\nNow the answer.\n</think>\nSet x to 1.",
    ],
)
def test_thoughts_that_only_stand_beside_such_signs_are_found(content: str) -> None:
    assert any(finding.symptom == "reasoning_leak" for finding in judge(answer(content, family="qwen3")).findings)

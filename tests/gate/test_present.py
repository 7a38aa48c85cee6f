"""What the gate writes: valid JSON, JUnit XML and Markdown, whatever a model is called."""

import datetime
import json
from html.parser import HTMLParser
from xml.etree import ElementTree

import pyarrow as pa
import pytest

from pipelines.gate import GateResult, Policy, judge
from pipelines.gate.present import as_json, as_junit, as_markdown, as_text
from tests.count_tables import measures

POLICY = Policy(measures=("reasoning_leak",))
HOSTILE = [
    "a|b\n| x | y |",
    "</code></details><script>alert(1)</script>",
    "[click](https://example.org) ![x](y)",
    "`code` **bold** _x_ # head",
    "@everyone #12 www.example.org https://example.org",
    "quote\"'&amp;<&>]]>",
    "\x1b[31mred\x00\x07\u202egnp.exe\ud800",
    "x" * 5000,
]


def result_for(model: str) -> GateResult:
    sides = [
        pa.concat_tables([measures((1000,), (leaks,), model=model), measures((1000,), (leaks,), engine=model)])
        for leaks in (100, 10)
    ]
    return judge(sides[0], [sides[1]], POLICY, today=datetime.date(2026, 11, 30))


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.seen.add(tag)


@pytest.mark.parametrize("model", HOSTILE, ids=range(len(HOSTILE)))
def test_markdown_takes_no_markup_from_names(model: str) -> None:
    model = model.encode("utf-8", "ignore").decode()
    page = as_markdown(result_for(model), POLICY)
    tags = Tags()
    tags.feed(page)
    assert tags.seen <= {"code", "details", "summary"}
    rows = [line for line in page.splitlines() if line.startswith("| ") and "<code>" in line]
    assert {line.count("|") for line in rows} == {5, 7}
    cells = "".join(rows)
    for sign in ("[", "`", "*", "@", "www.", "://", "\x1b", "\u202e"):
        assert sign not in cells, sign


@pytest.mark.parametrize("model", HOSTILE, ids=range(len(HOSTILE)))
def test_junit_is_valid_whatever_a_model_is_called(model: str) -> None:
    model = model.encode("utf-8", "ignore").decode()
    root = ElementTree.fromstring(as_junit(result_for(model)).encode())
    cases = root.findall("./testsuite/testcase")
    assert len(cases) == 2
    assert all(len(case.get("classname", "")) <= 200 for case in cases)


@pytest.mark.parametrize("model", HOSTILE, ids=range(len(HOSTILE)))
def test_the_terminal_sees_no_control_characters(model: str) -> None:
    model = model.encode("utf-8", "ignore").decode()
    text = as_text(result_for(model), POLICY)
    assert not set(text) & {"\x1b", "\x00", "\x07", "\u202e"}


def test_json_names_models_as_they_are_and_has_no_nan() -> None:
    value = json.loads(as_json(result_for(HOSTILE[0]), POLICY), parse_constant=pytest.fail)
    assert (value["verdict"], value["exit_code"]) == ("fail", 1)
    assert HOSTILE[0] in {row["model"] for row in value["rows"]}
    assert value["policy"]["ratio_margin"] == 2.0
    assert {row["scope"] for row in value["watch"]} <= {"watch", "slice"}


@pytest.mark.parametrize(
    ("candidate", "baseline", "tag", "counts"),
    [
        ((100, 1000), (10, 1000), "failure", ("1", "0")),
        ((1, 100), (1, 100), "error", ("0", "1")),
        ((100, 9000), (100, 9000), None, ("0", "0")),
    ],
    ids=["fail", "not enough data", "pass"],
)
def test_junit_by_verdict(
    candidate: tuple[int, int], baseline: tuple[int, int], tag: str | None, counts: tuple[str, str]
) -> None:
    sides = [measures((conversations,), (leaks,)) for leaks, conversations in (candidate, baseline)]
    result = judge(sides[0], [sides[1]], POLICY, today=datetime.date(2026, 11, 30))
    root = ElementTree.fromstring(as_junit(result).encode())
    suite = root.find("testsuite")
    assert suite is not None
    assert (suite.get("failures"), suite.get("errors")) == counts
    assert [child.tag for child in root.findall("./testsuite/testcase/*")] == ([tag] if tag else [])

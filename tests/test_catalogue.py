"""Generated parts: where they go in a page, and text that stays what it is inside a Markdown table."""

import pytest
from click.testing import CliRunner

import pipelines
from pipelines.catalogue import Part, code, parts, refreshed
from pipelines.cli.catalogue import command
from pipelines.errors import ConfigurationError
from pipelines.families import FAMILIES
from pipelines.rules import RULES

PAGE = (
    "# Page\n\n<!-- generated: one by hand -->\nold\n<!-- end: one -->\n\n<!-- generated: two -->\n<!-- end: two -->\n"
)


def test_a_part_replaces_what_stands_between_its_comments_only() -> None:
    after = refreshed(PAGE, Part("p.md", "one", "new\n"))
    assert after == PAGE.replace("old\n", "\nnew\n\n")
    assert refreshed(after, Part("p.md", "one", "new\n")) == after
    assert refreshed(PAGE, Part("p.md", "two", r"\1 $x")).endswith("-->\n\n\\1 $x\n\n<!-- end: two -->\n")


def test_a_page_without_the_comments_is_refused() -> None:
    with pytest.raises(ConfigurationError, match=r"p\.md: no place for the part 'three'"):
        refreshed(PAGE, Part("p.md", "three", "new"))


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("<think>", "`<think>`"),
        ("<|channel|>", "`<\\|channel\\|>`"),
        ("thought\n", "`thought\\n`"),
        ("```tool_code", "```` ```tool_code ````"),
        ("a`b", "``a`b``"),
    ],
)
def test_a_marker_is_a_code_span_that_fits_into_a_table(text: str, span: str) -> None:
    assert code(text) == span


def test_every_row_of_the_family_table_has_as_many_cells_as_the_head() -> None:
    part = next(part for part in parts() if part.name == "families")
    rows = [line for line in part.text.splitlines() if line.startswith("|")]
    assert len(rows) == len(FAMILIES) + 2
    assert {line.replace("\\|", "").count("|") for line in rows} == {8}


def test_every_rule_has_a_chapter_with_its_sections_as_a_list() -> None:
    part = next(part for part in parts() if part.name == "rules")
    for rule in RULES:
        chapter = part.text.split(f"### {rule.id}\n")[1].split("\n### ")[0]
        assert "- **Misses**: " in chapter and "- **False alarms**: " in chapter
        assert rule.doc.splitlines()[0] in chapter and f"- **Looks at**: {rule.channel}" in chapter


def test_the_command_finds_a_stale_page_and_writes_it(tmp_path, monkeypatch) -> None:
    for part in parts():
        page = tmp_path / part.page
        page.parent.mkdir(exist_ok=True)
        with page.open("a") as file:
            file.write(f"<!-- generated: {part.name} -->\n<!-- end: {part.name} -->\n")
    monkeypatch.setattr(pipelines, "__file__", str(tmp_path / "__init__.py"))
    before = CliRunner().invoke(command, [])
    assert before.exit_code == 1 and before.output.count("stale: pipelines/") == len(parts())
    written = CliRunner().invoke(command, ["--write"])
    assert written.exit_code == 0 and written.output.count("wrote: pipelines/") == len(parts())
    after = CliRunner().invoke(command, ["--check"])
    assert after.exit_code == 0 and "up to date" in after.output
    assert "qwen3-coder" in (tmp_path / "families/README.md").read_text()


def test_writing_and_checking_exclude_each_other() -> None:
    result = CliRunner().invoke(command, ["--write", "--check"])
    assert result.exit_code == 2 and "exclude each other" in result.output

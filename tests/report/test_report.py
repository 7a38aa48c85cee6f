"""The page escapes what is hostile, answers on its first screen, and works in a browser without a network."""

import os
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from pipelines.report import ReportInput, build
from pipelines.report.answers import PLACE, answers, deployment_changes
from pipelines.report.page import percent
from pipelines.schema import RATE
from pipelines.visible import visible


def test_first_screen_names_the_worst_group_its_day_and_the_change(report_input: ReportInput) -> None:
    found = answers(report_input.pooled.to_pylist(), report_input.daily.to_pylist())
    assert found.severity == "severe"
    assert found.worst is not None
    assert found.worst["engine_version"] == "0.33.0"
    assert found.others == 2
    assert found.since is not None
    assert (found.since.day, found.since.before, found.since.after) == ("2026-11-10", 45 / 9000, 250 / 5000)
    assert found.since.changes == ("engine version 0.32.0 → 0.33.0",)


def test_a_steady_leak_is_as_old_as_the_data(report_input: ReportInput) -> None:
    steady = [row for row in report_input.daily.to_pylist() if row["day"] < "2026-11-10"]
    found = answers(report_input.pooled.to_pylist(), steady)
    assert found.since is not None
    assert (found.since.day, found.since.before, found.since.changes) == ("2026-11-01", None, ())


def test_no_leak_says_how_high_the_rate_may_still_be(report_input: ReportInput) -> None:
    quiet = [row for row in report_input.pooled.to_pylist() if not row["leaked_turns"]]
    found = answers(quiet, [])
    assert (found.severity, found.worst, found.bound) == ("none", None, 0.004)
    page = build(replace(report_input, pooled=pa.Table.from_pylist(quiet, schema=RATE)))
    assert "No leak was found." in page
    assert "as high as 0.4 %" in page


def test_nothing_judged_is_not_called_clean(report_input: ReportInput) -> None:
    empty = report_input.pooled.slice(0, 0)
    page = build(replace(report_input, pooled=empty, daily=empty, findings=report_input.findings.slice(0, 0)))
    assert "Nothing could be judged." in page
    assert "No leak was found" not in page


def test_deployment_changes_name_what_changed(report_input: ReportInput) -> None:
    changes = deployment_changes(report_input.daily.to_pylist())
    assert [(day, row["model"], what) for day, row, what in changes] == [
        ("2026-11-10", "qwen3-32b", ("engine version 0.32.0 → 0.33.0",))
    ]


def test_hostile_names_are_text(report_input: ReportInput) -> None:
    page = build(report_input)
    assert "<script>document.title" not in page
    assert "&lt;script&gt;document.title" in page
    assert "\u202e" not in page
    assert len(page.encode()) < 2_000_000


def test_gate_diagnosis_and_excerpts_have_their_place_and_are_escaped(report_input: ReportInput) -> None:
    gate = {
        "verdict": "fail",
        "rows": [{"model": "<b>m</b>", "measure": "reasoning_leak", "verdict": "fail", "reason": "ten times as many"}],
    }
    page = build(
        replace(
            report_input,
            gate=gate,
            verdicts=[{"title": "engine parser", "text": "<i>no parser is set</i>"}],
            excerpts=[{"rule": "reasoning-marker-in-content", "text": "<think>\u202esecret</think>"}],
        )
    )
    assert 'id="gate"' in page
    assert "&lt;b&gt;m&lt;/b&gt;" in page
    assert "&lt;i&gt;no parser is set&lt;/i&gt;" in page
    assert "&lt;think&gt;\\u202esecret&lt;/think&gt;" in page
    assert "ten times as many" in page
    assert 'id="gate"' not in build(report_input)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("a\u202eb", "a\\u202eb"),
        ("a\nb\x00", "a\\u000ab\\u0000"),
        ("\ud800", "\\ud800"),
        ("日本語", "日本語"),
        ("x" * 121, "x" * 119 + "…"),
    ],
)
def test_visible(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [(None, "–"), (0.0, "0 %"), (0.05, "5 %"), (0.00123456, "0.123 %"), (0.00002, "1 in 50\u202f000")],
)
def test_percent(value: float | None, shown: str) -> None:
    assert percent(value) == shown


@pytest.fixture(params=[(1280, 900), (390, 844)], ids=["wide", "phone"])
def page(request: pytest.FixtureRequest, report_input: ReportInput, tmp_path: Path) -> Iterator[Any]:
    """The report opened in Chromium; `page.complaints` lists console errors, script errors and network requests."""
    browser_path = shutil.which("chromium")
    if browser_path is None:
        assert not os.environ.get("CI"), "CI has to install Chromium"
        pytest.skip("needs Chromium")
    from playwright.sync_api import sync_playwright

    file = tmp_path / "report.html"
    file.write_text(build(report_input), encoding="utf-8")
    width, height = request.param
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=browser_path, args=["--no-sandbox", "--disable-gpu"])
        opened = browser.new_page(viewport={"width": width, "height": height})
        complaints: list[str] = []
        opened.on("console", lambda message: complaints.append(message.text))
        opened.on("pageerror", lambda error: complaints.append(str(error)))
        opened.on(
            "request", lambda call: complaints.append(call.url) if not call.url.startswith(("file:", "data:")) else None
        )
        opened.goto(file.as_uri())
        opened.complaints = complaints
        yield opened
        browser.close()


@pytest.mark.slow
def test_page_in_a_browser(page: Any) -> None:
    assert page.title() == "Leak report, 2026-11-01 to 2026-11-14"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page scrolls sideways"
    assert "Yes, severe" in page.inner_text(".answers")
    for chart in ("trend-chart", "interval-chart", "heat-chart"):
        assert page.locator(f"#{chart} svg").count() == 1
    assert page.locator("#rate-table tbody tr:visible").count() == 4
    page.uncheck("#only-leaks")
    assert page.locator("#rate-table tbody tr:visible").count() == 5

    page.fill("#filter", "raw_tool")
    assert page.locator("#rate-table tbody tr:visible").count() == 1
    page.fill("#filter", "")
    page.check("#only-leaks")
    assert page.locator("#rate-table tbody tr:visible").count() == 4

    page.locator("th button", has_text="Turns").focus()
    page.keyboard.press("Enter")
    turns = [
        text.replace("\u202f", "")
        for text in page.locator("#rate-table tbody tr:visible td:nth-child(9)").all_inner_texts()
    ]
    assert turns == ["9000", "5000", "5000", "800"]
    page.keyboard.press("Enter")
    turns = [
        text.replace("\u202f", "")
        for text in page.locator("#rate-table tbody tr:visible td:nth-child(9)").all_inner_texts()
    ]
    assert turns == ["800", "5000", "5000", "9000"]

    link = page.locator("#rate-table tbody tr:visible a.here").first
    link.click()
    assert page.evaluate("document.querySelector('tr:target') !== null")
    page.select_option("#symptom", "raw_tool_call")
    assert page.locator("#interval-chart svg").count() == 1
    assert page.complaints == []


def test_place_is_the_group_without_the_day() -> None:
    assert ("day", *PLACE) == tuple(RATE.names[:7])

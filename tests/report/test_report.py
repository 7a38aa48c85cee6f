"""The page escapes what is hostile, answers on its first screen, and works in a browser without a network."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from pipelines.report import ReportInput, build
from pipelines.report.answers import PLACE, answers, deployment_changes
from pipelines.report.charts import chart_data
from pipelines.report.page import percent
from pipelines.schema import RATE
from pipelines.visible import visible
from tests.report.conftest import rate_row


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
    assert "Nowhere" not in page and "Keep the nightly run" not in page
    assert page.count("Unknown</p>") == 2
    assert 'See <a href="#coverage">coverage</a>: nothing could be judged.' in page


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


@contextmanager
def opened(file: Path, html: str, *, size: tuple[int, int]) -> Iterator[Any]:
    """The page opened in Chromium; `complaints` lists console errors, script errors and network requests."""
    browser_path = shutil.which("chromium")
    if browser_path is None:
        assert not os.environ.get("CI"), "CI has to install Chromium"
        pytest.skip("needs Chromium")
    from playwright.sync_api import sync_playwright

    file.write_text(html, encoding="utf-8")
    width, height = size
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=browser_path, args=["--no-sandbox", "--disable-gpu"])
        shown = browser.new_page(viewport={"width": width, "height": height})
        complaints: list[str] = []
        shown.on("console", lambda message: complaints.append(message.text))
        shown.on("pageerror", lambda error: complaints.append(str(error)))
        shown.on(
            "request", lambda call: complaints.append(call.url) if not call.url.startswith(("file:", "data:")) else None
        )
        shown.goto(file.as_uri())
        shown.complaints = complaints
        yield shown
        browser.close()


@pytest.fixture(params=[(1280, 900), (390, 844)], ids=["wide", "phone"])
def page(request: pytest.FixtureRequest, report_input: ReportInput, tmp_path: Path) -> Iterator[Any]:
    with opened(tmp_path / "report.html", build(report_input), size=request.param) as shown:
        yield shown


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


@pytest.fixture
def few(report_input: ReportInput) -> ReportInput:
    """One row with two bounds, one with an upper bound only, one with neither, each on two days and in two versions."""
    bounds = {"bounded": (0.02, 0.2), "upper": (None, 0.3), "neither": (None, None)}
    rows = [
        rate_row(day=day, model=model, engine_version=version, leaked_turns=4, turns=40, conversations=9)
        | {"low": low, "high": high}
        for model, (low, high) in bounds.items()
        for day, version in (("2026-11-01", "0.32.0"), ("2026-11-02", "0.33.0"))
    ]
    daily = pa.Table.from_pylist(rows, schema=RATE)
    pooled = pa.Table.from_pylist([row | {"day": "all"} for row in rows], schema=RATE)
    return replace(report_input, pooled=pooled, daily=daily)


@pytest.mark.slow
def test_charts_draw_the_intervals_that_there_are(few: ReportInput, tmp_path: Path) -> None:
    with opened(tmp_path / "report.html", build(few), size=(1280, 900)) as shown:
        for chart in ("interval", "trend"):
            drawn = shown.locator(f"#{chart}-chart svg")
            assert drawn.locator(".bounded line").count() == 2
            assert drawn.locator(".upper line").count() == 2
            dashes = "getComputedStyle(document.querySelector('#{}-chart .{}')).strokeDasharray"
            assert shown.evaluate(dashes.format(chart, "upper")) == "4px, 3px"
            assert shown.evaluate(dashes.format(chart, "bounded")) == "none"
            assert drawn.locator("circle").count() == 6
        ticks = shown.locator("#trend-chart [aria-label='x-axis tick label'] text").all_text_contents()
        assert ticks == ["2026-11-01", "2026-11-02"]
        legend = shown.locator("#trend-legend li").all_inner_texts()
        assert (
            "bounded on vllm, gateway litellm: ● version 0.32.0, template v1,\u2002● version 0.33.0, template v1"
            in legend
        )
        assert shown.complaints == []


LONG = "vendor/" + "a-very-long-name-of-a-model-" * 3


@pytest.mark.slow
@pytest.mark.parametrize("size", [(1400, 900), (390, 844)])
def test_labels_tell_rows_apart_and_what_is_left_out_is_said(
    report_input: ReportInput, tmp_path: Path, size: tuple[int, int]
) -> None:
    rows = [
        rate_row(day="all", model=f"{LONG}{number:02d}", engine="模型" * 20, leaked_turns=3 + number)
        for number in range(45)
    ]
    many = replace(report_input, pooled=pa.Table.from_pylist(rows, schema=RATE))
    with opened(tmp_path / "report.html", build(many), size=size) as shown:
        labels = shown.locator("#interval-chart [aria-label='y-axis tick label'] text").all_text_contents()
        assert len(labels) == len(set(labels)) == 40
        assert shown.inner_text("#interval-note").startswith("40 of 45 shown")
        left = "document.querySelector('#interval-chart svg').getBoundingClientRect().left"
        texts = (
            "[...document.querySelectorAll('#interval-chart text')].map((text) => text.getBoundingClientRect().left)"
        )
        assert shown.evaluate(f"Math.min(...{texts}) >= {left}"), "a label is cut at the left"
        cells = "[...document.querySelectorAll('#rate-table td.one-line')]"
        overlap = f"{cells}.every((cell) => getComputedStyle(cell).overflow === 'hidden' && cell.title)"
        assert shown.evaluate(overlap), "a long name is printed over the next column"
        assert shown.evaluate("getComputedStyle(document.querySelector('#rate-table td')).overflowWrap") == "break-word"


def test_heat_map_says_how_much_it_leaves_out(report_input: ReportInput) -> None:
    rows = [
        rate_row(day="all", model=f"m{model}", leaked_turns=5, cut="stream", cut_value=value)
        for model in range(13)
        for value in ("true", "false")
    ]
    whole = [rate_row(day="all", model="m1", leaked_turns=5)]
    data = chart_data(pa.Table.from_pylist(rows, schema=RATE), whole, [])
    assert len({cell["place"] for cell in data["heat"]}) == 12
    assert data["heat_left_out"] == "Those with the most turns are shown: 12 of 13 deployments."
    assert chart_data(pa.Table.from_pylist(rows[:4], schema=RATE), whole, [])["heat_left_out"] == ""


def test_place_is_the_group_without_the_day() -> None:
    assert ("day", *PLACE) == tuple(RATE.names[:7])

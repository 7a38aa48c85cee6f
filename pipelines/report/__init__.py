"""One HTML page that opens offline: is it bad, where, since when, what to do, and every rate behind the answer."""

from pipelines.report.page import ReportInput, build

__all__ = ["ReportInput", "build"]

"""Reads the tables of outputs and writes their report and metrics: what `leakrate run` and `leakrate report` have in common."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa

from pipelines import outputs, store
from pipelines.errors import ConfigurationError
from pipelines.finish.commit import Output
from pipelines.report import ReportInput, build
from pipelines.report.gather import FINDING_COLUMNS, Figures, excerpts_of, figures, findings_of, gather
from pipelines.schema import RATE

Window = tuple[str | None, str | None]
"""First and last day, both inclusive; None: no bound."""
ALL_DAYS: Window = (None, None)
_OF_A_VERDICT = ("model", "measure", "verdict", "reason")
"""What the page shows of each row of the gate's JSON."""


def report_input(folders: Sequence[str], *, gate: str | None = None, window: Window = ALL_DAYS) -> ReportInput:
    """What the page of these outputs or stores shows of the days in the window.

    Raises InputError or DataError for one that is missing or incomplete, ConfigurationError for one that is named twice.
    """
    manifests = [outputs.load_manifest(folder) for folder in folders]
    _check_apart(folders, manifests)
    counts = pa.concat_tables([outputs.load_counts(folder, *window) for folder in folders]).unify_dictionaries()
    coverage = pa.concat_tables([outputs.load_coverage(folder) for folder in folders])
    return _gathered(folders, manifests, figures(counts, coverage), gate=gate, window=window)


def _gathered(
    folders: Sequence[str],
    manifests: Sequence[Mapping[str, Any]],
    figures: Figures,
    *,
    gate: str | None = None,
    window: Window = ALL_DAYS,
) -> ReportInput:
    excerpts = any(manifest.get("options", {}).get("evidence") == "excerpt" for manifest in manifests)
    columns = (*FINDING_COLUMNS, "evidence") if excerpts else FINDING_COLUMNS
    findings = [outputs.load_detections(folder, *window, columns=columns) for folder in folders]
    return gather(
        figures,
        findings_of(findings),
        versions=_versions(manifests[-1]),
        gate=None if gate is None else _verdict(gate),
        excerpts=excerpts_of(findings) if excerpts else (),
    )


def _check_apart(folders: Sequence[str], manifests: Sequence[Mapping[str, Any]]) -> None:
    seen: dict[str, str] = {}
    for folder, manifest in zip(folders, manifests, strict=True):
        digest = str(manifest.get("inputs", {}).get("digest", folder))
        first = seen.setdefault(digest, folder)
        if first is not folder:
            raise ConfigurationError(f"{first} and {folder} are results of the same inputs; name one of them")


def write_report(folders: Sequence[str], page: str, *, gate: str | None = None, window: Window = ALL_DAYS) -> None:
    """Write the page of these outputs to a file or URL."""
    store.write(page, build(report_input(folders, gate=gate, window=window)).encode("utf-8", "backslashreplace"))


def write_report_of(output: Output) -> None:
    """Write the page of a run that has just ended into its folder, from the tables at hand; `write_report` writes the same."""
    shown = Figures(_without_precision(output.pooled), output.unsplit, output.coverage)
    page = build(_gathered([output.folder], [output.manifest], shown))
    store.write(store.join(output.folder, "report.html"), page.encode("utf-8", "backslashreplace"))


def _without_precision(rates: pa.Table) -> pa.Table:
    """The rates as counts alone give them: the labels of a run are not part of its result."""
    unknown = {name: pa.nulls(len(rates), pa.float64()) for name in ("precision", "precision_low", "precision_high")}
    return pa.table({name: unknown.get(name, rates[name]) for name in rates.column_names}, schema=RATE)


def _versions(manifest: Mapping[str, Any]) -> dict[str, str]:
    return {
        "leakrate": str(manifest.get("leakrate", "unknown")),
        "rules": str(len(manifest.get("rules", ()))),
        "model": str(manifest.get("model") or "none"),
        "written": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
    }


def _verdict(uri: str) -> Mapping[str, Any]:
    try:
        verdict = json.loads(store.read(uri))
    except (ValueError, RecursionError) as error:
        raise ConfigurationError(f"--gate {uri}: not the JSON that `leakrate gate --json` writes") from error
    if not isinstance(verdict, dict) or "verdict" not in verdict:
        raise ConfigurationError(f"--gate {uri}: has no key `verdict`; it is not what `leakrate gate --json` writes")
    rows = verdict.get("rows")
    if not isinstance(rows, list) or not all(isinstance(row, dict) and set(_OF_A_VERDICT) <= set(row) for row in rows):
        raise ConfigurationError(f"--gate {uri}: `rows` is no list of objects with {', '.join(_OF_A_VERDICT)}")
    return verdict

"""Reads the tables of outputs and writes their report and metrics: what `leakrate run` and `leakrate report` have in common."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa

from pipelines import store
from pipelines.baseline import Run, load_runs
from pipelines.errors import ConfigurationError
from pipelines.report import ReportInput, build
from pipelines.report.gather import excerpts_of, findings_of, gather


def report_input(outputs: Sequence[str], *, gate: str | None = None) -> ReportInput:
    """What the page of these outputs shows. Raises InputError or DataError for an output that is missing or incomplete."""
    runs = load_runs(outputs, maximum_reject_rate=1.0)
    parts = [
        store.read_parquet(store.join(output, "detections", name))
        for output in outputs
        for name in store.names(store.join(output, "detections"))
    ]
    excerpts = any(run.manifest.get("options", {}).get("evidence") == "excerpt" for run in runs)
    return gather(
        pa.concat_tables([run.counts for run in runs]).unify_dictionaries(),
        pa.concat_tables([store.read_parquet(store.join(output, "coverage.parquet")) for output in outputs]),
        findings_of(parts),
        versions=_versions(runs),
        gate=None if gate is None else _verdict(gate),
        excerpts=excerpts_of(parts) if excerpts else (),
    )


def write_report(outputs: Sequence[str], page: str, *, gate: str | None = None) -> None:
    """Write the page of these outputs to a file or URL."""
    store.write(page, build(report_input(outputs, gate=gate)).encode("utf-8", "backslashreplace"))


def _versions(runs: Sequence[Run]) -> dict[str, str]:
    last = runs[-1].manifest
    return {
        "leakrate": str(last["leakrate"]),
        "rules": str(len(last["rules"])),
        "model": str(last["model"] or "none"),
        "written": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
    }


def _verdict(uri: str) -> Mapping[str, Any]:
    try:
        verdict = json.loads(store.read(uri))
    except ValueError as error:
        raise ConfigurationError(f"--gate {uri}: not the JSON that `leakrate gate --json` writes") from error
    if not isinstance(verdict, dict) or "verdict" not in verdict:
        raise ConfigurationError(f"--gate {uri}: has no key `verdict`; it is not what `leakrate gate --json` writes")
    return verdict

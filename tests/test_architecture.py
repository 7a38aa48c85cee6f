"""Who may import whom, what the local path must not load, and what the published tables must not hold."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest

from pipelines import schema

ROOT = Path(__file__).parent.parent
EVERYBODY = {"schema", "errors", "visible", "job"}
"""What everything may import: tables, exceptions, and the small values that engines move."""
ALLOWED = {
    "schema": set(),
    "errors": set(),
    "job": set(),
    "visible": set(),
    "formats": set(),
    "families": set(),
    "known_issues": set(),
    "intervals": set(),
    "store": set(),
    "rules": {"families"},
    "candidates": {"rules", "families"},
    "detect": {"candidates", "rules", "families"},
    "deployments": {"families"},
    "ingest": {"formats"},
    "join": {"formats", "store"},
    "plan": {"formats", "ingest", "join", "store"},
    "scored": {"rules", "classifier.batch", "classifier.runtime"},
    "shard": {"deployments", "detect", "families", "formats", "ingest", "join", "lend", "rules", "scored", "store"},
    "lend": {"formats", "store"},
    "precision": {"store"},
    "fold": set(),
    "rates": {"intervals"},
    "finish": {
        "detect",
        "families",
        "fold",
        "outputs",
        "plan",
        "precision",
        "rates",
        "rules",
        "scored",
        "shard",
        "store",
    },
    "leak_rates": {"deployments", "finish", "outputs", "plan", "scored", "store"},
    "local": {"finish", "leak_rates", "plan", "shard", "store"},
    "beam": {"shard"},
    "spark": {"shard"},
    "outputs": {"rates", "store"},
    "history": {
        "deployments",
        "detect",
        "finish",
        "fold",
        "leak_rates",
        "outputs",
        "plan",
        "rates",
        "scored",
        "shard",
        "store",
    },
    "baseline": {"outputs", "store"},
    "gate": {"intervals", "baseline"},
    "metrics": {"store"},
    "report": {"fold", "rates", "rules", "store"},
    "score": {"deployments", "detect", "families", "formats", "rules"},
    "context": {"formats", "ingest", "plan", "shard", "store"},
    "label": {"store", "shard", "ingest", "formats", "plan", "classifier.examples"},
    "sample": {"store", "classifier.examples"},
    "plant": {"rules", "families"},
    "catalogue": {"families", "formats", "known_issues", "rules"},
    "__main__": {"cli"},
}
"""Unit of `pipelines` → the other units (and modules of `classifier`) that it may import, besides EVERYBODY. `cli` may import all."""
FOREIGN = {
    "apache_beam": {"beam"},
    "pyspark": {"spark"},
    "sklearn": {"classifier"},
    "pandas": {"report", "cli", "history"},
}
"""Heavy library → the only units that may name it."""
CLASSIFIER_ALLOWED = {"runtime": set(), "features": {"runtime"}, "examples": {"runtime"}}
HEAVY = ("apache_beam", "sklearn", "pandas", "scipy", "pyspark", "jinja2", "statsmodels", "IPython", "matplotlib")


def sources(package: str) -> Iterator[tuple[str, Path]]:
    """Unit and file: the name below the package, whether it is a module or a folder."""
    for path in sorted((ROOT / package).rglob("*.py")):
        parts = path.relative_to(ROOT / package).with_suffix("").parts
        if parts != ("__init__",):
            yield parts[0], path


def imports(path: Path) -> Iterator[str]:
    """Dotted names of what a file imports, wherever in the file."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            assert node.module is not None
            yield from (
                (f"{node.module}.{alias.name}" for alias in node.names)
                if node.module
                in (
                    "pipelines",
                    "classifier",
                )
                else (node.module,)
            )


PIPELINES = tuple(sources("pipelines"))
CLASSIFIER = tuple(sources("classifier"))


@pytest.mark.parametrize(("unit", "path"), PIPELINES, ids=[str(path.relative_to(ROOT)) for _, path in PIPELINES])
def test_left_imports_right(unit: str, path: Path) -> None:
    assert unit == "cli" or unit in ALLOWED, f"{unit} has no row in the table"
    for name in imports(path):
        parts = name.split(".")
        if parts[0] == "pipelines" and len(parts) > 1 and parts[1] not in EVERYBODY | {unit}:
            assert unit == "cli" or parts[1] in ALLOWED[unit], f"{unit} may not import {parts[1]}"
        if parts[0] == "classifier" and unit != "cli":
            assert ".".join(parts[:2]) in ALLOWED[unit], f"{unit} may not import {name}"
        assert parts[0] not in FOREIGN or unit in FOREIGN[parts[0]], f"{unit} may not import {parts[0]}"


@pytest.mark.parametrize(("unit", "path"), CLASSIFIER, ids=[str(path.relative_to(ROOT)) for _, path in CLASSIFIER])
def test_the_classifier_never_uses_the_pipelines(unit: str, path: Path) -> None:
    for name in imports(path):
        parts = name.split(".")
        assert parts[0] != "pipelines"
        if unit in CLASSIFIER_ALLOWED:
            assert parts[0] not in ("sklearn", "pandas", "pyarrow", "statsmodels"), f"{unit} may not import {parts[0]}"
            if parts[0] == "classifier" and len(parts) > 1:
                assert parts[1] in CLASSIFIER_ALLOWED[unit] | {unit}


def test_the_table_has_no_row_too_many() -> None:
    later = {"known_issues", "label", "sample", "plant", "scored"}
    assert set(ALLOWED) - {unit for unit, _ in PIPELINES} <= later


def loaded(code: str) -> set[str]:
    """Top-level modules that a fresh interpreter has loaded after the code."""
    script = f"{code}\nimport sys; print(*{{name.split('.')[0] for name in sys.modules}})"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    return set(done.stdout.split())


@pytest.mark.parametrize("module", ["pipelines.local", "pipelines.cli", "pipelines.plan", "pipelines.shard"])
def test_the_local_path_starts_light(module: str) -> None:
    assert not loaded(f"import {module}") & set(HEAVY)


def test_a_shard_is_judged_without_pandas_and_scipy(tmp_path: Path) -> None:
    from tests import gateway_rows

    path = gateway_rows.write_log(
        tmp_path, "log.jsonl", [gateway_rows.payload(n, gateway_rows.LEAKING) for n in range(9)]
    )
    code = (
        "from pipelines.job import Options\nfrom pipelines.local import Local\nfrom pipelines.plan import plan\n"
        f"options = Options(work={str(tmp_path / 'out' / 'work')!r})\n"
        f"summaries = list(Local(1).shards(plan([{str(path)!r}], options).shards, options))\n"
        "assert summaries[0].turns == 9 and summaries[0].detections >= 9"
    )
    assert not loaded(code) & set(HEAVY)


def test_the_runtime_of_the_classifier_needs_the_standard_library_only() -> None:
    allowed = set(sys.stdlib_module_names) | {"classifier", "sitecustomize", "_distutils_hack"}
    new = loaded("import classifier.runtime") - loaded("pass")
    assert {name for name in new if not name.startswith(("_", "numpy"))} <= allowed


TEXTS = (
    "content",
    "reasoning",
    "excerpt",
    "evidence",
    "text",
    "messages",
    "source_id",
    "call_id",
    "trace_id",
    "caller",
)


@pytest.mark.parametrize("table", ["TURN", "DUPLICATE", "COUNT", "USAGE", "RATE", "COVERAGE"])
def test_published_tables_hold_names_and_numbers_only(table: str) -> None:
    fields: pa.Schema = getattr(schema, table)
    assert not set(fields.names) & set(TEXTS)


def test_ids_end_at_the_turn_as_hashes() -> None:
    for name in ("turn_key", "conversation", "request"):
        assert schema.TURN.field(name).type == pa.uint64()

"""Who may import whom, what the local path must not load, and what the published tables must not hold."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest

from pipelines import schema

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "pipelines" / "README.md").read_text(encoding="utf-8")
EVERYBODY = {"schema", "errors", "visible", "job"}
"""What everything may import: tables, exceptions, and the small values that engines move."""


def section(title: str) -> str:
    """The text of one section of the page."""
    return PAGE.split(f"## {title}\n")[1].split("\n## ")[0]


def cells(title: str) -> list[tuple[str, str]]:
    """The rows of the table in a section of the page, without its head."""
    lines = [line.strip("|").split("|") for line in section(title).splitlines() if line.startswith("|")]
    return [(left.strip(), right.strip()) for left, right in lines[2:]]


def named(cell: str) -> set[str]:
    return set(re.findall(r"`([\w.]+)/?`", cell))


ALLOWED = {unit: named(right) for left, right in cells("Who may import whom") for unit in named(left)}
"""Unit of `pipelines`, or `classifier.` and a module → the others that it imports besides EVERYBODY. `cli` may import all."""
FOREIGN = {
    "apache_beam": {"beam"},
    "pyspark": {"spark"},
    "jinja2": {"report"},
    "fsspec": {"store"},
    "sklearn": {"classifier.evaluate", "classifier.train"},
    "scipy": {"classifier.evaluate", "classifier.features", "classifier.train", "gate", "intervals"},
    "pandas": set(),
    "statsmodels": set(),
}
"""Heavy library → exactly the units that name it."""
HEAVY = ("apache_beam", "sklearn", "pandas", "scipy", "pyspark", "jinja2", "statsmodels", "IPython", "matplotlib")


def sources(package: str) -> Iterator[tuple[str, Path]]:
    """Unit and file: the name below the package, whether it is a module or a folder; `classifier.` in front for those of classifier."""
    for path in sorted((ROOT / package).rglob("*.py")):
        parts = path.relative_to(ROOT / package).with_suffix("").parts
        if parts != ("__init__",):
            yield parts[0] if package == "pipelines" else f"{package}.{parts[0]}", path


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


SOURCES = (*sources("pipelines"), *sources("classifier"))
UNITS = {unit for unit, _ in SOURCES}


def imported(name: str) -> str | None:
    """The unit that a dotted name lies in, None for another library or a package as a whole."""
    package, _, inner = name.partition(".")
    if package not in ("pipelines", "classifier") or not inner:
        return None
    unit = inner.split(".")[0]
    return unit if package == "pipelines" else f"{package}.{unit}"


USED = {unit: set[str]() for unit in UNITS}
for _unit, _path in SOURCES:
    USED[_unit] |= {other for other in map(imported, imports(_path)) if other is not None} - EVERYBODY - {_unit}


@pytest.mark.parametrize("unit", sorted(UNITS - EVERYBODY - {"cli"}))
def test_a_unit_imports_what_the_table_says_and_no_row_says_too_much(unit: str) -> None:
    assert unit in ALLOWED, f"{unit} has no row in the table"
    assert USED[unit] == ALLOWED[unit]


def test_the_table_has_no_row_too_many() -> None:
    assert set(ALLOWED) == UNITS - EVERYBODY
    assert set().union(*ALLOWED.values()) <= UNITS


@pytest.mark.parametrize("unit", sorted(EVERYBODY))
def test_what_everybody_imports_imports_nothing(unit: str) -> None:
    assert f"`{unit}`" in section("Who may import whom").partition("|")[0]
    assert USED[unit] == set()


@pytest.mark.parametrize("unit", sorted(unit for unit in UNITS if unit.startswith("classifier.")))
def test_the_classifier_never_uses_the_pipelines(unit: str) -> None:
    assert all(other.startswith("classifier.") for other in USED[unit])
    for own, path in SOURCES:
        assert own != unit or not {name.split(".")[0] for name in imports(path)} & {"pipelines", "pyarrow"}


@pytest.mark.parametrize("library", FOREIGN)
def test_a_heavy_library_is_named_where_it_belongs(library: str) -> None:
    users = {unit for unit, path in SOURCES if library in {name.split(".")[0] for name in imports(path)}}
    assert users == FOREIGN[library]


def test_the_page_says_of_every_unit_where_it_lives() -> None:
    rows = [left for left, _ in cells("Where things live")]
    living = {re.sub(r"\.py$", "", name) for left in rows for name in named(left)}
    assert living == {unit for unit in UNITS if not unit.startswith("classifier.")} - {"__main__"} | {"examples"}
    for left in rows:
        for name in re.findall(r"`([\w.]+/)`", left):
            assert (ROOT / "pipelines" / name).is_dir(), name


@pytest.mark.parametrize("package", ["pipelines", "classifier"])
def test_types_are_for_users_too(package: str) -> None:
    assert (ROOT / package / "py.typed").is_file()


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

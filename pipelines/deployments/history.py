"""Deployments: which engine, version, template and launch flags stood behind which requests, and when.

The file is TOML with `[[deployment]]` tables, or CSV with the same keys as columns and `match_model_id`, `match_api_base`,
`match_model`, `match_gateway`. Everything that is wrong with it is found at loading.
"""

import csv
import hashlib
import io
import tomllib
from bisect import bisect_right
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime

import msgspec

from pipelines.deployments.launch import Launch, read_launch
from pipelines.errors import ConfigurationError, InputError
from pipelines.families import by_name

MATCH_KEYS = ("model_id", "api_base", "model", "gateway")
CHOICES = {"frontend": ("python", "rust"), "observation_point": ("before_gateway", "after_gateway")}
TEXT_KEYS = (
    "engine",
    "engine_version",
    "frontend",
    "model",
    "model_version",
    "template_version",
    "gateway_version",
    "observation_point",
    "family",
)
KEYS = ("match", "from", "until", *TEXT_KEYS, "args")

Read = Callable[[str], bytes | None]


class Deployment(msgspec.Struct, frozen=True, kw_only=True):
    """One deployment and the span of time, in seconds since 1970 UTC, in which it served: start ≤ time < end."""

    number: int
    """Its place in the file, from 1."""
    match: tuple[tuple[str, str], ...]
    start: float | None = None
    end: float | None = None
    engine: str | None = None
    engine_version: str | None = None
    frontend: str | None = None
    model: str | None = None
    model_version: str | None = None
    template_version: str | None = None
    gateway_version: str | None = None
    observation_point: str | None = None
    family: str | None = None
    launch: Launch | None = None
    template_hash: str | None = None
    """`sha256:` and twelve hex digits of the template file that the launch flags name, where it could be read."""

    @property
    def title(self) -> str:
        """How messages name it."""
        return f"deployment {self.number} ({', '.join(f'{key} = {value!r}' for key, value in self.match)})"


class Deployments(msgspec.Struct, frozen=True):
    """All deployments of one file, in its order; empty when there is no file."""

    source: str = ""
    rows: tuple[Deployment, ...] = ()
    borders: tuple[float, ...] = ()
    """Every start and end, ascending: between two of them the same deployments serve."""

    def interval(self, time: float | None) -> int:
        """Number of the stretch between two borders in which a time lies; -1 for an unknown time."""
        return -1 if time is None else bisect_right(self.borders, time)


def load(path: str | None, read: Read) -> Deployments:
    """The deployment history at `path` (none: an empty one). `read` gives the bytes of a path or URL.

    Raises ConfigurationError with one sentence that names the file, the deployment, the key and what is allowed.
    """
    if path is None:
        return Deployments()
    text = _text(path, read(path))
    tables = _csv(path, text) if path.lower().endswith(".csv") else _toml(path, text)
    rows = tuple(_deployment(table, number, path, read) for number, table in enumerate(tables, 1))
    _refuse_certain_ties(rows, path)
    borders = {moment for row in rows for moment in (row.start, row.end) if moment is not None}
    return Deployments(path, rows, tuple(sorted(borders)))


def _text(path: str, content: bytes | None) -> str:
    if content is None:
        raise InputError(f"{path}: no such file")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"{path}: not UTF-8 text (byte {error.start})") from error


def _toml(path: str, text: str) -> list[Mapping[str, object]]:
    try:
        document = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigurationError(f"{path}: not valid TOML: {error}") from error
    unknown = sorted(set(document) - {"deployment"})
    tables = document.get("deployment", [])
    if unknown or not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        found = f"unknown key {unknown[0]!r}" if unknown else "`deployment` is no list of tables"
        raise ConfigurationError(f"{path}: {found}; allowed: [[deployment]] tables only")
    return tables


def _csv(path: str, text: str) -> list[Mapping[str, object]]:
    columns = (*(f"match_{key}" for key in MATCH_KEYS), *(key for key in KEYS if key != "match"))
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True, skipinitialspace=True)
    tables: list[Mapping[str, object]] = []
    try:
        for name in reader.fieldnames or ():
            if name not in columns:
                raise ConfigurationError(f"{path}: unknown column {name!r}; allowed: {', '.join(columns)}")
        for cells in reader:
            if None in cells:
                raise ConfigurationError(f"{path}: line {reader.line_num}: more cells than columns")
            filled = {name: value for name, value in cells.items() if value}
            match = {key: filled.pop(f"match_{key}") for key in MATCH_KEYS if f"match_{key}" in filled}
            tables.append({"match": match, **filled})
    except csv.Error as error:
        raise ConfigurationError(f"{path}: line {reader.line_num}: not valid CSV: {error}") from error
    return tables


def _deployment(table: Mapping[str, object], number: int, path: str, read: Read) -> Deployment:
    where = f"{path}: deployment {number}"
    for key in table:
        if key not in KEYS:
            raise ConfigurationError(f"{where}: unknown key {key!r}; allowed: {', '.join(KEYS)}")
    texts = {key: _one_text(table[key], key, where) for key in TEXT_KEYS if key in table}
    start, end = (_moment(table.get(key), key, where) for key in ("from", "until"))
    if start is not None and end is not None and end <= start:
        raise ConfigurationError(f"{where}: `until` ({table['until']}) must be later than `from` ({table['from']})")
    launch = _launch(table.get("args"), where)
    template = launch.chat_template if launch is not None else None
    return Deployment(
        number=number,
        match=_match(table.get("match"), where),
        start=start,
        end=end,
        launch=launch,
        template_hash=_template_hash(template, path, read) if template else None,
        **texts,
    )


def _match(value: object, where: str) -> tuple[tuple[str, str], ...]:
    allowed = ", ".join(MATCH_KEYS)
    if not isinstance(value, Mapping) or not value:
        raise ConfigurationError(f"{where}: `match` must hold at least one of {allowed}")
    for key in value:
        if key not in MATCH_KEYS:
            raise ConfigurationError(f"{where}: unknown key {key!r} in `match`; allowed: {allowed}")
    return tuple((key, _one_text(value[key], f"match.{key}", where)) for key in MATCH_KEYS if key in value)


def _one_text(value: object, key: str, where: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ConfigurationError(f"{where}: `{key}` must be text in quotes that is not empty, found {value!r}")
    if key in CHOICES and value not in CHOICES[key]:
        raise ConfigurationError(f"{where}: `{key}` is {value!r}; allowed: {', '.join(CHOICES[key])}")
    if key == "family" and by_name(value) is None:
        raise ConfigurationError(f"{where}: `family` is {value!r}; allowed: a name that `leakrate families` lists")
    return value.strip()


def _moment(value: object, key: str, where: str) -> float | None:
    if value is None:
        return None
    try:
        if isinstance(value, str):
            value = datetime.fromisoformat(value.strip())
        elif isinstance(value, date) and not isinstance(value, datetime):
            value = datetime(value.year, value.month, value.day, tzinfo=UTC)
    except ValueError:
        value = None
    if not isinstance(value, datetime):
        raise ConfigurationError(f"{where}: `{key}` must be an ISO day or time, such as 2026-11-30T12:00:00Z")
    return (value if value.tzinfo else value.replace(tzinfo=UTC)).timestamp()


def _launch(value: object, where: str) -> Launch | None:
    if value is None:
        return None
    if not isinstance(value, str) and not (isinstance(value, list) and all(isinstance(word, str) for word in value)):
        raise ConfigurationError(f"{where}: `args` must be the command line as text or as a list of texts")
    try:
        return read_launch(value)
    except ValueError as error:
        raise ConfigurationError(f"{where}: `args`: {error}") from error


def _template_hash(template: str, path: str, read: Read) -> str | None:
    """Hash of the template file, looked for beside the deployment file, or of a template written into the flag itself."""
    content: bytes | None
    if "{%" in template or "{{" in template:
        content = template.encode()
    else:
        absolute = template.startswith("/") or "://" in template
        folder, slash, _ = path.rpartition("/")
        try:
            content = read(template if absolute else f"{folder}{slash}{template}")
        except (InputError, OSError):
            content = None
    return None if content is None else f"sha256:{hashlib.sha256(content).hexdigest()[:12]}"


def _refuse_certain_ties(rows: tuple[Deployment, ...], path: str) -> None:
    first: dict[tuple[object, ...], Deployment] = {}
    for row in rows:
        other = first.setdefault((row.match, row.start), row)
        if other is not row:
            raise tie(other, row, path)


def tie(one: Deployment, other: Deployment, path: str) -> ConfigurationError:
    """The error for two deployments of which neither is the better match."""
    return ConfigurationError(
        f"{path}: {one.title} and {other.title} match the same requests with as many keys and the same `from`; "
        "give one of them a further match key or another `from`"
    )

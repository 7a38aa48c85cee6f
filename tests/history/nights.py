"""Runs of a store as a test makes them, what they published, and runs that are killed."""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from pipelines import store
from pipelines.history import Asked, Updated, update
from pipelines.history.update import Progress
from pipelines.job import Options
from pipelines.local import Local
from pipelines.shard import _deployments
from pipelines.store import tables
from tests.history.month_of_logs import pair

PLAIN = Options(work="")
AFTERWARDS = datetime(2027, 1, 1, tzinfo=UTC).timestamp()
"""Behind every day of the logs."""


class Killed(BaseException):
    """In place of a signal that ends the process; nothing may catch it."""


def silent(_: object) -> AbstractContextManager[Any]:
    return nullcontext(lambda summary: None)


def run(
    folder: str | Path,
    *inputs: str | Path,
    started: float = AFTERWARDS,
    progress: Progress = silent,
    options: Options = PLAIN,
    **asked: Any,
) -> Updated:
    """One run of a store over the inputs, in this process."""
    _deployments.cache_clear()
    request = Asked(inputs=tuple(map(str, inputs)), started=started, **asked)
    return update(str(folder), options, request, engine=Local(1), progress=progress)


def published(folder: Path) -> dict[str, bytes]:
    """The published files of a store by name, without what only leakrate reads."""
    files = (
        path for path in sorted(folder.rglob("*.parquet")) if not path.relative_to(folder).parts[0].startswith("_")
    )
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def differences(one: dict[str, bytes], other: dict[str, bytes]) -> Sequence[str]:
    """Names of the files that differ or stand on one side only."""
    return sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))


@contextmanager
def killed_at(change: int, where: str = "") -> Iterator[list[str]]:
    """The run is killed instead of writing or removing a file for that time (from 1), of those with `where` in their name.

    What was done before is in the list.
    """
    done: list[str] = []
    write, remove = store.write, store.remove

    def count(uri: str) -> None:
        if sum(where in name for name in [*done, uri]) == change and where in uri:
            raise Killed
        done.append(uri)

    def counted_write(uri: str, content: bytes) -> None:
        count(uri)
        write(uri, content)

    def counted_remove(uri: str) -> None:
        count(uri)
        remove(uri)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "write", counted_write)
        patch.setattr(tables, "write", counted_write)
        patch.setattr(store, "remove", counted_remove)
        yield done


def write_pairs(path: Path, rows: Iterable[tuple[str, datetime | None, dict[str, Any]]]) -> None:
    """A log in the pair format; a row is (id, time, what `pair` takes)."""
    path.write_text("".join(json.dumps(pair(name, moment, **given)) + "\n" for name, moment, given in rows))

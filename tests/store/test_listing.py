"""Which files a name stands for: links, loops, dead links, pipes and files that are named twice."""

import os
from pathlib import Path

import pytest

from pipelines import store
from pipelines.errors import ConfigurationError, InputError


def _names(found: list[store.Entry], root: Path) -> list[str]:
    return [os.path.relpath(entry.uri, root) for entry in found]


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    (tmp_path / "elsewhere" / "deep").mkdir(parents=True)
    (tmp_path / "elsewhere" / "deep" / "c.jsonl").write_text("{}\n")
    root = tmp_path / "logs"
    (root / "2026-11-29").mkdir(parents=True)
    (root / "2026-11-29" / "a.jsonl").write_text("{}\n")
    (root / "current").symlink_to("2026-11-29")
    (root / "archive").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "elsewhere" / "back").symlink_to(root)
    (root / "loop").symlink_to(".")
    (root / "gone.jsonl").symlink_to("nowhere")
    (root / "latest.jsonl").symlink_to("2026-11-29/a.jsonl")
    os.mkfifo(root / "pipe.jsonl")
    return root


def test_links_of_a_folder_are_followed_once_and_dead_ones_left_out(logs: Path) -> None:
    assert _names(store.entries(str(logs)), logs) == ["2026-11-29/a.jsonl", "archive/deep/c.jsonl", "latest.jsonl"]


def test_a_file_counts_once_whatever_its_names(logs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(logs)
    named = ["2026-11-29/a.jsonl", "./2026-11-29/../2026-11-29/a.jsonl", str(logs / "current" / "a.jsonl"), str(logs)]
    named += [f"file://{logs}/latest.jsonl"]
    found = store.all_entries(named)
    assert _names(found, logs) == ["2026-11-29/a.jsonl", "archive/deep/c.jsonl"]


def test_a_glob_takes_the_folders_that_it_matches(logs: Path) -> None:
    assert _names(store.entries(f"{logs}/2026-*"), logs) == ["2026-11-29/a.jsonl"]


def test_only_a_file_of_its_own_name_is_named(logs: Path) -> None:
    assert [entry.named for entry in store.entries(f"{logs}/2026-11-29/a.jsonl")] == [True]
    assert not any(entry.named for entry in store.entries(f"{logs}/*.jsonl"))


@pytest.mark.parametrize("name", ["pipe.jsonl", "gone.jsonl"])
def test_what_holds_no_bytes_to_read_again_is_refused(logs: Path, name: str) -> None:
    with pytest.raises(InputError, match=name):
        store.entries(str(logs / name))


def test_a_result_in_the_folder_of_its_logs_is_no_input(logs: Path) -> None:
    (logs / "out").mkdir()
    (logs / "out" / "rates.csv").write_text("day\n")
    (logs / "out-of-hours.jsonl").write_text("{}\n")
    found = _names(store.all_entries([str(logs)], without=f"{logs}/out/"), logs)
    assert found == ["2026-11-29/a.jsonl", "archive/deep/c.jsonl", "out-of-hours.jsonl"]
    with pytest.raises(InputError, match="nothing but this result"):
        store.all_entries([str(logs / "out")], without=str(logs / "out"))


@pytest.fixture(params=["access", "listdir"])
def closed(request: pytest.FixtureRequest, logs: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder inside the logs that may not be read, by its mode or by what the file system says when it is read."""
    folder = logs / "private"
    folder.mkdir()
    (folder / "b.jsonl").write_text("{}\n")
    open_to_all = getattr(os, request.param)

    def refuse(path: str, *modes: int) -> object:
        if Path(path).name != "private":
            return open_to_all(path, *modes)
        if request.param == "access":
            return False
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(os, request.param, refuse)
    return folder


def test_a_folder_that_may_not_be_read_stands_for_its_files(closed: Path, logs: Path) -> None:
    found = store.entries(str(logs))
    assert _names(found, logs) == ["2026-11-29/a.jsonl", "archive/deep/c.jsonl", "latest.jsonl", "private"]
    assert (found[-1].size, found[-1].named) == (0, False)


def test_a_folder_that_is_named_itself_has_to_be_readable(closed: Path) -> None:
    with pytest.raises(InputError, match="private: may not be read"):
        store.entries(str(closed))


RESULT = '{"leakrate": "0.1.0", "rules": {}, "inputs": {}}'


def test_earlier_results_among_the_logs_are_no_inputs(logs: Path, caplog: pytest.LogCaptureFixture) -> None:
    for name, manifest in (("old/out", RESULT), ("app", '{"name": "an app"}'), ("broken", "{")):
        (logs / name).mkdir(parents=True)
        (logs / name / "manifest.json").write_text(manifest)
        (logs / name / "rates.csv").write_text("day\n")
    found = _names(store.all_entries([str(logs)]), logs)
    assert [name for name in found if "/" in name and not name.startswith(("2026", "archive"))] == [
        "app/manifest.json",
        "app/rates.csv",
        "broken/manifest.json",
        "broken/rates.csv",
    ]
    assert [record.getMessage() for record in caplog.records] == [
        f"{logs}/old/out/ is a result of leakrate and is not read as logs"
    ]
    assert _names(store.all_entries([str(logs / "old" / "out" / "rates.csv")]), logs) == ["old/out/rates.csv"]
    with pytest.raises(InputError, match="nothing but results of leakrate"):
        store.all_entries([str(logs / "old")])


@pytest.mark.parametrize("name", ["2026-11-29/a.jsonl", "2026-11-29/a.jsonl/out"])
def test_a_place_that_cannot_be_written_to_is_told(logs: Path, name: str) -> None:
    with pytest.raises(ConfigurationError, match="no folder that can be written to"), store.exclusive(str(logs / name)):
        pass


ODD_NAMES = ["app::2026.jsonl", "data:,x.jsonl", "C:x.jsonl", "memory:x.jsonl", "file:x.jsonl", "s3::y.jsonl"]


@pytest.mark.parametrize("name", ODD_NAMES)
def test_a_colon_is_part_of_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    (tmp_path / name).write_text("{}\n")
    monkeypatch.chdir(tmp_path)
    for asked in (name, str(tmp_path / name), f"file://{tmp_path / name}", f"file:{tmp_path / name}", str(tmp_path)):
        (entry,) = store.entries(asked)
        assert store.read(entry.uri) == b"{}\n", asked


@pytest.mark.parametrize("uri", ["memory://colons/app::2026.jsonl", "memory://colons/a:b.jsonl"])
def test_a_url_may_hold_colons_too(uri: str) -> None:
    store.write(uri, b"x")
    assert [store.read(entry.uri) for entry in store.entries(uri)] == [b"x"]


@pytest.mark.parametrize("name", ["", " "])
def test_an_empty_name_is_no_folder(logs: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(logs)
    with pytest.raises(InputError, match="empty name"):
        store.entries(name)

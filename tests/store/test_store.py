"""Files are found, read by their first bytes, written whole or not at all; CSV cells are harmless in a spreadsheet."""

import gzip
from collections.abc import Callable
from pathlib import Path
from random import Random

import pyarrow as pa
import pytest
import zstandard

from pipelines import store
from pipelines.errors import ConfigurationError, InputError
from pipelines.store import compression


def test_folders_are_read_recursively_without_hidden_and_underscored_names(tmp_path: Path) -> None:
    for name in ("b.jsonl", "sub/a.jsonl", ".hidden", "_temporary/x.jsonl", "sub/.git/y", "sub/_SUCCESS"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("{}")
    found = [entry.uri for entry in store.entries(str(tmp_path))]
    assert found == [f"{tmp_path}/b.jsonl", f"{tmp_path}/sub/a.jsonl"]
    assert [entry.uri for entry in store.entries(f"{tmp_path}/*.jsonl")] == [f"{tmp_path}/b.jsonl"]
    assert [entry.uri for entry in store.entries(f"{tmp_path}/_temporary/x.jsonl")] == [
        f"{tmp_path}/_temporary/x.jsonl"
    ]


@pytest.mark.parametrize("missing", ["nothing.jsonl", "no*.jsonl", "empty", "nosuch://bucket/key"])
def test_a_missing_input_is_one_sentence(tmp_path: Path, missing: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=missing.replace("*", ".")):
        store.entries(missing if "://" in missing else str(tmp_path / missing))


def test_compression_is_told_by_the_first_bytes_and_members_follow_each_other(tmp_path: Path) -> None:
    one, two = b"one\n" * 1000, b"two\n" * 1000
    written = {
        "plain.gz": one + two,
        "log.txt": gzip.compress(one) + gzip.compress(two),
        "log": zstandard.compress(one) + zstandard.compress(two),
    }
    for name, content in written.items():
        (tmp_path / name).write_bytes(content)
        assert store.read(str(tmp_path / name)) == one + two
    assert store.head(str(tmp_path / "log"), 6) == (b"one\non", "zstd")


@pytest.mark.parametrize("zeros", [1, 511, 200_000])
def test_zero_bytes_behind_a_gzip_member_are_padding(tmp_path: Path, zeros: int) -> None:
    """Tapes and block devices fill the last block up; a member may follow the padding."""
    one, padding, path = gzip.compress(b"one\n"), b"\0" * zeros, tmp_path / "log.gz"
    for content, plain in (
        (one + padding, b"one\n"),
        (one + padding + gzip.compress(b"two\n") + padding, b"one\ntwo\n"),
    ):
        path.write_bytes(content)
        assert store.read(str(path)) == plain


@pytest.mark.parametrize("compress", [gzip.compress, zstandard.compress])
def test_a_file_that_was_cut_yields_what_can_be_read_and_then_says_so(
    tmp_path: Path, compress: Callable[[bytes], bytes]
) -> None:
    random = Random(3)
    content = b"".join(b"%d\n" % random.getrandbits(200) for _ in range(20_000))
    (tmp_path / "cut").write_bytes(compress(content)[:-100])
    with store.opened(str(tmp_path / "cut"), store.codec_of((tmp_path / "cut").read_bytes())) as file:
        found = b""
        with pytest.raises(EOFError):
            while True:
                found += file.read(1000) or pytest.fail("the end was not noticed")
    assert len(found) > len(content) // 2 and content.startswith(found)


def test_an_endless_expansion_ends_in_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compression, "RATIO_FREE", 1 << 20)
    (tmp_path / "bomb").write_bytes(gzip.compress(b"0" * (8 << 20)))
    content = (tmp_path / "bomb").read_bytes()
    with pytest.raises(store.ExpansionError), store.opened(str(tmp_path / "bomb"), store.codec_of(content)) as file:
        file.read()
    with pytest.raises(InputError, match="damaged"):
        store.read(str(tmp_path / "bomb"))


@pytest.mark.parametrize("compress", [gzip.compress, zstandard.compress])
def test_a_small_file_that_was_cut_is_one_sentence(tmp_path: Path, compress: Callable[[bytes], bytes]) -> None:
    (tmp_path / "cut").write_bytes(compress(bytes(range(256)))[:-9])
    with pytest.raises(InputError, match=r"cut: this (gzip|zstd) file is damaged, or was cut"):
        store.read(str(tmp_path / "cut"))


def test_what_is_written_is_there_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "sub" / "file"
    store.write(str(target), b"first")

    def fails(self: Path, target: Path) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(Path, "replace", fails)
    with pytest.raises(OSError, match="disk full"):
        store.write(str(target), b"second")
    assert target.read_bytes() == b"first"
    assert [file.name for file in target.parent.iterdir()] == ["file"], "nothing is left of what was not written"


def test_object_stores_are_written_by_one_call() -> None:
    store.write("memory://bucket/a/b", b"x")
    assert store.read("memory://bucket/a/b") == b"x"
    assert store.names("memory://bucket/a") == ["b"]
    store.move("memory://bucket/a/b", "memory://bucket/c")
    assert (store.exists("memory://bucket/a/b"), store.read("memory://bucket/c")) == (False, b"x")


def test_a_folder_belongs_to_one_run_at_a_time(tmp_path: Path) -> None:
    folder = str(tmp_path / "out")
    with store.exclusive(folder), pytest.raises(ConfigurationError, match="another run"), store.exclusive(folder):
        pass
    with store.exclusive(folder):
        pass


def test_cells_that_a_spreadsheet_would_run_get_an_apostrophe(tmp_path: Path) -> None:
    values = ["=cmd()", "+1", "-1", "@x", "plain", None, 'a"b', "\t=x"]
    table = pa.table({"model": pa.array(values, pa.string()), "rate": pa.array([-1.5] * len(values))})
    with store.csv_pieces(str(tmp_path / "t.csv"), table.schema) as write_lines:
        write_lines(table)
    cells = [line.split(",")[0] for line in (tmp_path / "t.csv").read_text().splitlines()[1:]]
    assert cells == ['"\'=cmd()"', '"\'+1"', '"\'-1"', '"\'@x"', '"plain"', "", '"a""b"', '"\'\t=x"']
    assert "-1.5" in (tmp_path / "t.csv").read_text()


def test_equal_tables_give_equal_bytes() -> None:
    table = pa.table({"a": pa.array(["x", "y", "x"]).dictionary_encode()})
    assert store.parquet_bytes(table) == store.parquet_bytes(
        pa.table({"a": pa.array(["x", "y", "x"]).dictionary_encode()})
    )

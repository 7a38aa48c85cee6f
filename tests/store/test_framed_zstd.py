"""Files of the OpenTelemetry collector with `compression: zstd`: each message compressed by itself, its size in four bytes before it."""

from pathlib import Path

import pytest
import zstandard

from pipelines import store


def framed(*messages: bytes) -> bytes:
    buffers = [zstandard.ZstdCompressor().compress(message) for message in messages]
    return b"".join(len(buffer).to_bytes(4, "big") + buffer for buffer in buffers)


def test_each_message_is_a_line(tmp_path: Path) -> None:
    long = b'{"resourceSpans": "' + b"x" * 700_000 + b'"}'
    (tmp_path / "traces").write_bytes(framed(b'{"resourceSpans": []}', long))
    path = str(tmp_path / "traces")
    assert store.head(path, 12) == (b'{"resourceSp', "framed_zstd")
    with store.opened(path, "framed_zstd") as file:
        assert file.read() == b'{"resourceSpans": []}\n' + long + b"\n"


@pytest.mark.parametrize("lost", [1, 6, 20])
def test_what_stands_before_a_cut_is_read(tmp_path: Path, lost: int) -> None:
    (tmp_path / "traces").write_bytes(framed(b'{"a": 1}', b'{"b": 2}')[:-lost])
    path = str(tmp_path / "traces")
    assert store.head(path, 100) == (b'{"a": 1}\n', "framed_zstd")
    with store.opened(path, "framed_zstd") as file, pytest.raises(store.DAMAGE):
        file.read()

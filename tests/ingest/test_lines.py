"""Blocks hold every line exactly once, however the file is cut into ranges and whatever its lines end with."""

import io
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.ingest import lines as module
from pipelines.ingest.lines import BLOCK, blocks


def read(content: bytes, start: int = 0, end: int | None = None) -> list[bytes]:
    found = []
    for block in blocks(io.BytesIO(content), start, end):
        text = bytes(block.buffer[: block.size])
        found += ["too long"] if block.too_long else text.splitlines(keepends=True)  # type: ignore[list-item]
    return found


@given(
    st.lists(st.binary(max_size=9).map(lambda line: line.replace(b"\n", b"").replace(b"\r", b"")), max_size=12),
    st.data(),
)
def test_touching_ranges_share_no_line_and_lose_none(parts: list[bytes], data: st.DataObject) -> None:
    content = b"\n".join(parts)
    borders = sorted({0, len(content), *data.draw(st.lists(st.integers(0, len(content)), max_size=5))})
    found = [line for start, end in pairwise(borders) for line in read(content, start, end)]
    assert b"".join(found) == content
    assert found == io.BytesIO(content).readlines()


@pytest.mark.parametrize("size", [BLOCK - 2, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK])
def test_lines_longer_than_the_buffer_come_whole(size: int) -> None:
    content = b"a\n" + b"x" * size + b"\nb"
    assert read(content) == [b"a\n", b"x" * size + b"\n", b"b"]
    assert read(content, 1, 3) == [b"x" * size + b"\n"]


def test_a_line_beyond_the_limit_is_passed_over_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LONGEST_LINE", 2 * BLOCK)
    content = b"a\n" + b"x" * (5 * BLOCK) + b"\nb\n" + b"y" * (4 * BLOCK)
    assert read(content) == [b"a\n", "too long", b"b\n", "too long"]

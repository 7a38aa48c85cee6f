"""Rows of CSV and lines of text end where the file says so, whatever else a cell or a line holds, and however long they are."""

import csv
import io

import pytest

from pipelines.formats.format import Rejected
from pipelines.ingest import lines as limits
from pipelines.ingest.lines import BLOCK
from pipelines.ingest.rows import csv_rows, text_lines

ODD = ("a\u2028b", "a\u2029b", "a\u0085b", "a\x0cb", "a\x0bb", "a\x1cb")
"""What Python's str.splitlines takes for the end of a line."""
REJECTED = Rejected("line_too_long", "more than 16777216 bytes")


@pytest.mark.parametrize("cell", ODD)
def test_a_cell_or_a_line_may_hold_what_looks_like_an_end(cell: str) -> None:
    assert list(csv_rows(io.BytesIO(f"id,text\n1,{cell}\n2,x\n".encode()))) == [
        {"id": "1", "text": cell},
        {"id": "2", "text": "x"},
    ]
    assert list(text_lines(io.BytesIO(f"{cell}\nx\n".encode()))) == [cell, "x"]


def test_ends_of_lines() -> None:
    assert list(text_lines(io.BytesIO(b"a\r\n\r\n \nb\rc\n\nd"))) == ["a", None, None, "b\rc", None, "d"]
    expected = [{"a": "1", "b": "2\r\n3\n4"}, {"a": "5", "b": "6"}]
    assert list(csv_rows(io.BytesIO(b'\xef\xbb\xbfa,b\r\n1,"2\r\n3\n4"\r\n5,6'))) == expected
    assert list(csv_rows(io.BytesIO(b"a,b\r1,2\r"))) == [{"a": "1", "b": "2"}]


def test_a_row_that_is_broken_costs_itself_only() -> None:
    found = list(csv_rows(io.BytesIO(b'a,b\n1,2\n3\n4,"5"6\n7,8\n')))
    assert [row if isinstance(row, dict) else row.code for row in found] == [
        {"a": "1", "b": "2"},
        "invalid_csv",
        "invalid_csv",
        {"a": "7", "b": "8"},
    ]


@pytest.mark.parametrize("length", [10, BLOCK - 8, BLOCK, 3 * BLOCK])
def test_a_cell_as_long_as_several_blocks_comes_whole(length: int) -> None:
    cell = "ä" * length
    assert list(csv_rows(io.BytesIO(f'a,b\n1,"{cell}"\n2,x\n'.encode()))) == [
        {"a": "1", "b": cell},
        {"a": "2", "b": "x"},
    ]


def test_a_line_beyond_the_limit_is_a_reject(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "LONGEST_LINE", 2 * BLOCK)
    long = b"x" * (5 * BLOCK)
    assert list(csv_rows(io.BytesIO(b"a,b\n1,2\n3," + long + b"\n5,6\n"))) == [
        {"a": "1", "b": "2"},
        REJECTED,
        {"a": "5", "b": "6"},
    ]
    assert list(csv_rows(io.BytesIO(b'a,b\n1,"2\n' + long + b"\n5,6\n"))) == [REJECTED, {"a": "5", "b": "6"}]
    assert list(text_lines(io.BytesIO(b"a\n" + long + b"\nb\n"))) == ["a", REJECTED, "b"]


def test_the_limit_of_other_readers_of_csv_stays_as_it_was() -> None:
    before = csv.field_size_limit()
    assert len(list(csv_rows(io.BytesIO(b"a,b\n1," + b"x" * (before + 1) + b"\n")))) == 1
    assert csv.field_size_limit() == before

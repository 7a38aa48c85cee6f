"""Framing is told by content: JSON lines, values, SSE, CSV, text lines, Parquet, nothing."""

import json

import pytest

from pipelines.plan.framing import framing_of
from tests import gateway_rows

ROW = json.dumps(gateway_rows.payload(1))
FILES = {
    "lines": (ROW + "\n" + ROW + "\n", "lines", 2),
    "one object without an end of line": (ROW, "lines", 1),
    "lines with blanks and a broken one": ("\n\n" + ROW + "\n{broken\n" + ROW + "\n", "lines", 2),
    "byte order mark": ("\ufeff" + ROW + "\n", "lines", 1),
    "array": (json.dumps([gateway_rows.payload(1), gateway_rows.payload(2)]), "values", 2),
    "pretty object": (json.dumps(gateway_rows.payload(1), indent=2), "values", 1),
    "pretty array": (json.dumps([gateway_rows.payload(1)], indent=2), "values", 1),
    "concatenated": (ROW + ROW, "values", 2),
    "arrays a line": (f"[{ROW}]\n[{ROW}]\n", "values", 2),
    "sequence": (f"\x1e{ROW}\n\x1e{ROW}\n", "values", 2),
    "sequence of one": (f"\x1e{ROW}\n", "values", 1),
    "sequence of pretty objects": ("\n\x1e" + json.dumps(gateway_rows.payload(1), indent=2) + "\n", "values", 1),
    "separators before text": ("\x1eINFO started\n\x1eINFO another\n", "text", 2),
    "chat stream behind comments": (":keep-alive\n\n" * 999 + 'data: {"choices": []}\n\n', "sse", 1),
    "chat stream": (
        'data: {"id": "x", "object": "chat.completion.chunk", "choices": []}\n\ndata: [DONE]\n\n',
        "sse",
        1,
    ),
    "stream with events": (
        'event: message_start\ndata: {"type": "message_start", "message": {"id": "m"}}\n\n',
        "sse",
        1,
    ),
    "text log": ("[2026-11-30 12:00:00] INFO started\nINFO 11-30 another line\n", "text", 2),
    "readme": ("# Logs\n\nHere are, for example, the logs.\n", "text", 2),
    "csv": ('id,type,input,output\n1,GENERATION,a,"b, c"\n2,SPAN,,\n', "csv", 2),
    "only blanks": ("\n \n\n", "lines", 0),
    "empty": ("", "empty", 0),
}


@pytest.mark.parametrize(("text", "framing", "items"), FILES.values(), ids=FILES)
def test_framing(text: str, framing: str, items: int) -> None:
    found, first = framing_of(text.encode(), whole=True)
    assert (found, len(first)) == (framing, items)


def test_a_cut_last_line_does_not_decide() -> None:
    assert framing_of((ROW + "\n" + ROW[:50]).encode(), whole=False)[0] == "lines"


def test_parquet_is_known_by_its_first_bytes() -> None:
    assert framing_of(b"PAR1\x15\x04", whole=False)[0] == "parquet"

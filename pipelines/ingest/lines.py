"""Lines of a file in blocks that end at a line's end, read into one buffer that is used again and again.

A line belongs to the byte range that holds its first byte, so ranges that touch share no line and lose none. A line longer than
LONGEST_LINE is never held: a block that says so stands for it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

BLOCK = 256 << 10
LONGEST_LINE = 16 << 20


@dataclass(frozen=True, slots=True)
class Block:
    """Whole lines: `buffer[:size]`, valid until the next block is asked for. `too_long`: instead of them, one line was passed over."""

    buffer: bytearray
    size: int
    too_long: bool = False


def blocks(file: IO[bytes], start: int = 0, end: int | None = None) -> Iterator[Block]:
    """Blocks with exactly the lines whose first byte lies in [start, end); `end` None: to the end of the file."""
    position = max(0, start - 1)
    if start:
        file.seek(position)
    buffer, held, passing = bytearray(BLOCK), 0, start > 0
    while end is None or position < end:
        if held == len(buffer):
            if held < LONGEST_LINE:
                buffer = buffer + bytes(len(buffer))
            else:
                yield Block(buffer, 0, too_long=True)
                position, held, passing = position + held, 0, True
        count = file.readinto(memoryview(buffer)[held:])  # type: ignore[attr-defined]
        held += count
        if passing:
            whole = buffer.find(b"\n", 0, held) + 1
            passing = not whole
            whole = whole or held
        else:
            whole = buffer.rfind(b"\n", 0, held) + 1 if count else held
            if end is not None and position + whole > end:
                whole = buffer.find(b"\n", end - 1 - position, held) + 1 or whole
            if whole:
                yield Block(buffer, whole)
        if not count:
            return
        held -= whole
        buffer[:held] = buffer[whole : whole + held]
        position += whole

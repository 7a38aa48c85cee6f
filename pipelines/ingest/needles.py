"""Whether a needle may stand in a raw log line, in whatever way a JSON writer has spelled it.

Two questions, so that the usual line costs nothing: `heads` asks a whole block at once where two or three bytes stand that every
needle holds (vector instructions, 15 GB/s measured 2026-11-30; all spellings at once would run at 0.3 GB/s); `stands_in` then undoes
the escapes around such a place (`\\u003c`, `\\/`, `\\uff5c`, doubled inside JSON strings) and looks for the needles themselves.
The answer is a superset: a needle in the decoded text is always found, and an escape that no known writer makes counts as found.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise

import ahocorasick_rs

from pipelines.ingest.spelling import hexadecimal
from pipelines.ingest.usual import USUAL

HEADS_PER_SCAN = 24
"""Beside four that stand in no JSON text: with them there are too many rare bytes to search for one of those, which is slower."""
LONGEST_SPELLING = 10
"""Bytes of one character in a JSON string inside two more: four backslashes and `u003c`, rounded up."""
LONGEST_HEAD = 8
_WORD = 5
_ALONE = "<>"
"""So rare outside code that one of them is a head by itself."""
_MARKS = "|[](){}*&#~=`"
QUOTE = "\x02"
"""Stands for a quote inside a JSON string: a bare quote is JSON's own and in no text."""
_ESCAPES = (
    ("\\u0022", QUOTE),
    *((f"\\u{code:04x}", chr(code)) for code in (0x26, 0x27, 0x2B, 0x2F, 0x3C, 0x3D, 0x3E, 0x60)),
    ("\\/", "/"),
    ('\\"', QUOTE),
    ("\\n", "\n"),
    ("\\t", "\t"),
    ("\\r", "\r"),
)
"""ASCII characters that some writer escapes: Python, Go, Rails, Gson, .NET, PHP with and without JSON_HEX_*."""
UNKNOWN_ESCAPES = tuple(f"\\u00{digit}".encode() for digit in "234567")


@dataclass(frozen=True)
class Needles:
    """The two questions, built once in each process."""

    heads: Callable[[memoryview], list[int]]
    """Offsets in a block where a head of a needle begins, sorted."""
    stands_in: Callable[[memoryview, list[int]], bool]
    """Whether a needle may stand in a line, given the offsets of the heads in it."""


def prepare(needles: Iterable[str]) -> Needles:
    """The two questions for these needles."""
    wanted = tuple(sorted({needle for needle in needles if needle}))
    unescape = unescaper(wanted)
    spelled = {spelling for head in choose_heads(wanted) for spelling in _spellings(head)} | {b"\\u00"}
    first = sorted(one for one in spelled if not any(other != one and other in one for other in spelled))
    scans = [_scan(group) for group in _groups(first)]
    patterns = sorted({unescape(in_string(needle)) for needle in wanted} | set(UNKNOWN_ESCAPES))
    find = ahocorasick_rs.BytesAhoCorasick(patterns).find_matches_as_indexes
    reach = LONGEST_SPELLING * max(map(len, wanted), default=1)

    def heads(block: memoryview) -> list[int]:
        return sorted(start for scan in scans for _, start, _ in scan(block))

    def stands_in(line: memoryview, starts: list[int]) -> bool:
        done = 0
        for start in starts:
            if start + reach > done:
                window = line[max(0, start - reach) : start + 2 * reach].tobytes()
                if find(unescape(window) if b"\\" in window else window):
                    return True
                done = start + 2 * reach
        return False

    return Needles(heads, stands_in)


def _groups(first: list[bytes]) -> list[list[bytes]]:
    """Heads that are searched for together: those of one length, and not too many, since the shortest and the number set the pace."""
    groups = [[head for head in first if len(head) == 1]]
    for longer, size in ((False, 2), (False, 3), (True, 4)):
        alike = [head for head in first if len(head) == size or (longer and len(head) > size)]
        steady = [bytes(range(at, at + size)) for at in (1, 9, 17, 25)]
        groups += [alike[at : at + HEADS_PER_SCAN] + steady for at in range(0, len(alike), HEADS_PER_SCAN)]
    return [group for group in groups if group]


def _scan(heads: list[bytes]) -> Callable[[memoryview], list[tuple[int, int, int]]]:
    """The vector path exists only for leftmost matches; heads that another one hides lie inside the window around that one."""
    automaton = ahocorasick_rs.BytesAhoCorasick(heads, matchkind=ahocorasick_rs.MatchKind.LeftmostFirst)
    return automaton.find_matches_as_indexes


def choose_heads(needles: tuple[str, ...]) -> list[str]:
    """Substrings that are rare in logs, such that each needle holds one; those that serve many needles first."""
    chosen = sorted({sign for needle in needles for sign in needle if sign in _ALONE or not sign.isascii()})
    waiting = {needle for needle in needles if not any(sign in needle for sign in chosen)}
    parts = {needle: _rare_parts(needle) for needle in waiting}
    while waiting:
        count = Counter(part for needle in waiting for part in parts[needle])
        chosen.append(min(count, key=lambda part: (-count[part], part)))
        waiting = {needle for needle in waiting if chosen[-1] not in parts[needle]}
    return chosen


def in_string(needle: str) -> bytes:
    """The needle as it stands in an unescaped JSON string."""
    return needle.replace('"', QUOTE).encode()


def _rare_parts(needle: str) -> set[str]:
    """Parts that no usual line holds: two signs where one is a mark or the case changes, else a piece of a word."""
    parts = {needle[start:end] for start in range(len(needle)) for end in range(start + 2, start + LONGEST_HEAD)}
    rare = {
        part
        for part in parts
        if (len(part) >= _WORD or _is_odd(part)) and part.replace('"', '\\"').replace("\n", "\\n") not in USUAL
    }
    return rare or {needle}


def _is_odd(part: str) -> bool:
    return any(sign in _MARKS for sign in part) or any(
        one.islower() and other.isupper() for one, other in pairwise(part)
    )


def _spellings(head: str) -> set[bytes]:
    """A head as writers spell it; `\\u00…` is a head of its own and covers every spelling that holds one."""
    escaped = (
        head.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t").replace("\r", "\\r")
    )
    plain = {escaped, escaped.replace("/", "\\/")}
    found = plain | {_ascii(one, upper) for one in plain for upper in (False, True)}
    for _ in range(2):
        found |= {one.replace("\\", "\\\\") for one in found}
    return {one.encode() for one in found}


def _ascii(text: str, upper: bool) -> str:
    return "".join(sign if sign.isascii() else hexadecimal(sign, upper) for sign in text)


def unescaper(needles: tuple[str, ...]) -> Callable[[bytes], bytes]:
    """A function that undoes the escapes of some raw JSON, as far as the needles' characters need it."""
    foreign = {sign for needle in needles for sign in needle if not sign.isascii()}
    escapes = [*_ESCAPES, *((hexadecimal(sign, False), sign) for sign in foreign)]
    short = [(code.encode(), sign.encode()) for code, sign in escapes if not code.startswith("\\u")]
    long = [(code.encode(), sign.encode()) for code, sign in escapes if code.startswith("\\u")]
    long += [(b"\\u" + code[2:].upper(), sign) for code, sign in long]

    def unescape(raw: bytes) -> bytes:
        if b"\\\\" in raw:
            for _ in range(3):
                raw = raw.replace(b"\\\\", b"\\")
        for code, sign in short:
            raw = raw.replace(code, sign)
        if b"\\u" in raw:
            for code, sign in long:
                raw = raw.replace(code, sign)
        return raw

    return unescape

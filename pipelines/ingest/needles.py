"""Whether a needle may stand in a raw log line, in whatever way a JSON writer has spelled it.

Two questions, so that the usual line costs nothing: `heads` asks a whole block at once where two or three bytes stand that every
needle holds (vector instructions, 15 GB/s measured 2026-11-30; all spellings at once would run at 0.3 GB/s); `stands_in` then undoes
the escapes around such a place (`\\u003c`, `\\/`, `\\uff5c`, doubled inside JSON strings) and looks for the needles themselves.
The answer is a superset: a needle in the decoded text is always found, and an escape that no known writer makes counts as found.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import ahocorasick_rs

HEADS_PER_SCAN = 16
_STEADY = [b"\x01\x02", b"\x03\x04", b"\x05\x06", b"\x07\x08"]
"""Never in a JSON text. With them an automaton has too many rare bytes to search for one of those, which is slower than all at once."""
LONGEST_SPELLING = 10
"""Bytes of one character in a JSON string inside two more: four backslashes and `u003c`, rounded up."""
_RARE_ENOUGH = 2e-5
_FREQUENCY = {
    " ": 0.12,
    '"': 0.06,
    ":": 0.02,
    ",": 0.02,
    "_": 0.01,
    "{": 0.01,
    "}": 0.01,
    "<": 5e-4,
    ">": 5e-4,
    "|": 2e-4,
}
_USUAL = (
    '{"id": "chatcmpl-", "trace_id": "", "call_type": "acompletion", "cache_hit": null, "stream": true, "status": "success", '
    '"model": "", "metadata": {"user_api_key_hash": "user_agent": "python-httpx/", "requester_metadata": {}}, "total_tokens": 1, '
    '"messages": [{"role": "system", "content": "You are a helpful assistant."}, {"role": "user", "content": "what is the final '
    'analysis of this message and its commentary, how would you start or end a thought, call a tool, or give an answer?"}, '
    '"response": {"choices": [{"finish_reason": "stop", "index": 0, "message": {"tool_calls": [{"function": {"arguments": "{}", '
    '"name": "", "parameters": {"type": "object", "properties": {}}}, "type": "function"}], "function_call": null, '
    '"reasoning_content": "reasoning thinking think", "provider_specific_fields": {}}, "logprobs": null}], "usage": {}}, '
    '"model_parameters": {"tools": [], "tool_choice": "auto", "response_format": {"type": "json_schema"}}, "hidden_params": {}}'
)
"""What every row holds anyway: a head from it would stop at every line."""
_ESCAPES = (
    *((f"\\u{code:04x}", chr(code)) for code in (0x22, 0x26, 0x27, 0x2B, 0x2F, 0x3C, 0x3D, 0x3E, 0x60)),
    ("\\/", "/"),
    ('\\"', '"'),
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
    patterns = sorted({unescape(needle.encode()) for needle in wanted} | set(UNKNOWN_ESCAPES))
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
    tags = [head for head in first if head.startswith(b"<")]
    others = [head for head in first if not head.startswith(b"<")]
    groups = [others[at : at + HEADS_PER_SCAN] + _STEADY for at in range(0, len(others), HEADS_PER_SCAN)]
    return [tags, *groups] if tags else groups


def _scan(heads: list[bytes]) -> Callable[[memoryview], list[tuple[int, int, int]]]:
    """The vector path exists only for leftmost matches; heads that another one hides lie inside the window around that one."""
    automaton = ahocorasick_rs.BytesAhoCorasick(heads, matchkind=ahocorasick_rs.MatchKind.LeftmostFirst)
    return automaton.find_matches_as_indexes


def choose_heads(needles: tuple[str, ...]) -> list[str]:
    """Substrings that are rare in logs, such that each needle holds one; those that serve many needles first."""
    waiting, chosen = set(needles), []
    parts = {needle: _rare_parts(needle) for needle in needles}
    while waiting:
        count = Counter(part for needle in waiting for part in parts[needle])
        chosen.append(min(count, key=lambda part: (-count[part], part)))
        waiting = {needle for needle in waiting if chosen[-1] not in parts[needle]}
    return chosen


def _rare_parts(needle: str) -> set[str]:
    for size in range(2, len(needle) + 1):
        found = {needle[start : start + size] for start in range(len(needle) - size + 1)}
        if rare := {part for part in found if part not in _USUAL and _frequency(part) < _RARE_ENOUGH}:
            return rare
    return {needle}


def _frequency(part: str) -> float:
    product = 1.0
    for sign in part:
        usual = 0.03 if sign.islower() else 0.003 if sign.isascii() else 5e-5
        product *= _FREQUENCY.get(sign, usual)
    return product


def _spellings(head: str) -> set[bytes]:
    """A head as writers spell it; `\\u00…` is a head of its own and covers every spelling that holds one."""
    plain = {head, head.replace('"', '\\"'), head.replace("/", "\\/")}
    plain |= {head.replace("\n", "\\n").replace("\t", "\\t").replace("\r", "\\r").replace('"', '\\"')}
    ascii_only = {_hexadecimal(one, upper) for one in plain for upper in (False, True)}
    found = plain | ascii_only
    for _ in range(2):
        found |= {one.replace("\\", "\\\\").replace('"', '\\"') for one in found}
    return {one.encode() for one in found}


def _hexadecimal(text: str, upper: bool) -> str:
    units = text.encode("utf-16-be")
    signs = []
    for unit in (int.from_bytes(units[at : at + 2]) for at in range(0, len(units), 2)):
        signs.append(chr(unit) if unit < 127 else f"\\u{unit:04X}" if upper else f"\\u{unit:04x}")
    return "".join(signs)


def unescaper(needles: tuple[str, ...]) -> Callable[[bytes], bytes]:
    """A function that undoes the escapes of some raw JSON, as far as the needles' characters need it."""
    foreign = {sign for needle in needles for sign in needle if not sign.isascii()}
    escapes = [*_ESCAPES, *((_hexadecimal(sign, False), sign) for sign in foreign)]
    pairs = [(code.encode(), sign.encode()) for code, sign in escapes]
    pairs += [
        (code.replace("u", "U").upper().replace("U", "u").encode(), sign.encode())
        for code, sign in escapes
        if code.startswith("\\u")
    ]

    def unescape(raw: bytes) -> bytes:
        for _ in range(3):
            raw = raw.replace(b"\\\\", b"\\")
        for code, sign in pairs:
            raw = raw.replace(code, sign)
        return raw

    return unescape

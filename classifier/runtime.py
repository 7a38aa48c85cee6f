"""Scores of one text from a released model folder: one file, standard library only, free to be vendored.

    model = Model("models/leakrate-1.0")
    model.scores("Okay, the user wants a short answer. ...")  -> {"preamble": 0.01, "reasoning_leak": 0.99}
    model.predict("Let me check that. ...", tools="offered")  -> {"label": "preamble", "tier": "likely", ...}

The folder's contract, step by step and with every constant, is in `classifier/README.md`. Everything a text is judged by
is decided in `Extractor`, which training and batch scoring use as well. Time is linear in the part of the text that is
looked at (the first 1,200 and the last 400 code points); nothing here can backtrack.
"""

import hashlib
import json
import math
import struct
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from operator import itemgetter
from pathlib import Path
from typing import Any, TypedDict

FORMAT = 1
LABELS = ("preamble", "reasoning_leak")
TOOLS = ("unknown", "offered", "called")
TIERS = ("certain", "likely", "possible")

RAW, BODY, HEAD, START, GRAMS, TAIL, LONG = 1200, 1000, 200, 40, 400, 400, 1600
"""Code points: taken from the text, kept after normalising, four views of that, the last part of texts longer than LONG."""
SIZES = (3, 4, 5)
BUCKETS = 65536
MULTIPLIERS = (10007, 4517, 12713, 7331, 9241)
"""Odd, and small enough that five products of 16-bit numbers stay below 2^32, so one big integer holds all windows."""
SALTS = {3: 0, 4: 21023, 5: 44111}
_LANE = int.from_bytes(b"\xff\xff\x00\x00" * (4 * BODY), "little")
_FOLDED = bytes.maketrans(b'0123456789\r\t\x0b\x0c()[]*_`">', b"0000000000             ")
_QUOTES = (("’", "'"), ("‘", "'"), ("“", " "), ("”", " "), ("«", " "), ("»", " "))


class ModelError(Exception):
    """A folder that must not be used; the sentence says what is wrong with it."""


class Prediction(TypedDict):
    """`label` is shown: None unless the tier is certain or likely. `raw_label` may also be "clean"."""

    label: str | None
    raw_label: str
    score: float
    tier: str | None
    reason: str


def normalise(text: str) -> str:
    """`text` in lower case, digits as 0, brackets, emphasis and double quotes as spaces, one space between words, " \\n "
    between lines that are not empty, and a space at both ends."""
    folded = text.encode("utf-8", "surrogatepass").translate(_FOLDED).decode("utf-8", "surrogatepass").lower()
    if not folded.isascii():
        for quote, plain in _QUOTES:
            folded = folded.replace(quote, plain)
    lines = [" ".join(line.split()) for line in folded.split("\n")]
    return " " + " \n ".join([line for line in lines if line]) + " "


def windows(text: str, sizes: Iterable[int]) -> dict[int, Sequence[int]]:
    """Size → the bucket of every window of that many code points, in order; one big-integer product per offset.

    bucket(i) = Σ_k (code point[i + k] & 0xFFFF) · MULTIPLIERS[k]  mod 65536.
    """
    lanes = int.from_bytes(text.encode("utf-32-le", "surrogatepass"), "little") & _LANE
    length, total, wanted = len(text), 0, set(sizes)
    result: dict[int, Sequence[int]] = {}
    for offset in range(max(wanted)):
        total += (lanes >> (32 * offset)) * MULTIPLIERS[offset]
        size = offset + 1
        if size in wanted:
            count = max(length - size + 1, 0)
            data = total.to_bytes(4 * length + 4, "little")
            result[size] = struct.unpack(f"<{2 * count}H", data[: 4 * count])[::2]
    return result


def script_of(text: str) -> str:
    """The script group of the first 64 letters: latin, cjk, hangul, cyrillic, arabic, devanagari or other."""
    if text[:RAW].isascii():
        return "latin"
    counts = Counter(map(_script, islice(filter(str.isalpha, text[:RAW]), 64)))
    return counts.most_common(1)[0][0] if counts else "latin"


def _script(letter: str) -> str:
    point = ord(letter)
    if point < 0x250 or 0x1E00 <= point < 0x1F00:
        return "latin"
    for name, low, high in _RANGES:
        if low <= point < high:
            return name
    return "other"


_RANGES = (
    ("cyrillic", 0x400, 0x530),
    ("arabic", 0x600, 0x780),
    ("devanagari", 0x900, 0x980),
    ("hangul", 0x1100, 0x1200),
    ("cjk", 0x2E80, 0x3130),
    ("hangul", 0x3130, 0x3190),
    ("cjk", 0x3190, 0xA000),
    ("hangul", 0xAC00, 0xD7B0),
    ("cjk", 0xF900, 0xFB00),
    ("cjk", 0xFF66, 0xFFA0),
    ("cjk", 0x20000, 0x32000),
)


class Extractor:
    """What a text is judged by, from the `languages` of a model: phrase columns, shape columns, n-gram buckets."""

    def __init__(self, languages: dict[str, Any], stances: dict[str, str]) -> None:
        self.stances = stances
        self.gated: list[tuple[int, int]] = []
        """(language, marker group) of the languages that must be present to be matched."""
        self.patterns: dict[int, list[tuple[str, int, tuple[tuple[int, int], ...]]]] = {}
        """First group → (family, language, further (gap, group)s)."""
        literals: dict[str, list[tuple[int, int]]] = {}
        groups: dict[tuple[str, str], int] = {}
        for number, (language, facts) in enumerate(sorted(languages.items())):
            for name in ["", *sorted(facts["groups"])]:
                group = groups[language, name] = len(groups)
                for literal in facts["groups"][name] if name else facts["markers"]:
                    literals.setdefault(literal, []).append((group, -1 if not name else number))
            if facts["markers"]:
                self.gated.append((number, groups[language, ""]))
            for family, (first, *rest) in facts["patterns"]:
                steps = tuple((rest[at], groups[language, rest[at + 1]]) for at in range(0, len(rest), 2))
                self.patterns.setdefault(groups[language, first], []).append((family, number, steps))
        self.anchors = _anchored(literals)

    def columns(self, text: str, tools: str | None = None) -> set[str]:
        """Names of the columns that are 1 for `text`."""
        return self.look(text, tools)[0]

    def look(self, text: str, tools: str | None = None) -> tuple[set[str], dict[int, set[int]]]:
        """(names of the columns that are 1, window size → buckets present in the first 400 normalised characters)."""
        raw = text.strip()
        opening = normalise(raw[:RAW])[:BODY]
        sizes = SIZES if opening.isascii() else (1, 2, *SIZES)
        buckets = windows(opening, sizes)
        columns = shape(raw, opening)
        self._judge(self._families(opening, buckets), columns)
        if len(raw) > LONG:
            tail = normalise(raw[-TAIL:])[:BODY]
            columns.update(f"{family}@tail" for family in self._families(tail, windows(tail, (1, 2, 3, 4))))
        if tools in ("offered", "called"):
            columns.add(f"tools@{tools}")
        return columns, {size: set(buckets[size][: GRAMS - size + 1]) for size in SIZES}

    def _families(self, text: str, buckets: dict[int, Sequence[int]]) -> dict[str, set[int]]:
        """Family → positions at which one of its patterns begins."""
        candidates: list[tuple[str, list[tuple[int, int]]]] = []
        for size, anchors in self.anchors.items():
            for bucket in anchors.keys() & set(buckets.get(size, ())):
                candidates += anchors[bucket]
        events = _events(text, candidates, self._active(text, candidates))
        families: dict[str, set[int]] = {}
        for group in events.keys() & self.patterns.keys():
            for family, _, steps in self.patterns[group]:
                begins = _begins(events, group, steps) if steps else [start for start, _ in events[group]]
                if begins:
                    families.setdefault(family, set()).update(begins)
        return families

    def _active(self, text: str, candidates: list[tuple[str, list[tuple[int, int]]]]) -> set[int]:
        """Languages that are matched: those without markers, and those with at least a quarter of the most markers."""
        marks: Counter[int] = Counter()
        for literal, owners in candidates:
            for group, language in owners:
                if language < 0:
                    marks[group] += text.count(literal)
        most = max(marks.values(), default=0)
        gated = {language for language, group in self.gated if 4 * marks[group] < most or (most and not marks[group])}
        return set(range(len(self.gated) + 64)) - gated

    def _judge(self, families: dict[str, set[int]], columns: set[str]) -> None:
        stances: Counter[str] = Counter()
        for family, begins in families.items():
            count, first = len(begins), min(begins)
            columns.add(f"{family}@body")
            stances[self.stances.get(family, "")] += 1
            columns.update(f"{family}@{least}" for least in (2, 3, 5, 8) if count >= least)
            columns.update(f"{family}@{name}" for name, end in (("start", START), ("head", HEAD)) if first < end)
        held = sorted(families)
        columns.update([f"{first}+{second}" for place, first in enumerate(held) for second in held[place + 1 :]])
        for stance, count in stances.items():
            columns.update(f"{stance}>={least}" for least in range(2, min(count, 10) + 1))


def _anchored(literals: dict[str, list[tuple[int, int]]]) -> dict[int, dict[int, list[Any]]]:
    """Window size → bucket → literals that hold this window: each under the one that fewest literals hold."""
    grams = {literal: windows(literal, (min(len(literal), 4),)) for literal in literals}
    common = Counter((size, bucket) for held in grams.values() for size, all_ in held.items() for bucket in set(all_))
    anchors: dict[int, dict[int, list[Any]]] = {4: {}, 3: {}, 2: {}, 1: {}}
    for literal, held in grams.items():
        ((size, buckets),) = held.items()
        rarest = min(buckets, key=lambda bucket: common[size, bucket])
        anchors[size].setdefault(rarest, []).append((literal, literals[literal]))
    return anchors


def _events(text: str, candidates: list[Any], active: set[int]) -> dict[int, list[tuple[int, int]]]:
    """Group → (start, end) of every occurrence of its literals, in order."""
    events: dict[int, list[tuple[int, int]]] = {}
    for literal, owners in candidates:
        groups = [group for group, language in owners if language in active]
        start = text.find(literal) if groups else -1
        while start >= 0:
            for group in groups:
                events.setdefault(group, []).append((start, start + len(literal)))
            start = text.find(literal, start + 1)
    for found in events.values():
        found.sort()
    return events


def _begins(events: dict[int, list[tuple[int, int]]], first: int, steps: tuple[tuple[int, int], ...]) -> list[int]:
    """Starts of `first` from which every further group follows, each taken at its first start within the gap."""
    begins = []
    for start, end in events[first]:
        for gap, group in steps:
            following = next((event for event in events.get(group, ()) if end - 1 <= event[0]), None)
            if following is None or following[0] > end + gap:
                break
            end = following[1]
        else:
            begins.append(start)
    return begins


def shape(raw: str, opening: str) -> set[str]:
    """Columns of layout: how the text begins, what is in its first 1,000 characters, how its first paragraph ends."""
    body = raw[:BODY]
    columns = {f"shape:length<{limit}" for limit in (40, 100, 250, 600, 1500) if len(raw) < limit}
    columns.update(name for name, marks in _BEGINS if body.startswith(marks))
    columns.update(name for name, marks in _HOLDS if any(mark in body for mark in marks))
    paragraph, _, rest = body.partition("\n\n")
    line, _, more = body.partition("\n")
    if rest and len(paragraph) < 250:
        columns.add("shape:short_paragraph_first")
        if paragraph.endswith((":", "：", "…", "...")):
            columns.add("shape:paragraph_ends_open")
        if rest.startswith(("#", "**", "|", "-", "1.", "{", "```", "---")):
            columns.add("shape:paragraph_then_layout")
    if more and line.endswith((":", "：")):
        columns.add("shape:line_ends_open")
    if raw.endswith(("?", "？", "؟")):
        columns.add("shape:ends_asking")
    digits = opening.count("0")
    columns.update(f"shape:digits>{share}%" for share in (5, 15, 30) if 100 * digits > share * len(opening))
    columns.update(f"shape:glued>={least}" for least in (1, 2) if _glued(body) >= least)
    columns.update(f"shape:boxed>={least}" for least in (1, 2) if body.count("\\boxed") >= least)
    if not raw.isascii() and script_of(body[:RAW]) != script_of(raw[-120:]):
        columns.add("shape:script_changes")
    return columns


_BEGINS = (
    ("shape:begins_list", ("- ", "* ", "• ", "1.", "1)", "・")),
    ("shape:begins_heading", "#"),
    ("shape:begins_bold", "**"),
    ("shape:begins_quote", ('"', "'", "“", "「", "『", "«", "„", ">", "‘")),
    ("shape:begins_code", ("```", "{", "[", "<", "|", "$", "\\")),
    ("shape:begins_digit", tuple("0123456789")),
)
_HOLDS = (
    ("shape:code", ("```",)),
    ("shape:table", ("\n|", "| --", "|--")),
    ("shape:heading", ("\n#",)),
    ("shape:bold", ("**",)),
    ("shape:list", ("\n- ", "\n* ", "\n1.", "\n2.", "\n• ", "\n・")),
    ("shape:formula", ("\\(", "\\[", "$$", "\\frac", "\\boxed")),
    ("shape:dialogue", ("\n—", "\n- «", "\n“", '\n"', "\n「")),
)


def _glued(text: str) -> int:
    """Places where a sentence ends and the next begins without a space, as when two messages were joined."""
    count = 0
    for mark in ".!?:":
        at = text.find(mark, 1)
        while 0 <= at < len(text) - 1:
            count += text[at - 1].islower() and (text[at + 1].isupper() or text[at + 1] in "#*")
            at = text.find(mark, at + 1)
    return count


class Model:
    """A released model folder, verified when it is opened. Holds no state that scoring changes."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.facts = _verified(self.folder)
        self.version: str = self.facts["version"]
        self.extractor = Extractor(self.facts["languages"], self.facts["stances"])
        self.weights: dict[str, list[float]] = self.facts["columns"]
        data = (self.folder / "weights.bin").read_bytes()
        packed = [
            (first << 32) + second
            for first, second in zip(
                struct.unpack(f"<{BUCKETS}b", data[:BUCKETS]), struct.unpack(f"<{BUCKETS}b", data[BUCKETS:]), strict=True
            )
        ]
        self._packed = {size: packed[salt:] + packed[:salt] for size, salt in SALTS.items()}

    def scores(self, text: str, tools: str | None = None) -> dict[str, float]:
        """Label → calibrated probability; 0.0 for texts below the model's minimum length. `tools`: offered, called, unknown."""
        if len(text.strip()) < self.facts["minimum_length"]:
            return dict.fromkeys(LABELS, 0.0)
        return self._probabilities(*self.extractor.look(text, tools))

    def predict(self, text: str, tools: str | None = None) -> Prediction:
        """The judgement of one text: what is shown, what was measured, and why the two differ."""
        if len(text.strip()) < self.facts["minimum_length"]:
            return Prediction(label=None, raw_label="clean", score=0.0, tier=None, reason="shorter than the minimum length")
        columns, buckets = self.extractor.look(text, tools)
        scores = self._probabilities(columns, buckets)
        tiers = {label: self.tier(label, scores[label], script_of(text)) for label in LABELS}
        rank = {tier: place for place, tier in enumerate((*TIERS, None))}
        label = min(LABELS, key=lambda name: (rank[tiers[name]], -scores[name]))
        tier = tiers[label]
        return Prediction(
            label=label if tier in TIERS[:2] else None,
            raw_label=label if tier or scores[label] >= 0.5 else "clean",
            score=scores[label],
            tier=tier,
            reason=self._reason(label, columns, tier),
        )

    def tier(self, label: str, score: float, script: str) -> str | None:
        """The highest tier whose threshold `score` reaches in this script group; None below all."""
        thresholds = self.facts["thresholds"][label]
        limits = thresholds.get(script, thresholds["other"])
        return next((tier for tier in TIERS if score >= limits[tier]), None)

    def _probabilities(self, columns: set[str], buckets: dict[int, set[int]]) -> dict[str, float]:
        total = sum(sum(map(self._packed[size].__getitem__, found)) for size, found in buckets.items())
        second = ((total + 0x80000000) & 0xFFFFFFFF) - 0x80000000
        sums = ((total - second) >> 32, second)
        norm = self.facts["gram_scale"] / math.sqrt(max(sum(map(len, buckets.values())), 1))
        known = [self.weights[name] for name in sorted(columns) if name in self.weights]
        result = {}
        for index, label in enumerate(LABELS):
            slope, shift = self.facts["calibration"][label]
            margin = self.facts["bias"][index] + sum(map(itemgetter(index), known)) + norm * sums[index]
            result[label] = _sigmoid(slope * margin + shift)
        return result

    def _reason(self, label: str, columns: set[str], tier: str | None) -> str:
        index = LABELS.index(label)
        votes = sorted(((self.weights.get(name, (0, 0))[index], name) for name in columns), reverse=True)
        names = ", ".join(name for weight, name in votes[:3] if weight > 0) or "wording only"
        return names if tier in TIERS[:2] else f"below the likely threshold; {names}"


def _sigmoid(value: float) -> float:
    return 1 / (1 + math.exp(-value)) if value > -700 else 0.0


def _verified(folder: Path) -> dict[str, Any]:
    """model.json of a folder whose files are all there and unchanged; ModelError with one sentence otherwise."""
    try:
        data = (folder / "model.json").read_bytes()
    except OSError:
        raise ModelError(f"{folder}: model.json is missing or cannot be read") from None
    try:
        facts = json.loads(data)
        version, checksums = facts["format"], dict(facts["checksums"])
    except (ValueError, KeyError, TypeError):
        raise ModelError(f"{folder}: model.json is not the description of a model") from None
    if version != FORMAT:
        raise ModelError(f"{folder}: model format {version} is not supported, only {FORMAT}; use a newer leakrate")
    own = str(checksums.pop("model.json", "")).encode()
    if hashlib.sha256(data.replace(own, b"0" * 64, 1) if len(own) == 64 else b"").hexdigest().encode() != own:
        raise ModelError(f"{folder}: model.json was changed, its checksum does not fit")
    for name, expected in checksums.items():
        try:
            actual = hashlib.sha256((folder / name).read_bytes()).hexdigest()
        except OSError:
            raise ModelError(f"{folder}: {name} is missing or cannot be read") from None
        if actual != expected:
            raise ModelError(f"{folder}: {name} was changed, its checksum does not fit")
    return dict(facts)

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
import sys
from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import islice
from operator import itemgetter
from pathlib import Path
from typing import Any, TypedDict

FORMAT = 1
LABELS = ("preamble", "reasoning_leak")
HEADS = ("preamble", "trace", "note")
"""Linear scores; a reasoning leak is the larger of the last two: thoughts at work on a problem, words about user or answer."""
TOOLS = ("unknown", "offered", "called")
TIERS = ("certain", "likely", "possible")

RAW, BODY, HEAD, START, GRAMS, TAIL, LONG = 1200, 1000, 200, 40, 400, 400, 1600
"""Code points: taken from the text, kept after normalising, four views of that, the last part of texts longer than LONG."""
SIZES = (3, 4, 5)
BUCKETS = 65536
UNIT = 10000
"""Weights of columns and the bias are integers in units of 1 / UNIT, so that sums are exact in any order."""
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
        if offset + 1 in wanted:
            halves = array("H", total.to_bytes(4 * length, "little"))
            if sys.byteorder == "big":
                halves.byteswap()
            result[offset + 1] = halves[: 2 * max(length - offset, 0) : 2]
    return result


def script_of(text: str) -> str:
    """The script group of the first 64 letters: latin, cjk, hangul, cyrillic, arabic, devanagari or other."""
    if text[:RAW].isascii():
        return "latin"
    counts = Counter(map(_script, islice(filter(str.isalpha, text[:RAW]), 64)))
    return counts.most_common(1)[0][0] if counts else "latin"


@lru_cache(maxsize=8192)
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
        self._names = {family: _Names(family) for family in sorted(stances)}
        self._pairs = {first: {second: f"{first}+{second}" for second in stances} for first in stances}
        self._patterns: dict[int, list[tuple[str, _Steps]]] = {}
        """First group → (family, further (gap, group)s)."""
        self._markers: list[frozenset[str]] = []
        """Words that show a language, of every language that must be present to be matched."""
        groups: dict[tuple[str, str], int] = {}
        always: dict[str, list[int]] = {}
        tables: list[Anchors] = []
        for language, facts in sorted(languages.items()):
            literals: dict[str, list[int]] = {} if facts["markers"] else always
            for name in sorted(facts["groups"]):
                group = groups[language, name] = len(groups)
                for literal in facts["groups"][name]:
                    literals.setdefault(literal, []).append(group)
            if facts["markers"]:
                self._markers.append(frozenset(facts["markers"]))
                tables.append(_anchored(literals))
            for family, (first, *rest) in facts["patterns"]:
                steps = tuple((rest[at], groups[language, rest[at + 1]]) for at in range(0, len(rest), 2))
                self._patterns.setdefault(groups[language, first], []).append((family, steps))
        plain = {literal: held for literal, held in always.items() if literal.isascii()}
        self.tables: list[Anchors] = [_anchored(plain), _anchored(always), *tables]
        """Literals of the languages without markers (the first table for ASCII texts), then of each language with markers."""

    def look(self, text: str, tools: str | None = None) -> tuple[set[str], dict[int, set[int]]]:
        """(names of the columns that are 1, window size → buckets present in the first 400 normalised characters)."""
        raw = text.strip()
        opening = normalise(raw[:RAW])[:BODY]
        buckets = windows(opening, SIZES if opening.isascii() else ALL_SIZES)
        present = {size: set(found[: GRAMS - size + 1]) for size, found in buckets.items()}
        behind = {size: set(found[GRAMS - size + 1 :]) for size, found in buckets.items()}
        columns = self.columns(raw, opening, self._candidates(opening, (present, behind)), tools)
        return columns, {size: present[size] for size in SIZES}

    def columns(self, raw: str, opening: str, candidates: "Candidates", tools: str | None) -> set[str]:
        """Names of the columns that are 1 for a stripped text, its normalised opening and the literals that may stand in it."""
        columns = shape(raw, opening)
        self._judge(self._families(opening, candidates), columns)
        if len(raw) > LONG:
            tail = normalise(raw[-TAIL:])[:BODY]
            present = {size: set(found) for size, found in windows(tail, ALL_SIZES).items()}
            families = self._families(tail, self._candidates(tail, (present,)))
            columns.update([self._names[family].tail for family in families])
        if tools in TOOLS[1:]:
            columns.add(f"tools@{tools}")
        return columns

    def _candidates(self, text: str, parts: tuple[dict[int, set[int]], ...]) -> "Candidates":
        """Literals one of whose windows is present in one of the parts (window size → buckets); some twice, which changes nothing."""
        candidates: Candidates = []
        for number in self.tables_of(text):
            for size, known, holders in self.tables[number]:
                for part in parts:
                    if size in part:
                        for bucket in known & part[size]:
                            candidates += holders[bucket]
        return candidates

    def _families(self, text: str, candidates: "Candidates") -> dict[str, set[int]]:
        """Family → positions at which one of its patterns begins."""
        events = _events(text, candidates)
        families: dict[str, set[int]] = {}
        for group in events.keys() & self._patterns.keys():
            for family, steps in self._patterns[group]:
                begins = _begins(events, group, steps) if steps else [start for start, _ in events[group]]
                if begins:
                    families.setdefault(family, set()).update(begins)
        return families

    def tables_of(self, text: str) -> list[int]:
        """Places in `tables` of the languages that are matched: those without markers, and each that has at least a third as
        many of its markers among the words of `text` as the language with the most; all where a Latin text has no marker."""
        always = 0 if text.isascii() else 1
        words = set(text.split(" "))
        marks = [len(words & markers) for markers in self._markers]
        most = max(marks, default=0)
        if not most and script_of(text) != "latin":
            return [always]
        return [always, *[place for place, count in enumerate(marks, 2) if 3 * count >= most and (count or not most)]]

    def _judge(self, families: dict[str, set[int]], columns: set[str]) -> None:
        stances: dict[str, int] = {}
        held = sorted(families)
        for place, family in enumerate(held):
            names, begins = self._names[family], families[family]
            columns.add(names.body)
            columns.update([name for least, name in names.counts if len(begins) >= least])
            first = min(begins)
            if first < HEAD:
                columns.add(names.head)
                if first < START:
                    columns.add(names.start)
            stance = self.stances[family]
            stances[stance] = stances.get(stance, 0) + 1
            pairs = self._pairs[family]
            columns.update([pairs[second] for second in held[place + 1 :]])
        for stance, count in stances.items():
            columns.update([f"{stance}>={least}" for least in range(2, min(count, 10) + 1)])


class _Names:
    """The columns of one family, made once."""

    def __init__(self, family: str) -> None:
        self.body, self.head, self.start, self.tail = (f"{family}@{view}" for view in ("body", "head", "start", "tail"))
        self.counts = [(least, f"{family}@{least}") for least in (2, 3, 5, 8)]


ALL_SIZES = (1, 2, *SIZES)
Candidates = list[tuple[str, list[int]]]
"""(literal, its groups)"""
_Steps = tuple[tuple[int, int], ...]
Anchors = list[tuple[int, frozenset[int], dict[int, list[tuple[str, list[int]]]]]]
"""(window size, buckets, bucket → (literal, its groups)): a literal stands in a text only if its bucket is present."""


def _anchored(literals: dict[str, list[int]]) -> Anchors:
    """Every literal under one of its windows, the one that fewest literals hold; windows are as long as the literal allows, at most 5."""
    grams = {literal: windows(literal, (min(len(literal), 5),)) for literal in sorted(literals)}
    common = Counter((size, bucket) for held in grams.values() for size, found in held.items() for bucket in set(found))
    anchors: dict[int, dict[int, list[tuple[str, list[int]]]]] = {}
    for literal, held in grams.items():
        ((size, buckets),) = held.items()
        rarest = min(buckets, key=lambda bucket: common[size, bucket])
        anchors.setdefault(size, {}).setdefault(rarest, []).append((literal, literals[literal]))
    return [(size, frozenset(holders), holders) for size, holders in sorted(anchors.items())]


def _events(text: str, candidates: Candidates) -> dict[int, list[tuple[int, int]]]:
    """Group → (start, end) of every occurrence of its literals, in order."""
    events: dict[int, list[tuple[int, int]]] = {}
    find = text.find
    for literal, groups in candidates:
        start = find(literal)
        while start >= 0:
            event = (start, start + len(literal))
            for group in groups:
                if group in events:
                    events[group].append(event)
                else:
                    events[group] = [event]
            start = find(literal, start + 1)
    for found in events.values():
        if len(found) > 1:
            found.sort()
    return events


def _begins(events: dict[int, list[tuple[int, int]]], first: int, steps: _Steps) -> list[int]:
    """Starts of `first` from which every further group follows, each taken at its first start within the gap."""
    if any(group not in events for _, group in steps):
        return []
    begins = []
    for start, end in events[first]:
        position: int | None = end
        for gap, group in steps:
            if position is not None:
                position = _next_end(events[group], position, gap)
        if position is not None:
            begins.append(start)
    return begins


def _next_end(events: list[tuple[int, int]], end: int, gap: int) -> int | None:
    """End of the first event that starts at most `gap` after `end`; it may share one character, the space between words."""
    for start, stop in events:
        if start >= end - 1:
            return stop if start <= end + gap else None
    return None


def shape(raw: str, opening: str) -> set[str]:
    """Columns of layout: how the text begins, what is in its first 1,000 characters, how its first paragraph ends."""
    body = raw[:BODY]
    columns = {f"shape:length<{limit}" for limit in (40, 100, 250, 600, 1500) if len(raw) < limit}
    columns.update([name for name, marks in _BEGINS if body.startswith(marks)])
    columns.update([name for name, marks in _HOLDS if any(mark in body for mark in marks)])
    if "\n" in body:
        columns.update(_breaks(body))
        columns.update([name for name, marks in _LINES if any(mark in body for mark in marks)])
    if raw.endswith(("?", "？", "؟")):
        columns.add("shape:ends_asking")
    share, glued, boxed = 100 * opening.count("0"), _glued(body), body.count("\\boxed")
    columns.update([f"shape:digits>{least}%" for least in (5, 15, 30) if share > least * len(opening)])
    columns.update([f"shape:glued>={least}" for least in (1, 2) if glued >= least])
    columns.update([f"shape:boxed>={least}" for least in (1, 2) if boxed >= least])
    if not raw.isascii() and script_of(body) != script_of(raw[-120:]):
        columns.add("shape:script_changes")
    return columns


def _breaks(body: str) -> list[str]:
    """Columns of how the first line and the first paragraph end and what follows."""
    columns = []
    paragraph, _, rest = body.partition("\n\n")
    line, _, more = body.partition("\n")
    if rest and len(paragraph) < 250:
        columns.append("shape:short_paragraph_first")
        if paragraph.endswith((":", "：", "…", "...")):
            columns.append("shape:paragraph_ends_open")
        if rest.startswith(("#", "**", "|", "-", "1.", "{", "```", "---")):
            columns.append("shape:paragraph_then_layout")
    if more and line.endswith((":", "：")):
        columns.append("shape:line_ends_open")
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
    ("shape:tags", ("think>", "<|", "thought:", "Thought:", "thinking>", "reasoning>")),
    ("shape:code", ("```",)),
    ("shape:bold", ("**",)),
    ("shape:formula", ("\\(", "\\[", "$$", "\\frac", "\\boxed")),
)
_LINES = (
    ("shape:table", ("\n|",)),
    ("shape:heading", ("\n#",)),
    ("shape:list", ("\n- ", "\n* ", "\n1.", "\n2.", "\n• ", "\n・")),
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
        self.weights: dict[str, list[int]] = self.facts["columns"]
        self.data = data = (self.folder / "weights.bin").read_bytes()
        heads = [bytes([byte ^ 0x80 for byte in data[at * BUCKETS : (at + 1) * BUCKETS]]) for at in range(len(HEADS))]
        self._grams = {size: [held[salt:] + held[:salt] for held in heads] for size, salt in SALTS.items()}
        """Window size → head → weight of each bucket + 128: bytes stay in the cache, lists of numbers do not."""
        self._columns = {name: _pack(held) for name, held in self.weights.items()}

    def scores(self, text: str, tools: str | None = None) -> dict[str, float]:
        """Label → calibrated probability; 0.0 for texts below the model's minimum length. `tools`: offered, called, unknown."""
        if len(text.strip()) < self.facts["minimum_length"]:
            return dict.fromkeys(LABELS, 0.0)
        return self._probabilities(*self.extractor.look(text, tools))

    def predict(self, text: str, tools: str | None = None) -> Prediction:
        """The judgement of one text: what is shown, what was measured, and why the two differ."""
        if len(text.strip()) < self.facts["minimum_length"]:
            return Prediction(
                label=None, raw_label="clean", score=0.0, tier=None, reason="shorter than the minimum length"
            )
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
        wording = [0] * len(HEADS)
        for size, found in buckets.items():
            if len(found) > 1:
                pick = itemgetter(*found)
                for head, weights in enumerate(self._grams[size]):
                    wording[head] += sum(pick(weights)) - 128 * len(found)
            else:
                for head, weights in enumerate(self._grams[size]):
                    wording[head] += sum([weights[bucket] - 128 for bucket in found])
        return self.probabilities(self.stance(columns), wording, sum(map(len, buckets.values())))

    def stance(self, columns: set[str]) -> list[int]:
        """Sum of the columns' weights for each head, in units of 1 / UNIT; columns that the model does not know count nothing."""
        known = self._columns
        return _unpack(sum([known[name] for name in columns if name in known]))

    def probabilities(self, stance: Sequence[int], wording: Sequence[int], present: int) -> dict[str, float]:
        """Label → probability, from the heads' sums of column weights and n-gram weights and the number of n-grams present."""
        norm, bias = self.facts["gram_scale"] / math.sqrt(max(present, 1)), self.facts["bias"]
        margins = [(bias[place] + stance[place]) / UNIT + norm * wording[place] for place in range(len(HEADS))]
        result = {}
        for label, margin in zip(LABELS, (margins[0], max(margins[1:])), strict=True):
            slope, shift = self.facts["calibration"][label]
            result[label] = _sigmoid(slope * margin + shift)
        return result

    def _reason(self, label: str, columns: set[str], tier: str | None) -> str:
        places = (0,) if label == LABELS[0] else (1, 2)
        votes = sorted(
            ((max(map(self.weights[name].__getitem__, places)), name) for name in columns & self.weights.keys()),
            reverse=True,
        )
        names = ", ".join(name for weight, name in votes[:3] if weight > 0) or "wording only"
        return names if tier in TIERS[:2] else f"below the likely threshold; {names}"


_BITS = 40
"""Width of one head's sum of columns."""


def _pack(values: Sequence[int]) -> int:
    """The heads' weights in one integer, so that all heads are added up at once."""
    return sum(value << (_BITS * place) for place, value in enumerate(values))


def _unpack(total: int) -> list[int]:
    values = []
    for _ in HEADS:
        value = ((total + (1 << (_BITS - 1))) & ((1 << _BITS) - 1)) - (1 << (_BITS - 1))
        values.append(value)
        total = (total - value) >> _BITS
    return values


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
